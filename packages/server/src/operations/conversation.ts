import { BOARD_CONTEXT, formatRef, parseRef, sidebarIdOfContext } from '@yarnboard/domain';
import type { InputOf } from '@yarnboard/protocol';
import type { MessageRow, SessionRow } from '@yarnboard/store';
import { stepAt, type Node, type Session, type ToolUse } from '@yarnboard/transcript';
import { loggedFacts, loggedFlow } from '../sessions/flow-records.ts';
import { stepViews, type Showing, type StepView } from '../sessions/flow-view.ts';
import { createSessionFlows, type ThreadFlow } from '../sessions/session-flow.ts';
import type { LoadedSession } from '../sessions/session-loader.ts';
import { readAround, readEnd, type SessionPart } from '../sessions/session-part.ts';
import type { Answer } from './request/answer.ts';
import { namesOf } from './board/names.ts';
import { placeOfSession, type SessionReading } from './request/find-session.ts';
import { mergedField, mergedViews, mergesInto, type MergedNeeds, type MergedView } from './merged-exchanges.ts';
import { recordOfMerged } from './merged-place.ts';
import { Refused, refusedFor } from './request/refusal.ts';

export type ConversationNeeds = SessionReading & MergedNeeds & { readonly now: () => number };

type Input = InputOf<'conversation'>;

/** API-22: a branch of a session, or a sub-agent's conversation, as numbered steps, paged by index. */
export const showConversation = async (needs: ConversationNeeds, input: Input): Answer<'conversation'> => {
  const found = await placeOfSession(needs, input.id);
  if (found.kind === 'kept') return showSteps(needs, input, await needs.sessions.load(found.sessionId));
  if (found.kind === 'pending') return showSteps(needs, input, await needs.sessions.loadPending(found.pending));
  const { row } = found;
  if (input.quick && input.from === undefined && input.through === undefined && !needs.sessions.isKept(row.sessionId)) {
    const answer = await showPart(needs, input, row);
    // The client will ask for more soon, so start loading now. If the session can't be read, that request reports it.
    needs.sessions.load(row.sessionId).catch(() => {});
    if (answer !== null) return answer;
  }
  return showSteps(needs, input, await needs.sessions.load(row.sessionId));
};

const showSteps = async (needs: ConversationNeeds, input: Input, opened: LoadedSession): Answer<'conversation'> => {
  const { session, flows, position } = opened;
  const sought = input.at === undefined ? null : await nodeCalled(needs, session, input.at);
  const thread = await threadFor(needs, input, opened, sought);
  // Read once up front: more steps may arrive while texts are being read.
  const { steps } = thread.flow;
  const total = steps.length;
  const at = sought === null ? null : stepAt(thread.flow, sought);
  const from = input.from ?? firstOf(total, at, input.limit);
  const page = steps.slice(from, from + input.limit).map((step, i) => ({ index: from + i, step }));
  const agentOf = ({ id }: ToolUse): string | null => flows.sidechains().byCall.get(id)?.id ?? null;
  const continues = async (): ReturnType<Showing['continues']> =>
    position === null ? null : ((await needs.store.library.session(session.id))?.continues ?? null);
  return {
    sessionId: session.id,
    thread: thread.sidechain?.id ?? MAIN,
    seq: position,
    leafUuid: thread.leaf?.uuid ?? null,
    isActive: thread.isActive,
    total,
    at,
    items: await withMerged(
      needs,
      session,
      thread,
      from,
      await stepViews({ ...opened, continues, thread, now: needs.now(), agentOf, operationsFrom: input.operations_from }, page),
    ),
  };
};

