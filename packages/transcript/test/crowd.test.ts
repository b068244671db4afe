import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createReader, crowdIn, inPieces, MOST_VALUES, PIECE } from '../src/index.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const crowdOf = (text: string) => {
  const bytes = encode(text);
  return crowdIn(bytes, 0, bytes.length);
};
const PAD = ' '.repeat(MOST_VALUES);

describe('a line with very much in it', () => {
  test('[PARSE-9] is not parsed when it nests too deep, has too many values or too many keys; one below the limits is', () => {
    expect(crowdOf('['.repeat(MOST_VALUES + 1))).toBe('too deep');
    expect(crowdOf(`{"a":[${'1,'.repeat(MOST_VALUES)}1]}`)).toBe('too many values');
    expect(crowdOf(`{${'"k":1,'.repeat(MOST_VALUES)}"k":1}`)).toBe('too many values');
    expect(crowdOf(`{"a":[${'1,'.repeat(MOST_VALUES - 10)}1]}`)).toBe(null);
  });

  test('[PARSE-9] counts nothing inside strings, whatever is escaped in them', () => {
    expect(crowdOf(`{"a":"${',[{'.repeat(MOST_VALUES)}"}`)).toBe(null);
    expect(crowdOf(`{"a":"${String.raw`\"[`.repeat(MOST_VALUES)}"}`)).toBe(null);
    expect(crowdOf(`{"a":"${String.raw`\\`.repeat(MOST_VALUES)}",${'"b":1,'.repeat(MOST_VALUES)}"c":1}`)).toBe('too many values');
  });

  test('[PARSE-9] no JSON value of ordinary size is held back, however it is written', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        expect(crowdOf(json + PAD)).toBe(null);
      }),
      { numRuns: 10 },
    );
  });

  test('[PARSE-3] [PARSE-9] is quarantined with its place and reason, and the lines around it are read', () => {
    const told: unknown[] = [];
    const reader = createReader({
      decode: (bytes, from, to) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(from, to)),
      sink: { record: (value) => told.push(value), quarantine: ({ line, reason, length }) => told.push([line, reason, length]) },
    });
    const crowded = `{"a":[${'1,'.repeat(MOST_VALUES)}1]}`;
    reader.feed(encode(`{"n":1}\n${crowded}\n{"n":3}\n`));
    reader.end();
    expect(told).toEqual([{ n: 1 }, [2, 'too many values', crowded.length], { n: 3 }]);
    expect(reader.counts).toMatchObject({ lines: 3, records: 2, quarantined: 1 });
  });
});

describe('a text that is changed in pieces', () => {
  const where = { mayCut: (text: string, at: number) => text.charAt(at) !== 'b', longest: 2 };

  test('[FIND-18] is changed as if it were changed at once, and no pair is torn apart', () => {
    for (const lead of ['', 'x', 'xx']) {
      const text = lead + 'ab'.repeat(PIECE);
      expect(inPieces(text, where, (piece) => piece.replaceAll('ab', '-')) === text.replaceAll('ab', '-')).toBe(true);
    }
  });

  test('[FIND-18] comes to its end where nothing may be cut', () => {
    const text = 'b'.repeat(3 * PIECE + 1);
    expect(inPieces(text, where, (piece) => piece) === text).toBe(true);
  });
});
