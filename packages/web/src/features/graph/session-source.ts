import type { InsideOutput } from '@yarnboard/protocol';
import type { Live } from '../../live/live.ts';
import type { SessionTree, Sidechain, TreeNode, BranchPoint } from './session-tree.ts';

type Ask = Live['ask'];

/** Reads a session's nodes page by page, or from a cursor on. Returns the cursor to continue from. */
export const readNodes = async (
  ask: Ask,
  id: string,
  from: string | undefined,
  { onPage, signal }: { readonly onPage: (nodes: readonly TreeNode[], isLast: boolean) => void; readonly signal: AbortSignal },
): Promise<string | undefined> => {
  let cursor = from;
  let page = ask('tree', { id, limit: PAGE, cursor });
  for (;;) {
    const { items, nextCursor } = await page;
    if (signal.aborted) return cursor;
    // Requested before this page is processed, so that the server reads the next one meanwhile.
    if (nextCursor !== null) page = ask('tree', { id, limit: PAGE, cursor: nextCursor });
    onPage(items, nextCursor === null);
    if (nextCursor === null) return cursor;
    cursor = nextCursor;
  }
};

/** What the server knows of the whole session: its branches, its sub-agents and the records that called them. */
export const readFacts = async (ask: Ask, id: string, known: ReadonlyMap<string, string>): Promise<Omit<SessionTree, 'nodes'>> => {
  const [session, sidechains, branches] = await Promise.all([
    ask('session', { id, trail: 'true' }),
    allPages<Sidechain>((cursor) => ask('sidechains', { id, limit: PAGE, cursor })),
    allPages<BranchPoint>((cursor) => ask('branches', { id, limit: PAGE, cursor })),
  ]);
  return {
    sidechains: sidechains.map(({ agent, agentId, toolUseIds, parentAgentId, messages, toolUses, state }) => ({
      agent,
      agentId,
      toolUseIds,
      parentAgentId,
      messages,
      toolUses,
      state,
    })),
    branches,
    calls: await readCalls(ask, id, sidechains, known),
    leafUuid: session.activePath.leafUuid,
    trail: trailIn(session),
  };
};

const trailIn = ({ trail }: InsideOutput<'session'>): SessionTree['trail'] =>
  trail === null ? null : { joins: new Map(trail.joins.map(({ uuid, afterUuid }) => [uuid, afterUuid])), turns: new Set(trail.turns) };

/** Finds the record that holds each sub-agent's call. It skips calls that are known and reads operations until all are found. */
const readCalls = async (
  ask: Ask,
  id: string,
  sidechains: readonly Sidechain[],
  known: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> => {
  const wanted = new Set(sidechains.flatMap(({ toolUseIds }) => toolUseIds).filter((one) => !known.has(one)));
  const calls = new Map(known);
  let cursor: string | undefined;
  while (wanted.size > 0) {
    const { items, nextCursor } = await ask('operations', { id, limit: PAGE, cursor });
    for (const { toolUseId, messageUuid } of items) if (wanted.delete(toolUseId)) calls.set(toolUseId, messageUuid);
    if (nextCursor === null) break;
    cursor = nextCursor;
  }
  return calls;
};

const allPages = async <T>(
  ask: (cursor: string | undefined) => Promise<{ readonly items: readonly T[]; readonly nextCursor: string | null }>,
): Promise<readonly T[]> => {
  const all: T[] = [];
  let cursor: string | undefined;
  for (;;) {
    const { items, nextCursor } = await ask(cursor);
    all.push(...items);
    if (nextCursor === null) return all;
    cursor = nextCursor;
  }
};

const PAGE = 500;
