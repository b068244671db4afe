import { ENTRY_TYPES, isTranscript, type Entry } from '@yarnboard/domain';
import {
  addUsage,
  chargeFor,
  errorsIn,
  isMessage,
  isRequest,
  NO_USAGE,
  priceOf,
  totalTokens,
  type Billing,
  type Entry as Reading,
  type PriceTable,
  type Usage,
} from '@yarnboard/transcript';
import { agentOf, contextOf } from './draft.ts';
import { callsIn, kindsIn, metaIn } from './kinds.ts';
import { touchesIn } from './touches.ts';
import { IN_TOOL } from './rows.ts';
import type {
  AgentCallRow,
  AgentDelta,
  AgentKindRow,
  LibraryChanges,
  LinkDelta,
  MessageRow,
  OperationRow,
  ResponseRow,
  SessionDelta,
  Spent,
  SummaryRow,
  TouchRow,
} from './rows.ts';

/** The input of the fold: an entry, its parsed record, the original's session if it is a copy, and its bytes unless they were forgotten. */
export type Folded = {
  readonly entry: Entry;
  readonly reading: Reading | null;
  readonly copySessionId: string | null;
  readonly payload: Uint8Array | null;
};

export type Fold = {
  readonly add: (folded: Folded) => void;
  /** The responses that must be loaded before the batch can be settled. */
  readonly wanted: () => readonly WantedResponse[];
  /** The changes made by the batch. */
  readonly settle: (known: readonly KnownResponses[]) => LibraryChanges;
};

export type WantedResponse = { readonly messageId: string; readonly requestIds: readonly string[] };

/**
 * What the library has counted under an API message's id: the first response, those with a wanted request id, and the next free ordinal. Not all of
 * them: an endpoint that gives every message the same id has a hundred thousand.
 */
export type KnownResponses = { readonly messageId: string; readonly rows: readonly ResponseRow[]; readonly next: number };

/**
 * LIB-1: the library as a fold over the log, one batch at a time. It is pure: both databases write the same rows because both use it, and a rebuild
 * asks the same questions in the same order.
 */