/** API-40: a thread's steps from index `from`, with merges attached to the records they follow. */
const withMerged = async (
  needs: ConversationNeeds,
  { id, graph }: Session,
  { flow }: ThreadFlow,
  from: number,
  steps: readonly StepView[],
): Promise<readonly StepView[]> => {
  const places = await mergesInto(needs, id);
  const indexed = places.flatMap((place) => {
    const node = graph.nodes.get(place.after ?? '');
    const step = node === undefined ? null : stepAt(flow, node);
    return step === null || step < from || step >= from + steps.length ? [] : [{ place, at: step - from }];
  });
  if (indexed.length === 0) return steps;
  const views = await mergedViews(
    needs,
    indexed.map(({ place }) => place),
  );
  const behind = new Map<number, readonly MergedView[]>();
  for (const [i, { at }] of indexed.entries()) behind.set(at, [...(behind.get(at) ?? []), ...views.slice(i, i + 1)]);
  return steps.map((step, i) => ({ ...step, ...mergedField(behind.get(i)) }));
};

/** The start of the last page, or of the page centered on the sought step. */
const firstOf = (total: number, at: number | null, limit: number): number =>
  Math.max(0, Math.min(total - limit, at === null ? total : at - Math.floor(limit / 2)));

/** The requested branch or sub-agent. */
export const threadFor = async (
  needs: ConversationNeeds,
  { thread, through }: Pick<Input, 'thread' | 'through'>,
  { session, flows }: Pick<LoadedSession, 'session' | 'flows'>,
  sought: Node | null,
): Promise<ThreadFlow> => {
  const named = through === undefined ? null : await nodeCalled(needs, session, through);
  if (named !== null && named.thread !== session.main) {
    throw refusedFor('one-branch-only', { asked: through ?? '' });
  }
  const inside = sought === null || sought.thread === session.main ? null : flows.sidechainOf(sought);
  const wanted = sought === null ? thread : (inside?.id ?? MAIN);
  if (wanted !== MAIN) {
    const found = flows.sidechain(wanted);
    if (found !== null) return found;
    throw refusedFor('unknown-sub-agent', { session: session.id, asked: wanted });
  }
  const record = sought ?? named;
  return record === null ? flows.active() : flows.through(record);
};

/** API-25: finds a record of the session by MSG-n, MSG-n#i, uuid, or the name of an operation in it. */
const nodeCalled = async (needs: ConversationNeeds, session: Session, text: string): Promise<Node> => {
  const { nodes } = session.graph;
  const ref = parseRef(text);
  const isPrinted = ref.ok && formatRef(ref.value) === text;
  const owner = /^(.+)_(?:tool|result)_\d{1,9}$/su.exec(text)?.[1];
  const named = isPrinted ? undefined : (nodes.get(text) ?? (owner === undefined ? undefined : nodes.get(owner)));
  if (named !== undefined) return named;
  const shownAt = nodes.get((await recordOfMerged(needs, session.id, text)) ?? '');
  if (shownAt !== undefined) return shownAt;
  if (ref.ok && ref.value.kind === 'numbered') {
    const position = await needs.store.log.positionOfRef(ref.value.type, ref.value.number);
    const row = position === null ? null : await needs.store.library.messageAt(position);
    // A fork holds copies of the messages before it, under the same uuids.
    const node = row === null ? undefined : nodes.get(row.uuid);
    if (node !== undefined) return node;
    throw new Refused('not-found', await elsewhere(needs, position, text, session.id));
  }
  throw new Refused('not-found', `session ${session.id} has no record "${text}"; give MSG-n or the UUID of one of its records`);
};

/** Explains where the requested record is, if anywhere. */
const elsewhere = async (needs: ConversationNeeds, position: number | null, text: string, sessionId: string): Promise<string> => {
  const entry = position === null ? null : await needs.store.log.entryAt(position);
  if (entry === null) return `there is no ${text} on this board`;
  if (entry.contextId === BOARD_CONTEXT) return `${text} is not part of a conversation`;
  const place = sidebarIdOfContext(entry.contextId) === null ? `session ${entry.sessionId}` : namesOf(needs.engine.board()).context(entry.contextId);
  return `${text} is in ${place}, not in ${sessionId}`;
};

type Part = SessionPart & { readonly thread: string; /** The uuid of the requested record. */ readonly sought: string | null };

