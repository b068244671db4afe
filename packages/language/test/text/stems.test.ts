import { describe, expect, test } from 'vitest';
import { stemOf } from '../../src/text/stems.ts';

const stemsIn = (words: string): ReadonlySet<string> => new Set(words.split(' ').map((word) => stemOf(word)));

describe('one stemmer', () => {
  test.each([
    ['render renders rendered rendering'],
    ['register registers registered'],
    ['disable disables disabled disabling'],
    ['apply applies applied applying'],
    ['repeat repeats repeated repeating'],
    ['server servers'],
    ['query queries'],
    ['throw throws threw thrown'],
    ['write writes wrote written writing'],
    ['arrive arrives arrived arrival'],
    ['deliver delivers delivered delivery deliveries'],
    ['optimise optimised optimization optimizes'],
    ['configuration config conf'],
    ["cache cache's caches cached"],
  ])('[CONF-11] [TRIG-3] the forms of a word have one stem: %s', (forms) => {
    expect(stemsIn(forms).size).toBe(1);
  });

  test.each([['server serve'], ['document documentation'], ['runner run'], ['number numb'], ['count counted'], ['done do'], ['station state']])(
    '[CONF-11] [TRIG-3] other words have other stems: %s',
    (words) => {
      expect(stemsIn(words).size).toBe(words.split(' ').length);
    },
  );
});
