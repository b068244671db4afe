import { describe, expect, test } from 'vitest';
import { closingLine, countReport, isGreen, summaryLine, type Report } from '../scripts/counting.mjs';

const file = (status: 'passed' | 'failed', ...tests: readonly string[]): Report['testResults'][number] => ({
  status,
  assertionResults: tests.map((one) => ({ status: one })),
});

describe('the closing line', () => {
  test('[GATE-2] counts tests, never the suites around them', () => {
    const counts = countReport({
      success: false,
      testResults: [file('failed', 'failed', 'failed', 'passed'), file('failed', 'failed'), file('passed', 'passed')],
    });
    expect(counts).toEqual({ passed: 2, failed: 3, skipped: 0 });
    expect(closingLine(counts)).toBe('2 passed, 3 failed');
  });

  test('[GATE-2] counts a file that could not be loaded, or whose hooks failed, as one failure', () => {
    const counts = countReport({ success: false, testResults: [file('failed'), file('failed', 'skipped', 'skipped'), file('failed', 'failed')] });
    expect(counts).toEqual({ passed: 0, failed: 3, skipped: 2 });
  });

  test('[GATE-2] counts what failed outside of any file, and is not green when nothing ran', () => {
    expect(countReport({ success: false, testResults: [file('passed', 'passed')] })).toEqual({ passed: 1, failed: 1, skipped: 0 });
    expect(isGreen(countReport({ success: true, testResults: [] }))).toBe(false);
    expect(isGreen(countReport({ success: true, testResults: [file('passed', 'passed', 'skipped')] }))).toBe(true);
    expect(isGreen({ passed: 5, failed: 1 })).toBe(false);
  });

  test('[GATE-2] has nothing else in it: time and skipped tests stand in the line before', () => {
    expect(closingLine({ passed: 5054, failed: 0 })).toBe('5054 passed, 0 failed');
    expect(summaryLine({ skipped: 3 }, 245_400)).toBe('Took 4 min 5 s; 3 skipped.');
    expect(summaryLine({ skipped: 0 }, 4400)).toBe('Took 4 s.');
  });
});
