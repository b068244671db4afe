import fc from 'fast-check';
import { expect, test } from 'vitest';
import { freshPages, type OperationPage, type Told } from '../../../src/features/sessions/operation-pages.ts';

const PAGE = 3;

/** Calls, each with or without its result. */
type Calls = readonly boolean[];

const asker = (calls: Calls) => {
  const asked: (string | null)[] = [];
  const ask = async (from: string | null): Promise<Told> => {
    asked.push(from);
    const start = Number(from ?? 0);
    const items = calls.slice(start, start + PAGE).map((isDone, n) => ({
      uuid: `u${start + n}`,
      ref: null,
      toolUseId: `t${start + n}`,
      name: 'Bash',
      summary: '',
      messageUuid: 'm',
      groupUuid: 'g',
      agentId: null,
      startedAt: null,
      endedAt: null,
      durationMs: null,
      isError: false,
      resultUuid: isDone ? `r${start + n}` : null,
    }));
    return { items, nextCursor: start + PAGE < calls.length ? String(start + PAGE) : null };
  };
  return { ask, asked };
};

const resultsIn = (pages: readonly OperationPage[]): readonly (string | null)[] =>
  pages.flatMap(({ told }) => told.items.map(({ resultUuid }) => resultUuid));
const calls = fc.array(fc.boolean(), { maxLength: 20 });

test('[PAGE-645] however a session grows, what is kept and what is loaded again are all of its calls', async () => {
  await fc.assert(
    fc.asyncProperty(calls, calls, async (first, more) => {
      const before = await freshPages(asker(first).ask, [], 1000);
      // Calls that ran get their result; new ones follow.
      const now = [...first.map(() => true), ...more];
      const { ask, asked } = asker(now);
      const after = await freshPages(ask, before, 1000);
      expect(resultsIn(after)).toEqual(now.map((isDone, n) => (isDone ? `r${n}` : null)));
      const unchanged = before.filter(({ told }) => told.nextCursor !== null && told.items.every(({ resultUuid }) => resultUuid !== null));
      for (const { from } of unchanged) expect(asked).not.toContain(from);
    }),
  );
});

test('[PAGE-645] if a page ends elsewhere than before, what was known behind it is loaded anew', async () => {
  const before = await freshPages(asker([true, true, true, true, true, true, true]).ask, [], 1000);
  const moved = before.map(({ from, told }, n) =>
    n === 0 ? { from, told: { ...told, items: told.items.map((one) => ({ ...one, resultUuid: null })), nextCursor: '2' } } : { from, told },
  );
  const { ask, asked } = asker([true, true, true, true, true, true, true]);
  expect(resultsIn(await freshPages(ask, moved, 1000))).toHaveLength(7);
  expect(asked).toEqual([null, '3', '6']);
});

test('[PAGE-645] no more than asked for', async () => {
  const { ask, asked } = asker(Array.from({ length: 20 }, () => true));
  expect(await freshPages(ask, [], 6)).toHaveLength(2);
  expect(asked).toEqual([null, '3']);
});