export const createFold = (prices: PriceTable): Fold => {
  const messages: MessageRow[] = [];
  const operations: OperationRow[] = [];
  const summaries: SummaryRow[] = [];
  const sessions = new Map<string, Mutable<SessionDelta>>();
  const agents = new Map<string, Mutable<AgentDelta>>();
  const links = new Map<string, Mutable<LinkDelta>>();
  const kinds: AgentKindRow[] = [];
  const calls = new Map<string, AgentCallRow>();
  const touches: TouchRow[] = [];
  const fresh: { readonly row: Omit<ResponseRow, 'ordinal' | 'costNano'>; readonly billing: Billing | null; readonly ownCost: number | null }[] = [];

  const sessionFor = (sessionId: string, position: number): Mutable<SessionDelta> => {
    const known = sessions.get(sessionId);
    if (known !== undefined) return known;
    const made = { ...NO_SESSION, sessionId, firstPosition: position, lastPosition: position, versions: [], models: [] };
    sessions.set(sessionId, made);
    return made;
  };

  // The session that had the response first pays for it, even if a larger copy appears elsewhere; the copy's position doesn't belong to the payer.
  const payerFor = (sessionId: string, position: number): Mutable<SessionDelta> => {
    const known = sessions.get(sessionId);
    if (known !== undefined) return known;
    const made = sessionFor(sessionId, position);
    made.lastPosition = 0;
    return made;
  };

  const agentFor = (sessionId: string, agentId: string, position: number): Mutable<AgentDelta> => {
    const key = `${sessionId}/${agentId}`;
    const known = agents.get(key);
    if (known !== undefined) return known;
    const made = { ...NO_AGENT, sessionId, agentId, firstPosition: position };
    agents.set(key, made);
    return made;
  };

  const link = (sessionId: string, sourceId: string, by: LinkDelta['by']): void => {
    if (sessionId === sourceId) return;
    const key = `${sessionId}|${sourceId}|${by}`;
    const known = links.get(key);
    if (known === undefined) links.set(key, { sessionId, sourceId, by, shared: 1 });
    else known.shared += 1;
  };

  // A working sub-agent repeats the name of its call again and again.
  const addCalls = (rows: readonly AgentCallRow[]): void => {
    for (const row of rows) calls.set(JSON.stringify([row.sessionId, row.agentId, row.toolUseId]), row);
  };

  const addRecord = (entry: Entry, reading: Reading, session: Mutable<SessionDelta>, copySessionId: string | null): void => {
    const context = contextOf(entry.contextId);
    const agentId = agentOf(context, reading);
    const isCopy = entry.copyOf !== null;
    const isNumbered = entry.refs.length > 0;
    const agent = agentId === null ? null : agentFor(entry.sessionId, agentId, entry.position);
    const thread = agent ?? session;
    widen(session, reading.at);
    if (agent !== null) widen(agent, reading.at);
    if (isCopy && isMessage(reading)) {
      thread.copied += 1;
      if (copySessionId !== null && agent === null) link(entry.sessionId, copySessionId, 'uuid');
    } else if (isNumbered) thread.messages += 1;
    note(session, reading, isCopy);
    kinds.push(...kindsIn(entry, reading));
    addCalls(callsIn(entry, reading));
    const failed = errorsIn(reading);
    if (!isCopy) {
      session.toolUses += reading.uses.length;
      session.toolResults += reading.results.length;
      session.errors += failed;
      if (reading.more?.compaction != null && agent === null) session.compactions += 1;
      if (agent !== null) agent.toolUses += reading.uses.length;
    }
    if (reading.more?.told != null && !isCopy) addTold(entry, reading.more.told);
    const summary = reading.more?.title;
    if (summary?.by === 'summary' && summary.leafUuid !== null)
      summaries.push({ position: entry.position, leafUuid: summary.leafUuid, text: summary.text });
    if (reading.uuid === null) return;
    const uuid = reading.uuid.startsWith('line:') ? entry.uuid : reading.uuid;
    messages.push({
      position: entry.position,
      sessionId: entry.sessionId,
      agentId,
      uuid,
      parentUuid: reading.parentUuid ?? null,
      type: reading.type,
      role: reading.role,
      at: entry.timestamp,
      isSidechain: reading.isSidechain,
      isError: failed > 0,
      model: reading.model,
      number: numberIn(entry.refs, 'MSG-'),
      exchange: numberIn(entry.refs, 'EXCH-'),
      copyOf: entry.copyOf,
    });
    if (numberIn(entry.refs, 'EXCH-') !== null) session.exchanges += 1;
    addOperations(operations, entry, reading);
    if (!isCopy) touches.push(...touchesIn(entry, reading));
    if (reading.usage === null || isCopy) return;
    if (reading.model !== null && !session.models.includes(reading.model)) session.models = [...session.models, reading.model];
    fresh.push({
      row: {
        messageId: reading.messageId ?? uuid,
        requestId: reading.requestId,
        sessionId: entry.sessionId,
        agentId,
        position: entry.position,
        model: reading.model,
        usage: believable(reading.usage),
        at: entry.timestamp,
      },
      billing: reading.billing,
      ownCost: reading.costUsd,
    });
  };

  // LIB-14: negative, so that the agent's own record replaces it when it arrives.
  const addTold = (entry: Entry, { agentId, messageId, uuid, requestId, model, usage, billing, costUsd, at }: Reading): void => {
    if (usage === null || agentId === null || uuid === null) return;
    const row = { messageId: messageId ?? uuid, requestId, sessionId: entry.sessionId, agentId, position: -entry.position, model };
    fresh.push({ row: { ...row, usage: believable(usage), at: Number.isFinite(at) ? at : entry.timestamp }, billing, ownCost: costUsd });
  };

  // BACK-3: it isn't a record of the session, so the session's end doesn't move.
  const addTakenBack = ({ sessionId, position, note }: Entry): void => {
    const session = payerFor(sessionId, position);
    const state = IN_TOOL.find((one) => one === note);
    if (state === undefined) session.takebacks += 1;
    else session.inTool = state;
  };

  const add = ({ entry, reading, copySessionId, payload }: Folded): void => {
    if (entry.type === ENTRY_TYPES.takenBack) addTakenBack(entry);
    if (!isTranscript(entry.type)) return;
    const session = sessionFor(entry.sessionId, entry.position);
    session.lastPosition = entry.position;
    session.entries += 1;
    session.bytes += payload?.length ?? 0;
    if (entry.type === ENTRY_TYPES.companion) {
      const meta = metaIn(entry, payload);
      session.companions += 1;
      kinds.push(...meta.kinds);
      addCalls(meta.calls);
    } else if (reading === null) session.quarantined += 1;
    else addRecord(entry, reading, session, copySessionId);
  };

  const settle = (known: readonly KnownResponses[]): LibraryChanges => {
    const before = new Map(known.flatMap(({ rows }) => rows.map((row) => [keyOf(row), row] as const)));
    const counted = new Map(known.map((one) => [one.messageId, countedFrom(one)]));
    for (const { row, billing, ownCost } of fresh) {
      const response: ResponseRow = { ...row, ordinal: 0, costNano: costNanoOf(prices, { ...row, billing }, ownCost) };
      const same = counted.get(row.messageId) ?? countedFrom({ messageId: row.messageId, rows: [], next: 0 });
      counted.set(row.messageId, same);
      if (same.first !== null) link(row.sessionId, same.first.sessionId, 'message');
      count(same, response);
    }
    const responses = [...counted.values()].flatMap((same) => [...same.rows.values()]).filter((row) => before.get(keyOf(row)) !== row);
    for (const row of responses) {
      const old = before.get(keyOf(row));
      const difference = minus(spentOn(row), old === undefined ? NOTHING_SPENT : spentOn(old));
      const session = payerFor(row.sessionId, Math.abs(row.position));
      session.spent = plus(session.spent, difference);
      if (row.agentId !== null) {
        const agent = agentFor(row.sessionId, row.agentId, row.position < 0 ? Number.MAX_SAFE_INTEGER : row.position);
        agent.spent = plus(agent.spent, difference);
      }
    }
    return {
      messages,
      operations,
      responses,
      sessions: [...sessions.values()],
      agents: [...agents.values()],
      links: [...links.values()],
      kinds,
      calls: [...calls.values()],
      touches,
      summaries,
    };
  };

  const wanted = (): readonly WantedResponse[] => {
    const ids = new Map<string, Set<string>>();
    for (const { row } of fresh) {
      const requests = ids.get(row.messageId) ?? new Set();
      ids.set(row.messageId, requests);
      if (row.requestId !== null) requests.add(row.requestId);
    }
    return [...ids].map(([messageId, requestIds]) => ({ messageId, requestIds: [...requestIds] }));
  };

  return { add, wanted, settle };
};

