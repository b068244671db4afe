// @vitest-environment happy-dom
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { foldTree } from '../../../src/features/graph/folding.ts';
import { readFacts, readNodes } from '../../../src/features/graph/session-source.ts';
import { MAIN, type TreeNode } from '../../../src/features/graph/session-tree.ts';
import { openTestPage, type TestPage } from '../../test-page.tsx';

let page: TestPage;
beforeAll(async () => {
  page = await openTestPage({ roots: [join(import.meta.dirname, '../../../../../fixtures/claude-code')] });
});
afterAll(() => page.close());

const foldedOf = async (id: string): Promise<ReturnType<typeof foldTree>> => {
  const nodes: TreeNode[] = [];
  await readNodes(page.live.ask, id, undefined, { onPage: (more) => nodes.push(...more), signal: new AbortController().signal });
  return foldTree({ nodes, ...(await readFacts(page.live.ask, id, new Map())) });
};

/** Every record that the conversation shows, by its uuid. */
const shownOf = async (id: string): Promise<ReadonlySet<string>> => {
  const shown = new Set<string>();
  for (let from = 0; ;) {
    const { items, total } = await page.live.ask('conversation', { id, from, limit: 200 });
    for (const { kind, uuids } of items) if (kind !== 'resumption') for (const uuid of uuids) shown.add(uuid);
    from += items.length;
    if (items.length === 0 || from >= (total ?? 0)) return shown;
  }
};

// These have a step wherever they are on the path; the others may be in none.
const ALWAYS_SHOWN: ReadonlySet<string> = new Set(['prompt', 'reply', 'command', 'bash', 'memory', 'interruption', 'boundary', 'summary']);

test('[PAGE-70] in every session the graph has on the active path what the conversation shows, and ends where that ends', async () => {
  const sessions: string[] = [];
  for (let cursor: string | undefined; ;) {
    const { items, nextCursor } = await page.live.ask('sessions', { limit: 200, cursor });
    sessions.push(...items.map(({ sessionId }) => sessionId));
    if (nextCursor === null) break;
    cursor = nextCursor;
  }
  expect(sessions.length).toBeGreaterThan(20);
  for (const id of sessions) {
    const { linked, leaf } = await foldedOf(id);
    const shown = await shownOf(id);
    const main = linked.nodes.map((node, i) => ({ ...node, i })).filter(({ i }) => linked.threadOf[i] === MAIN);
    const wanted = main.filter(({ uuid, role }) => shown.has(uuid) && ALWAYS_SHOWN.has(role)).map(({ uuid }) => uuid);
    const active = main.filter(({ i, role }) => linked.isActive[i] === 1 && ALWAYS_SHOWN.has(role)).map(({ uuid }) => uuid);
    expect({ id, active }).toEqual({ id, active: wanted });
    const unmarked = main.filter(({ i, uuid }) => shown.has(uuid) && linked.isActive[i] === 0).map(({ uuid }) => uuid);
    expect({ id, unmarked }).toEqual({ id, unmarked: [] });
    const roots = main.filter(({ i }) => (linked.up[i] ?? -1) < 0).length;
    expect({ id, isEndShown: leaf < 0 ? shown.size === 0 : shown.has(linked.nodes[leaf]?.uuid ?? ''), hasRoots: roots > 0 }).toEqual({
      id,
      isEndShown: true,
      hasRoots: main.length > 0,
    });
  }
});
