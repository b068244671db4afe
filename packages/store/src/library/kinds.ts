import type { Entry } from '@yarnboard/domain';
import { readMeta, type AgentMeta, type Entry as Reading } from '@yarnboard/transcript';
import { contextOf } from './draft.ts';
import { recordOf } from './reading.ts';
import type { AgentCallRow, AgentKindRow } from './rows.ts';

/** How spending names the main thread, and a sub-agent of unknown kind. */
export const MAIN = 'main';
export const SUB_AGENT = 'sub-agent';

/** The kinds that a record reveals: its calls to sub-agents. */
export const kindsIn = ({ position, sessionId }: Entry, { uses }: Reading): readonly AgentKindRow[] =>
  uses.flatMap(({ id, call }, index) => {
    const kind = call?.agent ?? null;
    return isKind(kind) ? [{ sessionId, position, index, agentId: null, toolUseId: id, kind }] : [];
  });

/** Which sub-agents belong to which calls, by the ids in a record. Prompts are not compared, since equal ones couldn't be told apart. */
export const callsIn = ({ sessionId, contextId }: Entry, reading: Reading): readonly AgentCallRow[] => {
  if (reading.results.length === 0 && reading.more === null) return NONE;
  const { notice, parentToolUseId } = reading.more ?? NO_DETAILS;
  const own = contextOf(contextId).agentId ?? (reading.isSidechain ? reading.agentId : null);
  const pairs = [...reading.results, ...(notice === null ? NONE : [notice]), { agentId: own, toolUseId: parentToolUseId }];
  return pairs.flatMap(({ agentId, toolUseId }) =>
    agentId === null || toolUseId === null || toolUseId === '' ? [] : [{ sessionId, agentId, toolUseId }],
  );
};

/** The contents of a sub-agent's meta file, if the companion is one. */
export const agentMetaIn = (name: string, bytes: Uint8Array | null): { readonly agentId: string; readonly meta: AgentMeta } | null => {
  const agentId = bytes === null ? undefined : /(?:^|\/)agent-(.+)\.meta\.json$/u.exec(name)?.[1];
  const meta = agentId === undefined ? null : readMeta(recordOf({ note: null }, bytes) ?? undefined);
  return agentId === undefined || meta === null ? null : { agentId, meta };
};

/** The kinds and calls it reveals. */
export const metaIn = (
  { position, sessionId, note }: Entry,
  payload: Uint8Array | null,
): { readonly kinds: readonly AgentKindRow[]; readonly calls: readonly AgentCallRow[] } => {
  const found = agentMetaIn(note ?? '', payload);
  if (found === null) return NOTHING;
  const { agentId, meta } = found;
  const { agentType: kind, toolUseId } = meta;
  return {
    kinds: isKind(kind) ? [{ sessionId, position, index: 0, agentId, toolUseId: null, kind }] : NONE,
    calls: toolUseId === null || toolUseId === '' ? NONE : [{ sessionId, agentId, toolUseId }],
  };
};

/**
 * The kind of each sub-agent, queried the same way in both databases: the one its first call asked for, else the one in its newest meta file
 * (SIDE-9). It is resolved on demand, since the call, its result, the meta file and the sub-agent's own lines arrive in any order.
 */
export const KINDS_OF_AGENTS = `SELECT session, agent, kind FROM (
    SELECT session, agent, kind, row_number() OVER (PARTITION BY session, agent ORDER BY source, place, nth) AS rank FROM (
      SELECT c.session, c.agent, k.kind, 0 AS source, k.position AS place, k.nth
        FROM calls c JOIN kinds k ON k.tool_use_id = c.tool_use_id AND k.session = c.session
      UNION ALL SELECT session, agent, kind, 1, -position, nth FROM kinds WHERE agent IS NOT NULL
    ) told
  ) ranked WHERE rank = 1`;

// A kind with the main thread's name must not be counted as the main thread.
const isKind = (kind: string | null): kind is string => kind !== null && kind.trim() !== '' && kind !== MAIN;

const NONE: readonly never[] = [];
const NOTHING = { kinds: NONE, calls: NONE } as const;
const NO_DETAILS = { notice: null, parentToolUseId: null } as const;
