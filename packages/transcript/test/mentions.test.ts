import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readEntry, type JsonObject } from '../src/index.ts';
import { prompt, reply, result, text } from './reading.ts';

const mentionsIn = (record: object): readonly string[] =>
  readEntry(record as JsonObject, { line: 1, part: 0, offset: 0, length: 1 }).more?.mentions ?? [];

test('[TRACE-10] prompts and replies say what they mention, wherever it stands in them; what a tool gave mentions nothing', () => {
  const long = 'and so on '.repeat(100);
  expect(mentionsIn(prompt('u', null, `${long} see MSG-12, SB-3 and MSG-12 (SCRATCH-1:FINDING-2)`))).toEqual([
    'MSG-12',
    'SB-3',
    'SCRATCH-1:FINDING-2',
  ]);
  expect(mentionsIn(reply('a', 'u', 'm', [text(long), text('as GOLD-1 says, NO-MSG-5 and XMSG-6 do not')]))).toEqual(['GOLD-1']);
  expect(mentionsIn(result('r', 'a', 't', 'MSG-12'))).toEqual([]);
  expect(mentionsIn(prompt('u', null, 'nothing'))).toEqual([]);
});

test('[TRACE-10] of any text at most fifty mentions are kept, each once', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(200), { maxLength: 300 }), fc.string({ unit: 'binary' }), (numbers, noise) => {
      const wanted = [...new Set(numbers.map((number) => `MSG-${number}`))];
      const found = mentionsIn(prompt('u', null, numbers.map((number) => `MSG-${number}`).join(' ')));
      expect(found).toEqual(wanted.slice(0, 50));
      expect(mentionsIn(prompt('u', null, noise)).length).toBeLessThanOrEqual(50);
    }),
  );
});
