import { describe, expect, test } from 'vitest';
import { closingLine, countReport, isGreen, settle, summaryLine, worthAnotherRun, type FileReport, type Report } from '../scripts/counting.mjs';

const file = (status: 'passed' | 'failed', ...tests: readonly string[]): Report['testResults'][number] => ({
  name: 'a.test.ts',
  status,
  assertionResults: tests.map((one) => ({ status: one, fullName: 'it works' })),
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

describe('another run', () => {
  const named = (name: string, message: string | null): FileReport => ({
    name,
    status: message === null ? 'passed' : 'failed',
    assertionResults: [
      { status: 'passed', fullName: 'opens' },
      message === null ? { status: 'passed', fullName: 'closes' } : { status: 'failed', fullName: 'closes', failureMessages: [message] },
    ],
  });
  const reportOf = (...testResults: readonly FileReport[]): Report => ({
    success: testResults.every(({ status }) => status === 'passed'),
    testResults,
  });

  test('[GATE-9] is for files that failed, if they are few', () => {
    expect(worthAnotherRun(reportOf(named('a', null), named('b', 'expected 0 to be 1')))).toEqual(['b']);
    expect(worthAnotherRun(reportOf(named('a', null)))).toEqual([]);
    expect(worthAnotherRun(reportOf(...['a', 'b', 'c', 'd', 'e'].map((name) => named(name, 'no'))))).toHaveLength(5);
    expect(worthAnotherRun(reportOf(...['a', 'b', 'c', 'd', 'e', 'f'].map((name) => named(name, 'no'))))).toEqual([]);
  });

  test('[GATE-9] is never for a counterexample: other values might be drawn', () => {
    expect(worthAnotherRun(reportOf(named('a', 'no'), named('b', 'Error: Property failed after 3 tests\n{ seed: 7 }')))).toEqual([]);
  });

  test('[GATE-9] counts what passed then, and names it', () => {
    const first = reportOf(named('a', null), named('b', 'no'), named('c', 'no'));
    const { report, unsteady } = settle(first, reportOf(named('b', null), named('c', 'no')));
    expect(countReport(report)).toEqual({ passed: 5, failed: 1, skipped: 0 });
    expect(unsteady).toEqual(['Unsteady, passed only when run again: b: closes']);
    const whole = settle(first, reportOf(named('b', null), named('c', null)));
    expect(countReport(whole.report)).toEqual({ passed: 6, failed: 0, skipped: 0 });
    expect(whole.unsteady).toHaveLength(2);
  });

  test('[GATE-9] changes nothing where a file failed again, in a test of its own or as a whole', () => {
    const first = reportOf(named('a', null), { name: 'b', status: 'failed', assertionResults: [] });
    expect(settle(first, reportOf(named('b', 'no'))).report).toBe(first);
    expect(settle(first, reportOf()).report).toBe(first);
    expect(settle(first, reportOf(named('b', null))).unsteady).toEqual(['Unsteady, passed only when run again: b: the file itself']);
  });

  test('[GATE-9] does not count a test as passed that was skipped then, or not there', () => {
    const first = reportOf(named('a', null), named('b', 'no'));
    const again = (...assertionResults: FileReport['assertionResults']): Report => reportOf({ name: 'b', status: 'passed', assertionResults });
    const opens = { status: 'passed', fullName: 'opens' };
    expect(settle(first, again(opens, { status: 'skipped', fullName: 'closes' }))).toEqual({ report: first, unsteady: [] });
    expect(settle(first, again(opens))).toEqual({ report: first, unsteady: [] });
    const broken = reportOf({ name: 'b', status: 'failed', assertionResults: [] });
    expect(settle(broken, again({ status: 'skipped', fullName: 'opens' }))).toEqual({ report: broken, unsteady: [] });
  });
});
