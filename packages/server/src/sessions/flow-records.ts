import { recordOf, type Store } from '@yarnboard/store';
import { saidAt, type JsonObject, type Node, type Usage } from '@yarnboard/transcript';
import { rowFrom } from './logged-conversation.ts';
import type { ConversationRow } from './message-view.ts';
import type { PendingReading } from './pending-reading.ts';
import type { FlowFacts } from './session-flow.ts';

/** What is read of the records on a page, wherever they are. */
export type FlowRecords = {
  readonly rows: (nodes: readonly Node[]) => Promise<ReadonlyMap<Node, ConversationRow>>;
  /** Without those whose words are gone. */
  readonly records: (nodes: readonly Node[]) => Promise<ReadonlyMap<Node, JsonObject>>;
  readonly responses: (nodes: readonly Node[]) => Promise<readonly { readonly usage: Usage; readonly costNano: number | null }[]>;
};

/** Records of the log; a node's offset is its position there. */
export const loggedRecords = ({ log, library }: Store): FlowRecords => ({
  rows: async (nodes) => {
    const rows = await Promise.all(nodes.map(async (node) => ({ node, row: await library.messageAt(positionOf(node)) })));
    const shown = await Promise.all(
      rows.map(async ({ node, row }) => (row === null ? [] : [[node, ownRow(node, await rowFrom(library, row))] as const])),
    );
    return new Map(shown.flat());
  },
  records: async (nodes) => {
    const payloads = await log.payloadsOf(nodes.map(positionOf).toSorted((a, b) => a - b));
    return new Map(
      nodes.flatMap((node) => {
        const record = saidAt(node, recordOf({ note: null }, payloads.get(positionOf(node)) ?? null));
        return record === null ? [] : [[node, record] as const];
      }),
    );
  },
  responses: async (nodes) => [...(await library.responsesAt(nodes.map(countedAt))).values()],
});

/** What the log knows of the records of a session. */
export const loggedFacts = ({ library }: Pick<Store, 'library'>, sessionId: string): FlowFacts => ({
  isCopied: async (node) => {
    const source = (await library.messageAt(positionOf(node)))?.copyOf ?? null;
    return source !== null && (await library.messageAt(source))?.sessionId !== sessionId;
  },
  isGone: ({ entry }) => entry.place.length === 0,
});

export const pendingRecords = (reading: PendingReading): FlowRecords => ({
  rows: async (nodes) =>
    new Map(
      nodes.flatMap((node) => {
        const known = reading.byUuid.get(node.uuid);
        return known === undefined ? [] : [[node, known.row] as const];
      }),
    ),
  records: async (nodes) => {
    const records = reading.recordsOf(nodes);
    return new Map(
      nodes.flatMap((node, i) => {
        const record = records[i] ?? null;
        return record === null ? [] : [[node, record] as const];
      }),
    );
  },
  responses: async (nodes) => nodes.flatMap((node) => reading.responseAt(node) ?? []),
});

// What a progress record tells of a sub-agent has no row of its own.
const ownRow = ({ index, uuid, entry }: Node, row: ConversationRow): ConversationRow =>
  index !== -1 ? row : { ...row, uuid, agentId: entry.agentId, type: entry.type, role: entry.role, at: entry.at, ref: null, exchange: null };

// Where the library counts the response of a node: at its entry, or behind zero for what is only told (LIB-14).
const countedAt = (node: Node): number => (node.index === -1 ? -positionOf(node) : positionOf(node));

const positionOf = ({ entry }: Node): number => entry.place.offset;
