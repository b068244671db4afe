import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fit, fitRest, placeIn, placeText, type FitOptions } from '../../../src/doors/mcp/fit.ts';
import { jsonText } from '@yarnboard/transcript';
import { restored } from './restored.ts';

const MOST = 6000;

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** Everything of an answer, page by page. Every page must fit. */
const walked = async (answer: unknown, options: FitOptions): Promise<{ readonly whole: unknown; readonly pages: number }> => {
  const first = fit(answer, options).value;
  expect(bytesOf(first)).toBeLessThanOrEqual(options.most);
  let pages = 1;
  const whole = await restored(first, (at) => {
    const place = placeIn(answer, at);
    if (place === null || place === undefined) throw new Error(`${at} is no place`);
    const page = fitRest(answer, place, options).value;
    expect(bytesOf(page)).toBeLessThanOrEqual(options.most);
    pages += 1;
    return Promise.resolve(page);
  });
  return { whole, pages };
};

const anyText = fc.oneof(
  { weight: 6, arbitrary: fc.string({ maxLength: 20 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', minLength: 250, maxLength: 900 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 20_000 }).map((length) => '"\u0001é😀x'.repeat(length).slice(0, length)) },
);
const anyName = fc.oneof(
  { weight: 20, arbitrary: fc.string({ maxLength: 8 }) },
  fc.constantFrom('…', '__proto__', '7', 'next_cursor', 'message_data', 'k'.repeat(400)),
);
const { anyJson } = fc.letrec<{ anyJson: unknown }>((tie) => ({
  anyJson: fc.oneof(
    { maxDepth: 4 },
    anyText,
    fc.constantFrom(null, true, 0, -1.5, 1e21),
    fc.array(tie('anyJson'), { maxLength: 30 }),
    fc.array(fc.tuple(anyName, tie('anyJson')), { maxLength: 12 }).map((entries) => Object.fromEntries(entries)),
    fc.integer({ min: 100, max: 150 }).map((many) => Object.fromEntries(Array.from({ length: many }, (_, i) => [`n${i}`, i]))),
  ),
}));
const nested = (depth: number, inside: unknown): unknown => {
  let value = inside;
  for (let i = 0; i < depth; i += 1) value = i % 2 === 0 ? [value] : { in: value };
  return value;
};
const anyAnswer = fc.oneof(
  { weight: 9, arbitrary: anyJson },
  fc.tuple(fc.integer({ min: 1, max: 900 }), anyJson).map(([depth, inside]) => nested(depth, inside)),
);

describe('an answer that fits', () => {
  test('[MCP-15] [MCP-16] whatever it holds, every part fits, and the parts together are the whole, each thing once', async () => {
    let cut = 0;
    await fc.assert(
      fc.asyncProperty(anyAnswer, fc.boolean(), async (answer, isOne) => {
        const { whole, pages } = await walked(answer, { most: MOST, isOne });
        expect(jsonText(whole)).toBe(jsonText(answer));
        if (pages > 1) cut += 1;
      }),
    );
    expect(cut).toBeGreaterThan(10);
  });

  test('[MCP-15] [MCP-16] what is nested deeper than calls can be is reported as JSON', async () => {
    const deep = nested(9000, 'at the bottom');
    const { whole } = await walked(deep, { most: 24_000 });
    expect(jsonText(whole)).toBe(jsonText(deep));
  });

  test('[MCP-15] lists have 20 items, texts 300 characters; what is left out is counted and has a place', () => {
    const answer = {
      items: Array.from({ length: 23 }, (_, i) => ({ id: i })),
      text: 'x'.repeat(301),
      short: 'y'.repeat(300),
      next_cursor: 'c'.repeat(500),
    };
    const { value, cuts } = fit(answer, { most: MOST });
    expect(cuts).toEqual([
      { path: [0], from: 20, left: 3, of: 'items' },
      { path: [1], from: 300, left: 1, of: 'characters' },
    ]);
    expect(value).toEqual({
      items: [...answer.items.slice(0, 20), `… [+3 items: continue at ${placeText(answer, { path: [0], from: 20 })}]`],
      text: `${'x'.repeat(300)} … [+1 characters: continue at ${placeText(answer, { path: [1], from: 300 })}]`,
      short: answer.short,
      next_cursor: answer.next_cursor,
    });
  });

  test('[MCP-15] a record as it was written is not told beside what it says', () => {
    const answer = { content: 'hello', message_data: { type: 'user', message: { content: 'hello' } } };
    expect(fit(answer, { most: MOST, isOne: true }).value).toEqual({
      content: 'hello',
      message_data: `… [+2 fields: continue at ${placeText(answer, { path: [1], from: 0 })}]`,
    });
  });

  test('[MCP-15] what fits is reported as it is, also where one thing with a long text was asked for', () => {
    const small = { items: [1, 'two', { three: [4] }], next_cursor: null };
    expect(fit(small, { most: MOST })).toEqual({ value: small, cuts: [] });
    const one = { ref: 'MSG-1', content: 'x'.repeat(4000) };
    expect(fit(one, { most: MOST, isOne: true })).toEqual({ value: one, cuts: [] });
    expect(fit(one, { most: MOST }).cuts).toHaveLength(1);
  });

  test('[MCP-15] where nobody can continue, what is left out is only counted', () => {
    expect(fit({ text: 'x'.repeat(310) }, { most: MOST, canContinue: false }).value).toEqual({ text: `${'x'.repeat(300)} … [+10 characters]` });
  });

  test('[MCP-16] a list may grow while it is read; another answer is noticed', () => {
    const answer = { items: Array.from({ length: 30 }, (_, i) => i), text: 'x'.repeat(400) };
    const [list, text] = fit(answer, { most: MOST }).cuts.map((cut) => placeText(answer, cut));
    expect(placeIn({ ...answer, items: [...answer.items, 30] }, list ?? '')).toEqual({ path: [0], from: 20 });
    expect(placeIn({ ...answer, items: [-1, ...answer.items] }, list ?? '')).toBeNull();
    expect(placeIn({ ...answer, text: `y${answer.text}` }, text ?? '')).toBeNull();
    expect(placeIn({ items: [] }, list ?? '')).toBeNull();
    for (const nonsense of ['', 'items', '0:20', '0:20~', 'x:1~abcdef', '-1:0~abcdef'])
      expect(placeIn(answer, nonsense), `for ${nonsense}`).toBeUndefined();
    for (const elsewhere of ['9:1~abcdef', '0.0.0:1~abcdef', ':99~abcdef']) expect(placeIn(answer, elsewhere), `for ${elsewhere}`).toBeNull();
  });
});
