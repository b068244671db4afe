import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { embed, parseEmbedding, shareSaidOf } from '../../src/index.ts';

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const bytes = readFileSync(new URL('../../embedding/embedding.bin', import.meta.url));
const parsed = parseEmbedding(bytes, decode);
const embedding = parsed ?? expect.fail('the embedding that is shipped cannot be read');
type Golden = { readonly text: string; readonly vector8: readonly number[] };
const golden = JSON.parse(readFileSync(new URL('golden.json', import.meta.url), 'utf8')) as readonly Golden[]; // our own file

test('[MEAN-1] every golden text has its golden vector', () => {
  expect(golden.length).toBeGreaterThan(40);
  for (const { text, vector8 } of golden) {
    const vector = embed(embedding, text);
    expect([text, vector8.every((value, at) => Math.abs(value - (vector[at] ?? Number.NaN)) <= 2e-5)]).toEqual([text, true]);
  }
});

test('[MEAN-1] any text has a vector of unit length or none at all, always the same', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string(), fc.lorem()), (text) => {
      const vector = embed(embedding, text);
      const length = Math.hypot(...vector);
      expect([vector.length, length === 0 || Math.abs(length - 1) < 1e-4]).toEqual([256, true]);
      expect(Buffer.compare(Buffer.from(embed(embedding, text).buffer), Buffer.from(vector.buffer))).toBe(0);
    }),
  );
});

test('[MEAN-1] what is about the same thing is nearer than what is not', () => {
  const near = (a: string, b: string): number => embed(embedding, a).reduce((sum, value, at) => sum + value * (embed(embedding, b)[at] ?? 0), 0);
  expect(near('login problems', 'authentication failures')).toBeGreaterThan(near('login problems', 'the colour of the button'));
});

test('[MEAN-1] a file that is cut off, of another kind or of another version is no embedding', () => {
  const other = Uint8Array.from(bytes);
  other[4] = 9;
  for (const wrong of [new Uint8Array(0), bytes.subarray(0, 20), bytes.subarray(0, -1), new Uint8Array(100), other])
    expect(parseEmbedding(wrong, decode)).toBeNull();
});

test('[MEAN-17] a text says all of what it repeats, more of a question than one about something else, and never less for saying more', () => {
  const said = (question: string, text: string): number => shareSaidOf(embedding, question)(text);
  expect(said('why do sessions expire', 'Sessions expire early. Why do they?')).toBeGreaterThan(
    said('why do sessions expire', 'The button is blue now'),
  );
  expect(said('登录失败', '昨天登录失败了')).toBe(1);
  expect([said('', 'anything'), said('!?', 'anything'), said('anything', '')]).toEqual([0, 0, 0]);
  fc.assert(
    fc.property(fc.lorem({ maxCount: 8 }), fc.lorem({ maxCount: 20 }), fc.lorem({ maxCount: 20 }), (question, text, more) => {
      const share = shareSaidOf(embedding, question);
      const [some, rather] = [share(text), share(`${text} ${more}`)];
      expect([some >= 0, rather >= some - 1e-6, rather <= 1 + 1e-6, share(`${more} ${question}`) > 1 - 1e-6]).toEqual([true, true, true, true]);
      // What was asked before changes nothing.
      expect(share(text)).toBe(said(question, text));
    }),
  );
});
