import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fused } from '../src/search/meaning/hybrid.ts';
import { lookedAt } from '../src/search/meaning/nearest.ts';
import { passagesOf, proseOf } from '../src/search/meaning/prose.ts';
import { openThreads, promptsOf, type Turn } from '../src/search/meaning/prompts.ts';
import { CURVE, similarityOf } from '../src/search/meaning/similarity.ts';
import { bitsOf, createBits, nearnessOf } from '../src/search/meaning/vectors.ts';

const anyVector = fc.array(fc.integer({ min: -100, max: 100 }), { minLength: 256, maxLength: 256 }).map((values) => Float32Array.from(values));

test('[MEAN-3] passages follow one another, miss no word, and none is long', () => {
  fc.assert(
    fc.property(fc.oneof(fc.lorem({ maxCount: 400 }), fc.string({ unit: 'binary' }), fc.lorem({ maxCount: 40, mode: 'sentences' })), (text) => {
      const passages = passagesOf(text);
      expect(passages.every(({ from, to }, at) => from === (at === 0 ? 0 : passages[at - 1]?.to) && to > from)).toBe(true);
      expect(passages.length === 0 ? text.trim() : text.slice(passages.at(-1)?.to).trim()).toBe('');
      for (const { from, to } of passages) expect(text.slice(from, to).split(/\s+/u).length).toBeLessThan(95);
    }),
  );
});

test('[MEAN-3] a text without a space costs no more than its length', () => {
  expect(passagesOf('x'.repeat(10_000_000)).length).toBeLessThanOrEqual(1000);
});

test('[MEAN-2] of a record what was said and thought is embedded, of a tool nothing', () => {
  const of = (record: object): string => proseOf({ type: 'transcript.line', note: null, copyOf: null }, Buffer.from(JSON.stringify(record)));
  expect(of({ type: 'user', message: { role: 'user', content: 'hello' } })).toBe('hello');
  expect(of({ type: 'user', isMeta: true, message: { role: 'user', content: 'hello' } })).toBe('');
  expect(of({ type: 'user', message: { role: 'user', content: [{ type: 'tool_result', content: 'output' }] } })).toBe('');
  const blocks = [
    { type: 'thinking', thinking: 'hm' },
    { type: 'text', text: 'so' },
    { type: 'tool_use', name: 'Bash', input: { command: 'ls' } },
  ];
  expect(of({ type: 'assistant', message: { role: 'assistant', content: blocks } })).toBe('hm\n\nso');
  expect(of({ type: 'summary', summary: 'Mending' })).toBe('Mending');
  expect(of({ type: 'system', content: 'noted' })).toBe('');
});

test('[MEAN-5] the nearest by bits are those that a look at every pair finds', () => {
  fc.assert(
    fc.property(fc.array(anyVector, { minLength: 1, maxLength: 30 }), anyVector, fc.integer({ min: 1, max: 10 }), (vectors, asked, most) => {
      const bits = createBits();
      for (const [at, vector] of vectors.entries()) bits.add(at + 1, bitsOf(vector));
      const away = (vector: Float32Array): number => vector.reduce((sum, value, d) => sum + Number(value > 0 !== (asked[d] ?? 0) > 0), 0);
      const distances = vectors.map(away).sort((a, b) => a - b);
      const furthest = distances[Math.min(most, vectors.length) - 1] ?? 0;
      const found = bits.nearest(bitsOf(asked), most);
      expect(new Set(found)).toEqual(new Set(vectors.flatMap((vector, at) => (away(vector) <= furthest ? [at + 1] : []))));
      expect(found.map((id) => away(vectors[id - 1] ?? asked))).toEqual(distances.slice(0, found.length));
    }),
    { numRuns: 50 },
  );
  expect(nearnessOf(Float32Array.from([1, 0]), Buffer.from([127, 0]), 4)).toBe(0.5);
});

test('[MEAN-6] put together, each text comes once, the same way every time, and what both find comes before what one finds as well', () => {
  const anyPositions = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 40 });
  fc.assert(
    fc.property(anyPositions, anyPositions, (words, near) => {
      const hits = words.map((position) => ({ position, sessionId: 's', agentId: null, score: 1 }));
      const nearest = near.map((position) => ({ position, sessionId: 's', agentId: null, near: 0.5, similarity: 0.5, passage: { from: 0, to: 1 } }));
      const all = fused(hits, nearest);
      expect(all.map(({ position }) => position).sort((a, b) => a - b)).toEqual([...new Set([...words, ...near])].sort((a, b) => a - b));
      expect(fused(hits, nearest)).toEqual(all);
      for (const { position, by } of all) expect(by).toBe(!words.includes(position) ? 'meaning' : near.includes(position) ? 'both' : 'words');
      expect(words[0] !== near[0] || all[0]?.position === words[0]).toBe(true);
    }),
  );
});

