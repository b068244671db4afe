import fc from 'fast-check';
import { expect, test } from 'vitest';
import { claimOf } from '../../src/contradictions/claim.ts';
import { contradictionBetween } from '../../src/contradictions/conflicts.ts';

const between = (a: string, b: string) => contradictionBetween(claimOf(a), claimOf(b));

const SUBJECTS = [
  'the retry limit of the gateway',
  'the billing cache',
  'the nightly export job',
  'session cookies',
  'the p99 of checkout',
  '`users.email`',
];
const PREDICATES = [
  'is 3',
  'is 5',
  'is not 5',
  'is enabled',
  'is disabled',
  'takes 20 ms',
  'takes 3 minutes',
  'fails because of a missing index',
  'fails due to the new proxy',
  "isn't encrypted",
  'is encrypted',
  'is stored in redis',
  'is stored in postgres',
  'was 10 % last week',
  'never expires',
];
const sentence = fc.tuple(fc.constantFrom(...SUBJECTS), fc.constantFrom(...PREDICATES)).map(([subject, predicate]) => `${subject} ${predicate}.`);
const finding = fc.array(sentence, { minLength: 1, maxLength: 4 }).map((sentences) => sentences.join(' '));
const anyText = fc.oneof(finding, fc.string({ unit: 'binary', maxLength: 200 }), fc.string({ maxLength: 200 }));

test('[CONF-12] the answer is the same in both directions', () => {
  fc.assert(
    fc.property(anyText, anyText, (a, b) => {
      expect(between(a, b)).toEqual(between(b, a));
    }),
  );
});

test('[CONF-13] a text never conflicts with itself', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(between(text, text)).toBeNull();
    }),
  );
});

const DRESSES: readonly ((text: string) => string)[] = [
  (text) => text.toUpperCase(),
  (text) => text.toLowerCase(),
  (text) => `**${text}**`,
  (text) => `_${text}_`,
  (text) => `- ${text}`,
  (text) => `1. ${text}`,
  (text) => `  ${text}\n\n`,
  (text) => `I think ${text}`,
  (text) => `AFAIK, ${text}`,
  (text) => `I believe that ${text}`,
  (text) => `Maybe ${text}`,
];

test('[CONF-14] case, Markdown around the text and hedges change nothing', () => {
  fc.assert(
    fc.property(finding, finding, fc.constantFrom(...DRESSES), (a, b, dress) => {
      expect(between(dress(a), b)).toEqual(between(a, b));
    }),
  );
});

test('[CONF-15] any text has a claim, and any two claims an answer', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 2000 }), fc.string({ unit: 'grapheme', maxLength: 2000 }), (a, b) => {
      expect(['object']).toContain(typeof between(a, b));
    }),
  );
});

/** Milliseconds of work: the clock would also count the waiting on a busy machine. */
const workOf = (run: () => void): number => {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};

const HOSTILE = [
  ' ',
  '\n',
  'not ',
  '1',
  '9 ',
  '1,000 ',
  'a.',
  'a_',
  'aB',
  '`',
  '> ',
  '1. ',
  '~',
  'because ',
  'without ',
  'the cause of ',
  'every ',
  'x because y. ',
  "n't ",
];

test.each(HOSTILE)('[CONF-16] 100 kB of %j take no longer than other texts of that size', (piece) => {
  const text = piece.repeat(Math.ceil(100_000 / piece.length));
  const work = workOf(() => {
    between(text, `${text} 7`);
    between(`The limit is 3. ${text}`, `The limit is 5. ${text}`);
  });
  // Quadratic work on 100 kB takes minutes.
  expect(work).toBeLessThan(3000);
});

test('[CONF-16] two texts of 10,000 characters are compared in a few milliseconds', () => {
  const words = Array.from({ length: 400 }, (_, i) => `w${i.toString(36)}x`);
  const textOf = (salt: number): string =>
    Array.from({ length: 260 }, (_, i) => `The ${words[(i * 7 + salt) % 400]} of ${words[(i * 13) % 400]} is ${words[(i * 31 + salt) % 400]}.`)
      .join(' ')
      .slice(0, 10_000);
  const [a, b] = [claimOf(textOf(1)), claimOf(textOf(2))];
  const times = Array.from({ length: 15 }, () =>
    workOf(() => {
      contradictionBetween(a, b);
    }),
  );
  expect(Math.min(...times)).toBeLessThan(50);
});
