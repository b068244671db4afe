import { closeSync, openSync, readSync, statSync } from 'node:fs';
import {
  addUsage,
  DIALECTS,
  errorsIn,
  NO_USAGE,
  pricesOf,
  recordsIn,
  responseCost,
  responseCountedAt,
  saidAt,
  sidechainsOf,
  type Dialects,
  type JsonObject,
  type Node,
  type Session,
  type Usage,
} from '@yarnboard/transcript';
import { recordOf, type Spent } from '@yarnboard/store';
import { readGroup } from '../ingest/group.ts';
import type { PendingSession } from '../ingest/ingest.ts';
import type { Group } from '../ingest/plan.ts';
import type { ConversationRow } from './message-view.ts';
import { createPairs, type PairedOperation, type Pairs } from './pairs.ts';
import { createSessionFlows, type SessionFlows } from './session-flow.ts';

/** A record of a file, as it will stand in the library but for its references. */
export type PendingRow = { readonly node: Node; readonly row: ConversationRow };

/** ING-8: a session that is not on the log yet, as its files tell it. */
export type PendingReading = {
  readonly session: Session;
  readonly flows: SessionFlows;
  readonly quarantined: number;
  /** All threads, in order of time. */
  readonly rows: readonly PendingRow[];
  /** Those of one thread; null when there is none of that name. */
  readonly thread: (name: string) => readonly PendingRow[] | null;
  readonly byUuid: ReadonlyMap<string, PendingRow>;
  readonly pairs: Pairs<Node>;
  readonly responseAt: (node: Node) => { readonly usage: Usage; readonly costNano: number | null; readonly model: string | null } | null;
  /** The records themselves, read from their places. */
  readonly recordsOf: (nodes: readonly Node[]) => readonly (JsonObject | null)[];
};

/** Changes whenever the files do. */
export const stampOf = ({ group }: PendingSession): string =>
  JSON.stringify([
    group.sessionId,
    group.files.map(({ path }) => {
      const found = statSync(path, { throwIfNoEntry: false });
      return [path, found?.size ?? 0, found?.mtimeMs ?? 0, found?.ino ?? 0];
    }),
  ]);

export const readPending = ({ group, outline }: PendingSession, dialects: Dialects = DIALECTS): PendingReading => {
  const { session, counts } = readGroup(group, { dialects });
  const prices = pricesOf(dialects);
  const rows = rowsOf(session, Number.isFinite(outline.firstAt) ? outline.firstAt : null);
  const byThread = new Map<string, PendingRow[]>([['main', []]]);
  for (const one of rows) {
    const name = one.row.agentId ?? 'main';
    const thread = byThread.get(name);
    if (thread === undefined) byThread.set(name, [one]);
    else thread.push(one);
  }
  return {
    session,
    flows: createSessionFlows(session),
    quarantined: counts.quarantined,
    rows,
    thread: (name) => (name === 'all' ? rows : (byThread.get(name) ?? strandOf(session, name, rows))),
    byUuid: new Map(rows.map((one) => [one.row.uuid, one])),
    pairs: createPairs(operationsOf(rows), ({ uuid }) => uuid),
    responseAt: (node) => {
      const response = responseCountedAt(session.responses, node);
      if (response === null) return null;
      const cost = responseCost(prices, response);
      return { usage: response.usage, model: response.model, costNano: cost === null ? null : Math.round(cost * 1e9) };
    },
    recordsOf: (nodes) => recordsAt(session, nodes, group, dialects),
  };
};

/** What some records of it cost. */
export const spentAt = (reading: Pick<PendingReading, 'responseAt'>, nodes: Iterable<Node>): Spent => {
  const spent = { responses: 0, usage: NO_USAGE, costNano: 0, unpriced: 0 };
  for (const node of nodes) {
    const response = reading.responseAt(node);
    if (response === null) continue;
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

// In the order of import: every file in its own order, all of them by time; a record that does not tell its time was said when the one before it was.
const rowsOf = (session: Session, firstAt: number | null): readonly PendingRow[] => {
  const latest = new Map<number, { said: number; at: number }>();
  const keyed = [...session.graph.nodes.values()].map((node) => {
    const before = latest.get(node.file) ?? { said: firstAt ?? Number.NaN, at: Number.NEGATIVE_INFINITY };
    const said = Number.isFinite(node.entry.at) ? node.entry.at : before.said;
    const at = Math.max(before.at, Number.isFinite(said) ? said : before.at);
    latest.set(node.file, { said, at });
    return { at, node, row: rowOf(session.id, node, Number.isFinite(said) ? said : null) };
  });
  return keyed.sort((a, b) => a.at - b.at || a.node.index - b.node.index);
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

const recordsAt = (session: Session, nodes: readonly Node[], { sessionId, files }: Group, dialects: Dialects): readonly (JsonObject | null)[] => {
  const open = new Map<string, number>();
  try {
    return nodes.map((node) => {
      const path = session.files[node.file]?.path ?? '';
      const descriptor = open.get(path) ?? openSync(path, 'r');
      open.set(path, descriptor);
      const { offset, length } = node.entry.place;
      const buffer = Buffer.allocUnsafe(length);
      const value = recordOf({ note: null }, buffer.subarray(0, readSync(descriptor, buffer, 0, length, offset)));
      const { dialect = '', agentId = null } = files.find((file) => file.path === path) ?? {};
      return value === null ? null : saidAt(node, recordsIn(dialects, dialect, { sessionId, agentId })(value, node.entry.place));
    });
  } finally {
    for (const descriptor of open.values()) closeSync(descriptor);
  }
};

/** How the library calls sub-agents that were written into the main file without an id. */
const INLINE = 'inline';