test('[MEAN-16] where no text has all words of a question, what answers a prompt has some of the rank that words give it', () => {
  const found = (position: number) => ({ position, sessionId: 's', agentId: null });
  const hits = [1, 2].map((position) => ({ ...found(position), score: 1 }));
  const near = (position: number, prompt: number | null) => ({ ...found(position), near: 0.5, similarity: 0.5, passage: { from: 0, to: 1 }, prompt });
  const order = (prompt: number | null, weight?: number) => fused(hits, [near(5, null), near(6, prompt)], weight).map(({ position }) => position);
  expect(order(1, 8)).toEqual([6, 5, 1, 2]);
  expect(order(null, 8)).toEqual([5, 6, 1, 2]);
  expect(order(1)).toEqual([1, 2, 5, 6]);
});

test('[MEAN-12] which prompt a reply answers does not depend on where the log is cut', () => {
  const anyTurn = fc.record({
    thread: fc.constantFrom('a', 'b', null),
    role: fc.constantFrom('prompt', 'reply', 'result', null),
  });
  fc.assert(
    fc.property(fc.array(anyTurn, { maxLength: 30 }), fc.nat(30), (drawn, cut) => {
      const turns: readonly Turn[] = drawn.map((turn, at) => ({ ...turn, position: at + 1 }));
      const whole = promptsOf(turns, new Map());
      const [before, after] = [turns.slice(0, cut), turns.slice(cut)];
      const asked = new Map(
        [...openThreads(after).keys()].flatMap((thread) => {
          const last = before.findLast((turn) => turn.thread === thread && turn.role === 'prompt');
          return last === undefined ? [] : [[thread, last.position] as const];
        }),
      );
      expect(new Map([...promptsOf(before, new Map()), ...promptsOf(after, asked)])).toEqual(whole);
    }),
  );
});

test('[MEAN-13] of two passages that are equally near the one that says more is nearer', () => {
  fc.assert(
    fc.property(anyVector, fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 500 }), (vector, few, more) => {
      const row = Buffer.from(Int8Array.from(vector).buffer);
      const [low, high] = [nearnessOf(vector, row, Math.min(few, more)), nearnessOf(vector, row, Math.max(few, more))];
      expect(low).toBeLessThanOrEqual(high);
    }),
    { numRuns: 50 },
  );
});

test('[MEAN-17] a second look moves nothing and takes nothing away, and reads no more than forty texts and the prompts they answer', async () => {
  const nearnesses = fc.array(fc.integer({ min: 2000, max: 10_000 }), { maxLength: 90 }).map((all) => all.toSorted((a, b) => b - a));
  await fc.assert(
    fc.asyncProperty(nearnesses, fc.func(fc.integer({ min: 0, max: 30 })), async (all, gain) => {
      const near = all.map((value, at) => ({
        position: 1000 - at,
        sessionId: 'weave',
        agentId: null,
        near: value / 1e4,
        similarity: similarityOf(value / 1e4),
        passage: { from: 2, to: 6 },
        prompt: at % 3 === 0 ? 2000 + at : null,
      }));
      const texts: string[] = [];
      const closeness = (written: string): number => {
        texts.push(written);
        return gain(written) / 100;
      };
      const looked = await lookedAt(near, { closeness, curve: CURVE }, (positions) => {
        expect(positions.length).toBeLessThanOrEqual(80);
        return Promise.resolve(new Map(positions.map((position) => [position, `..${position}..`])));
      });
      const said = ({ position, prompt }: (typeof near)[number]): string =>
        `${`${position}..`.slice(0, 4)}\n${prompt === null ? '' : `..${prompt}..`}`;
      expect(texts).toEqual(
        near
          .slice(0, 40)
          .filter((one) => one.near >= 0.3)
          .map(said),
      );
      expect(looked.map(({ position, near: one }) => [position, one])).toEqual(near.map(({ position, near: one }) => [position, one]));
      expect(looked.every(({ similarity }, at) => similarity >= (near[at]?.similarity ?? 2) && similarity <= 1)).toBe(true);
      expect(await lookedAt(near, { closeness: null, curve: CURVE }, () => Promise.reject(new Error('nobody asked')))).toEqual(near);
    }),
  );
});
