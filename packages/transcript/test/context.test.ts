import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CONTEXT_KINDS, contextOf, contextWindowOf, type ContextFill } from '../src/context.ts';
import type { JsonObject } from '../src/json.ts';
import { addFile, append, createSession, type Session } from '../src/session.ts';

type Spent = { readonly input: number; readonly read?: number; readonly output?: number };

/** A session, record by record; each is as long as it says. */
const write = () => {
  const session = createSession('s');
  const file = addFile(session, { path: 's.jsonl', agentId: null });
  let made = 0;
  const put = (record: JsonObject, length: number): string => {
    made += 1;
    const uuid = `u${made}`;
    append(session, file, { uuid, timestamp: '2026-01-01T00:00:00Z', ...record }, { line: made, part: 0, offset: made, length });
    return uuid;
  };
  return {
    session,
    asks: (length: number) => put({ type: 'user', message: { role: 'user', content: 'Weave' } }, length),
    says: (id: string, { input, read = 0, output = 10 }: Spent, length: number, ...uses: readonly JsonObject[]) =>
      put(
        {
          type: 'assistant',
          message: {
            id,
            role: 'assistant',
            model: 'claude-opus-4-5',
            content: uses.length > 0 ? [...uses] : [{ type: 'text', text: 'Yes' }],
            usage: Object.fromEntries([
              ['input_tokens', input],
              ['cache_read_input_tokens', read],
              ['output_tokens', output],
            ]),
          },
        },
        length,
      ),
    answers: (id: string, length: number) =>
      put(
        {
          type: 'user',
          message: {
            role: 'user',
            content: [
              Object.fromEntries([
                ['type', 'tool_result'],
                ['tool_use_id', id],
                ['content', 'x'],
              ]),
            ],
          },
        },
        length,
      ),
    compacts: (preTokens: number) => put({ type: 'system', subtype: 'compact_boundary', compactMetadata: { trigger: 'auto', preTokens } }, 600),
    sums: (length: number) => put({ type: 'user', isCompactSummary: true, message: { role: 'user', content: 'So far' } }, length),
  };
};
const use = (id: string, name: string): JsonObject => ({ type: 'tool_use', id, name, input: {} });
const context = (session: Session) => contextOf(session, session.main.nodes);
const sum = (fill: ContextFill): number => CONTEXT_KINDS.reduce((all, kind) => all + fill[kind], 0);

test('[CTX-1] each response tells how full the context was; cached tokens count, and the parts add up', () => {
  const one = write();
  one.asks(900);
  one.says('m1', { input: 100, read: 9900 }, 700, use('t1', 'Read'));
  one.answers('t1', 8500);
  one.says('m2', { input: 200, read: 12_000 }, 700);
  const { points, tools } = context(one.session);
  expect(points.map(({ tokens }) => tokens)).toEqual([10_000, 12_200]);
  expect(points[0]?.fill).toMatchObject({ start: 9900, prompts: 100, results: 0 });
  // 200 characters of a call beside 4,000 of what came back.
  expect(points[1]?.fill).toMatchObject({ start: 9900, prompts: 100 });
  expect(points[1]?.fill.results).toBeGreaterThan(1900);
  expect(tools.map(({ name }) => name)).toEqual(['Read']);
  expect(points.map(({ fill }) => sum(fill))).toEqual([10_000, 12_200]);
});

test('[CTX-1] one response is one point, however many records it has and whatever comes between them', () => {
  const one = write();
  one.asks(900);
  one.says('m1', { input: 5000 }, 700, use('t1', 'Read'));
  one.answers('t1', 2500);
  one.says('m1', { input: 5000 }, 700, use('t2', 'Bash'));
  one.answers('t2', 2500);
  one.says('m2', { input: 6000 }, 700);
  const { points, tools } = context(one.session);
  expect(points.map(({ tokens }) => tokens)).toEqual([5000, 6000]);
  expect(tools.map(({ name, tokens }) => [name, tokens > 300])).toEqual([
    ['Bash', true],
    ['Read', true],
  ]);
});

test('[CTX-2] a compaction says how full it was before and after; then the start is as long as it was', () => {
  const one = write();
  one.asks(900);
  one.says('m1', { input: 10_000 }, 4500);
  one.asks(900);
  one.says('m2', { input: 150_000 }, 4500);
  one.compacts(155_000);
  one.sums(8500);
  one.says('m3', { input: 15_900 }, 4500);
  const { points, compactions } = context(one.session);
  expect(compactions.map(({ trigger, before, after }) => [trigger, before, after])).toEqual([['auto', 155_000, 15_900]]);
  expect(points[2]?.fill).toMatchObject({ start: 9900, summary: 6000, replies: 0, prompts: 0 });
});

test('[CTX-1] what is dropped without a word shrinks everything but the start', () => {
  const one = write();
  one.asks(900);
  one.says('m1', { input: 10_000 }, 4500, use('t1', 'Read'));
  one.answers('t1', 40_500);
  one.says('m2', { input: 20_000 }, 4500);
  one.says('m3', { input: 12_000 }, 4500);
  const { points } = context(one.session);
  expect(Math.abs((points[2]?.fill.start ?? 0) - 9900)).toBeLessThanOrEqual(1);
  expect(sum(points[2]?.fill ?? points[0]?.fill ?? ({} as ContextFill))).toBe(12_000);
});

test('[CTX-1] whatever was said, the parts are never negative and add up to what the API counted', () => {
  const step = fc.record({
    what: fc.constantFrom('asks', 'says', 'uses', 'compacts', 'sums'),
    input: fc.integer({ min: 0, max: 300_000 }),
    length: fc.integer({ min: 0, max: 50_000 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const one = write();
      for (const [n, { what, input, length }] of steps.entries()) {
        if (what === 'asks') one.asks(length);
        else if (what === 'says') one.says(`m${n}`, { input }, length);
        else if (what === 'compacts') one.compacts(input);
        else if (what === 'sums') one.sums(length);
        else {
          one.says(`m${n}`, { input }, length, use(`t${n}`, 'Bash'));
          one.answers(`t${n}`, length);
        }
      }
      for (const { fill, tokens } of context(one.session).points) {
        expect(sum(fill)).toBe(tokens);
        expect(CONTEXT_KINDS.every((kind) => fill[kind] >= 0)).toBe(true);
      }
    }),
  );
});

test('[CTX-4] how much fits is told by the model, or by what it held before; of others nobody knows', () => {
  expect(contextWindowOf('claude-opus-4-5', 90_000)).toBe(200_000);
  expect(contextWindowOf('claude-sonnet-4-5[1m]', 90_000)).toBe(1_000_000);
  expect(contextWindowOf('claude-sonnet-4-5', 400_000)).toBe(1_000_000);
  expect(contextWindowOf('gpt-5', 400_000)).toBeNull();
  expect(contextWindowOf(null, 0)).toBeNull();
});
