import type { Store } from '@yarnboard/store';
import type { Node, Usage } from '@yarnboard/transcript';
import { rowFrom, type ConversationRow } from './conversation-row.ts';
import { logRecords, positionOf } from './log-records.ts';
import type { FlowFacts } from './session-flow.ts';
import { byNode, type SessionRecords } from './session-records.ts';

export type CountedResponse = { readonly usage: Usage; readonly costNano: number | null };

/** What a page shows of records: their content and the library's data about them. */
export type FlowRecords = Pick<SessionRecords, 'records'> & {
  readonly rows: (nodes: readonly Node[]) => Promise<ReadonlyMap<Node, ConversationRow>>;
  /** The responses counted at these nodes. */
  readonly responses: (nodes: readonly Node[]) => Promise<ReadonlyMap<Node, CountedResponse>>;
};

export const loggedFlow = ({ log, library }: Pick<Store, 'log' | 'library'>, sessionId: string): FlowRecords => ({
  records: logRecords(log, sessionId).records,
  rows: async (nodes) => {
    const found = [...(await library.messagesAt(nodes.map(positionOf))).values()];
    const rows = new Map(await Promise.all(found.map(async (row) => [row.position, await rowFrom(library, row)] as const)));
    return byNode(nodes, (node) => {
      const row = rows.get(positionOf(node));
      return row === undefined ? null : ownRow(node, row);
    });
  },
  responses: async (nodes) => {
    const found = await library.responsesAt(nodes.map(countedAt));
    return byNode(nodes, (node) => found.get(countedAt(node)));
  },
});

/** The log's facts about a session's records. */
export const loggedFacts = ({ library }: Pick<Store, 'library'>, sessionId: string): FlowFacts => ({
  isCopied: async (node) => {
    const source = (await library.messageAt(positionOf(node)))?.copyOf ?? null;
    return source !== null && (await library.messageAt(source))?.sessionId !== sessionId;
  },
  isGone: ({ entry }) => entry.place.length === 0,
});

// A sub-agent's message that a progress record reports has no row of its own.
const ownRow = ({ index, uuid, entry }: Node, row: ConversationRow): ConversationRow =>
  index !== -1 ? row : { ...row, uuid, agentId: entry.agentId, type: entry.type, role: entry.role, at: entry.at, ref: null, exchange: null };

// Where the library counts the response of a node: at its entry, or at a negative position for a reported one (LIB-14).
const countedAt = (node: Node): number => (node.index === -1 ? -positionOf(node) : positionOf(node));
