import { expect, test } from 'vitest';
import { indexLag } from '../../src/followers/index-lag.ts';

const openLag = () => {
  const state = { count: 0, indexed: 0, isImporting: false, now: 0 };
  let told: string | null = null;
  const follower = indexLag({
    lag: async () => state,
    isImporting: () => state.isImporting,
    now: () => state.now,
    tell: (why) => {
      told = why;
    },
  });
  return {
    /** A look, so many seconds after the last one. */
    look: async (seconds: number, more: Partial<typeof state>): Promise<string | null> => {
      Object.assign(state, more);
      state.now += seconds * 1000;
      await follower.pass(new AbortController().signal);
      return told;
    },
  };
};

test('[REC-83] an index that is far behind for a minute and comes no closer is reported, until it catches up', async () => {
  const { look } = openLag();
  expect(await look(0, { count: 20_000, indexed: 5000 })).toBeNull();
  expect(await look(30, { count: 21_000 })).toBeNull();
  expect(await look(30, { count: 22_000 })).toBe('search is 17000 entries behind the log, and comes no closer');
  expect(await look(5, { indexed: 22_000 })).toBeNull();
});

test('[REC-83] one that comes closer, is not far behind, or behind an import, is left alone', async () => {
  const closer = openLag();
  for (let indexed = 0; indexed < 50_000; indexed += 1000) expect(await closer.look(30, { count: 100_000, indexed })).toBeNull();
  const near = openLag();
  for (let i = 0; i < 10; i += 1) expect(await near.look(60, { count: 10_000, indexed: 0 })).toBeNull();
  const importing = openLag();
  for (let i = 0; i < 10; i += 1) expect(await importing.look(60, { count: 1_000_000, indexed: 0, isImporting: true })).toBeNull();
  expect(await importing.look(60, { isImporting: false })).toBeNull();
  expect(await importing.look(60, {})).not.toBeNull();
});