type Counted = { first: ResponseRow | null; next: number; readonly rows: Map<number, ResponseRow>; readonly byRequest: Map<string, number> };

const countedFrom = ({ rows, next }: KnownResponses): Counted => {
  const first = rows.find((row) => row.ordinal === 0) ?? null;
  const byRequest = new Map(rows.flatMap((row) => (row.requestId === null ? [] : [[row.requestId, row.ordinal] as const])));
  return { first, next, rows: new Map(rows.map((row) => [row.ordinal, row])), byRequest };
};

// COST-2: copies of a response share the message id; a request id tells two apart only if both have one. The largest copy counts.
const count = (same: Counted, response: ResponseRow): void => {
  const isFirst = same.first !== null && (response.requestId === null || same.first.requestId === null);
  const ordinal = isFirst ? 0 : same.byRequest.get(response.requestId ?? '');
  const kept = ordinal === undefined ? undefined : same.rows.get(ordinal);
  const row = kept === undefined ? { ...response, ordinal: same.next } : mergedOf(response, kept);
  if (kept === undefined) same.next += 1;
  same.rows.set(row.ordinal, row);
  if (row.ordinal === 0) same.first = row;
  if (row.requestId !== null) same.byRequest.set(row.requestId, row.ordinal);
};

const mergedOf = (newer: ResponseRow, kept: ResponseRow): ResponseRow => {
  const difference = totalTokens(newer.usage) - totalTokens(kept.usage);
  const isOwn = kept.position < 0 && newer.position > 0;
  const isLarger = difference > 0 || (difference === 0 && (isOwn || (newer.agentId === null && kept.agentId !== null)));
  const requestId = kept.requestId ?? newer.requestId;
  const position = isOwn || (isLarger && (newer.position > 0 || kept.position < 0)) ? newer.position : kept.position;
  if (!isLarger) return requestId === kept.requestId && position === kept.position ? kept : { ...kept, requestId, position };
  // The largest copy has the number of tokens; the first copy says who paid, and when.
  return { ...newer, requestId, position, ordinal: kept.ordinal, sessionId: kept.sessionId, agentId: kept.agentId, at: kept.at };
};

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const addOperations = (operations: OperationRow[], entry: Entry, reading: Reading): void => {
  const about = { position: entry.position, sessionId: entry.sessionId, at: entry.timestamp };
  reading.uses.forEach((use, index) => {
    operations.push({ ...about, index, kind: 'use', toolUseId: use.id, name: use.name, isError: false, answer: null });
  });
  reading.results.forEach((result, index) => {
    const { toolUseId, isError, answer } = result;
    operations.push({ ...about, index, kind: 'result', toolUseId, name: null, isError, answer });
  });
};

