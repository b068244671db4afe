import {
  addUsage,
  createGrowingSession,
  errorsIn,
  NO_USAGE,
  pricesOf,
  responseCost,
  responseCountedAt,
  sidechainsOf,
  type Dialects,
  type GrowingSession,
  type Node,
  type Session,
  type SessionOutline,
} from '@yarnboard/transcript';
import { INLINE, type Spent } from '@yarnboard/store';
import type { PendingSession } from '../ingest/ingest.ts';
import { outsideOf } from '../ingest/views.ts';
import type { ConversationRow } from './conversation-row.ts';
import type { CountedResponse, FlowRecords } from './flow-records.ts';
import { createPairs, type PairedOperation, type Pairs } from './pairs.ts';
import { createSessionFlows, type SessionFlows } from './session-flow.ts';
import { createOutline } from './session-outline.ts';
import { byNode, type SessionRecords } from './session-records.ts';

/** A record of a file in the form it will have in the library, except for its references. */
export type PendingRow = { readonly node: Node; readonly row: ConversationRow };

/** ING-8: a session that is not on the log yet, read from its files. */
export type PendingReading = {
  readonly session: Session;
  readonly flows: SessionFlows;
  readonly quarantined: number;
  /** All threads, in order of time. */
  readonly rows: readonly PendingRow[];
  /** Those of one thread; null if there is no such thread. */
  readonly thread: (name: string) => readonly PendingRow[] | null;
  readonly byUuid: ReadonlyMap<string, PendingRow>;
  readonly pairs: Pairs<Node>;
  readonly responseAt: (node: Node) => CountedResponse | null;
  readonly records: FlowRecords;
  readonly outline: () => SessionOutline;
  readonly grown: GrowingSession;
  readonly position: null;
};

/** Changes whenever the files do. */
export const stampOf = ({ group }: PendingSession): string =>
  JSON.stringify([
    group.sessionId,
    group.files.map(({ path }) => {
      const found = outsideOf(path);
      return [path, found?.size ?? 0, found?.mtimeMs ?? 0, found?.ino ?? 0];
    }),
  ]);

/** Answers queries about a pending session whose records were read. */
export const pendingReading = (
  { outline }: PendingSession,
  session: Session,
  { records }: Pick<SessionRecords, 'records'>,
  quarantined: number,
  dialects: Dialects,
): PendingReading => {
  const prices = pricesOf(dialects);
  const grown = createGrowingSession(session);
  const rows = rowsOf(session, Number.isFinite(outline.firstAt) ? outline.firstAt : null);
  const byUuid = new Map(rows.map((one) => [one.row.uuid, one]));
  const responseAt: PendingReading['responseAt'] = (node) => {
    const response = responseCountedAt(session.responses, node);
    if (response === null) return null;
    const cost = responseCost(prices, response);
    return { usage: response.usage, costNano: cost === null ? null : Math.round(cost * 1e9) };
  };
  return {
    session,
    flows: createSessionFlows(session, {}, grown),
    outline: createOutline(session, grown),
    grown,
    quarantined,
    rows,
    thread: (name) => {
      const own = name === 'all' ? rows : rows.filter(({ row }) => (row.agentId ?? 'main') === name);
      return own.length > 0 || name === 'all' || name === 'main' ? own : strandOf(session, name, rows);
    },
    byUuid,
    pairs: createPairs(operationsOf(rows), ({ uuid }) => uuid),
    responseAt,
    position: null,
    records: {
      records,
      rows: async (nodes) => byNode(nodes, ({ uuid }) => byUuid.get(uuid)?.row),
      responses: async (nodes) => byNode(nodes, responseAt),
    },
  };
};

/** The cost of some of its records. */
export const spentAt = (responseAt: (node: Node) => CountedResponse | null | undefined, nodes: Iterable<Node>): Spent => {
  const spent = { responses: 0, usage: NO_USAGE, costNano: 0, unpriced: 0 };
  for (const node of nodes) {
    const response = responseAt(node);
    if (response == null) continue;
    spent.responses += 1;
    spent.usage = addUsage(spent.usage, response.usage);
    spent.costNano += response.costNano ?? 0;
    if (response.costNano === null) spent.unpriced += 1;
  }
  return spent;
};

const strandOf = (session: Session, id: string, rows: readonly PendingRow[]): readonly PendingRow[] | null => {
  const strand = sidechainsOf(session).find((sidechain) => sidechain.id === id);
  if (strand === undefined) return null;
  const nodes = new Set(strand.nodes);
  return rows.filter(({ node }) => nodes.has(node));
};

// A record without a time gets the time of the one before it in its file.
const rowsOf = (session: Session, firstAt: number | null): readonly PendingRow[] => {
  const said = new Map<number, number>();
  return [...session.graph.nodes.values()].map((node) => {
    const at = Number.isFinite(node.entry.at) ? node.entry.at : (said.get(node.file) ?? firstAt);
    if (at !== null) said.set(node.file, at);
    return { node, row: rowOf(session.id, node, at) };
  });
};

const rowOf = (sessionId: string, node: Node, at: number | null): ConversationRow => {
  const { entry, thread } = node;
  return {
    position: null,
    sessionId,
    agentId: thread.kind === 'inline' ? INLINE : thread.agentId,
    uuid: node.uuid,
    parentUuid: entry.parentUuid ?? null,
    type: entry.type,
    role: entry.role,
    at,
    isSidechain: entry.isSidechain,
    isError: errorsIn(entry) > 0,
    model: entry.model,
    ref: null,
    exchange: null,
    copyOf: null,
  };
};

function* operationsOf(rows: readonly PendingRow[]): Generator<PairedOperation<Node>> {
  for (const { node } of rows) {
    for (const [index, { id }] of node.entry.uses.entries()) yield { record: node, index, kind: 'use', toolUseId: id, answer: null };
    for (const [index, { toolUseId, answer }] of node.entry.results.entries()) yield { record: node, index, kind: 'result', toolUseId, answer };
  }
}