/** Reads the end of a session that isn't loaded, or the part around one of its records; null if only the whole session can tell. */
const readPart = async (needs: ConversationNeeds, { thread, at, limit }: Input, { sessionId, lastPosition }: SessionRow): Promise<Part | null> => {
  const { store } = needs;
  if (at === undefined) {
    const agentId = thread === MAIN ? null : thread;
    return { ...(await readEnd(store, { sessionId, agentId }, lastPosition, limit)), thread, sought: null };
  }
  const row = await rowCalled(needs, sessionId, at);
  // Copies belong to another session, and for a sidechain inside the main file only the whole file tells who spoke.
  if (row === null || row.sessionId !== sessionId || row.copyOf !== null || row.isSidechain !== (row.agentId !== null)) return null;
  const part = await readAround(store, { sessionId, agentId: row.agentId }, row.position, limit);
  return part === null ? null : { ...part, thread: row.agentId ?? MAIN, sought: row.uuid };
};

/** A record by number or uuid. Other names are known only once the whole session is loaded. */
const rowCalled = async (needs: ConversationNeeds, sessionId: string, text: string): Promise<MessageRow | null> => {
  const { log, library } = needs.store;
  const ref = parseRef(text);
  if (!ref.ok || ref.value.kind !== 'numbered') return library.messageByUuid(text, sessionId);
  const position = await log.positionOfRef(ref.value.type, ref.value.number);
  const row = position === null ? null : await library.messageAt(position);
  if (row !== null) return row;
  const shownAt = await recordOfMerged(needs, sessionId, text);
  return shownAt === null ? null : library.messageByUuid(shownAt, sessionId);
};

/**
 * API-28: part of a session that isn't loaded, with steps counted from its end or from the requested one; null if only the whole session can tell.
 */
const showPart = async (needs: ConversationNeeds, input: Input, row: SessionRow): Promise<Awaited<Answer<'conversation'>> | null> => {
  const agents = new Set((await needs.store.library.agents(row.sessionId)).map(({ agentId }) => agentId));
  if (input.at === undefined && input.thread !== MAIN && !agents.has(input.thread)) return null;
  const part = await readPart(needs, input, row);
  if (part === null) return null;
  const { session, isWhole, sought } = part;
  const flows = createSessionFlows(session, loggedFacts(needs.store, row.sessionId));
  const node = sought === null ? undefined : session.graph.nodes.get(sought);
  const thread = part.thread !== MAIN ? flows.sidechain(part.thread) : node === undefined ? await flows.active() : await flows.through(node);
  if (thread === null) return null;
  const { steps } = thread.flow;
  const at = node === undefined ? null : stepAt(thread.flow, node);
  if (sought !== null && at === null) return null;
  const page = pageOf(steps.length, at, input.limit, isWhole);
  const zero = at ?? page.to;
  const items = steps.slice(page.from, page.to).map((step, i) => ({ index: page.from + i - zero, step }));
  const agentOf = (use: ToolUse): string | null => {
    const agentId = session.results.get(use.id)?.result.agentId ?? null;
    return agentId !== null && agents.has(agentId) ? agentId : null;
  };
  const showing: Showing = {
    session,
    flows,
    thread,
    records: { ...loggedFlow(needs.store, row.sessionId), records: part.records },
    now: needs.now(),
    continues: async () => row.continues,
    agentOf,
    operationsFrom: input.operations_from,
    isPart: !isWhole,
  };
  return {
    sessionId: session.id,
    thread: part.thread,
    seq: row.lastPosition,
    leafUuid: thread.leaf?.uuid ?? null,
    isActive: true,
    total: null,
    at: at === null ? null : 0,
    items: await withMerged(needs, session, thread, page.from, await stepViews(showing, items)),
  };
};

/** Picks steps from a part. Its first step may have begun earlier and its last may continue, so both are dropped if there are others. */
const pageOf = (count: number, at: number | null, limit: number, isWhole: boolean): { readonly from: number; readonly to: number } => {
  const first = isWhole || count === 1 ? 0 : 1;
  const last = at === null ? count : Math.max(at + 1, count - 1);
  const from = Math.max(Math.min(first, at ?? first), firstOf(last, at, limit));
  return { from, to: Math.min(last, from + limit) };
};

const MAIN = 'main';