const note = (session: Mutable<SessionDelta>, reading: Reading, isCopy: boolean): void => {
  session.project ??= reading.cwd;
  if (!reading.isSidechain) {
    if (isRequest(reading)) session.firstPrompt ??= reading.text;
    else if (reading.role === 'command') session.firstCommand ??= reading.text;
  }
  if (reading.version !== null && !session.versions.includes(reading.version)) session.versions = [...session.versions, reading.version];
  const { more } = reading;
  if (more === null) return;
  if (more.title?.by === 'custom') session.customTitle = more.title.text;
  if (more.title?.by === 'ai') session.aiTitle = more.title.text;
  if (more.takesBack && !isCopy) session.takebacks += 1;
  // A copy names the session that it was copied from.
  if (isCopy || more.forkedFrom !== null) session.forkedFrom ??= more.forkedFrom;
};

const widen = (times: { firstAt: number | null; lastAt: number | null }, at: number): void => {
  if (!Number.isFinite(at)) return;
  if (times.firstAt === null || at < times.firstAt) times.firstAt = at;
  if (times.lastAt === null || at > times.lastAt) times.lastAt = at;
};

const numberIn = (refs: readonly string[], prefix: string): number | null => {
  const ref = refs.find((one) => one.startsWith(prefix));
  return ref === undefined ? null : Number(ref.slice(prefix.length));
};

/** Billionths of a dollar; null when unknown. The CLI's own figure takes precedence. */
const costNanoOf = (
  prices: PriceTable,
  row: { readonly model: string | null; readonly usage: ResponseRow['usage']; readonly billing: Billing | null },
  own: number | null,
): number | null => {
  const price = own === null ? priceOf(prices, row.model ?? 'unknown') : null;
  const cost = own ?? (price === null ? null : chargeFor(prices, price, row));
  return cost === null ? null : Math.min(Math.round(cost * 1e9), MOST_NANO);
};

const spentOn = ({ usage, costNano }: ResponseRow): Spent => ({ responses: 1, usage, costNano: costNano ?? 0, unpriced: costNano === null ? 1 : 0 });

const plus = (a: Spent, b: Spent): Spent => ({
  responses: a.responses + b.responses,
  usage: addUsage(a.usage, b.usage),
  costNano: a.costNano + b.costNano,
  unpriced: a.unpriced + b.unpriced,
});

const minus = (a: Spent, b: Spent): Spent => ({
  responses: a.responses - b.responses,
  usage: {
    input: a.usage.input - b.usage.input,
    output: a.usage.output - b.usage.output,
    cacheWrite5m: a.usage.cacheWrite5m - b.usage.cacheWrite5m,
    cacheWrite1h: a.usage.cacheWrite1h - b.usage.cacheWrite1h,
    cacheRead: a.usage.cacheRead - b.usage.cacheRead,
  },
  costNano: a.costNano - b.costNano,
  unpriced: a.unpriced - b.unpriced,
});

// No response has a billion tokens or costs a thousand dollars. Sums of such claims, from a damaged or hostile record, would overflow the databases
// and stop the log.
const believable = (usage: Usage): Usage => ({
  input: Math.min(usage.input, MOST_TOKENS),
  output: Math.min(usage.output, MOST_TOKENS),
  cacheWrite5m: Math.min(usage.cacheWrite5m, MOST_TOKENS),
  cacheWrite1h: Math.min(usage.cacheWrite1h, MOST_TOKENS),
  cacheRead: Math.min(usage.cacheRead, MOST_TOKENS),
});

const keyOf = (row: ResponseRow): string => `${row.messageId}|${row.ordinal}`;

const MOST_TOKENS = 1e9;
const MOST_NANO = 1e12;
const NOTHING_SPENT: Spent = { responses: 0, usage: NO_USAGE, costNano: 0, unpriced: 0 };
const NO_AGENT = { firstAt: null, lastAt: null, messages: 0, copied: 0, toolUses: 0, spent: NOTHING_SPENT };
const NO_SESSION = {
  ...NO_AGENT,
  entries: 0,
  bytes: 0,
  exchanges: 0,
  toolResults: 0,
  errors: 0,
  compactions: 0,
  quarantined: 0,
  companions: 0,
  takebacks: 0,
  project: null,
  firstPrompt: null,
  firstCommand: null,
  customTitle: null,
  aiTitle: null,
  inTool: null,
  forkedFrom: null,
};
