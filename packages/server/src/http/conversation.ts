import { formatRef, parseRef } from '@yarnboard/domain';
import type { InputOf } from '@yarnboard/protocol';
import type { SessionRow } from '@yarnboard/store';
import { stepAt, type FlowStep, type Node, type Session, type ToolUse } from '@yarnboard/transcript';
import { loggedFacts, loggedRecords, pendingRecords } from '../views/flow-records.ts';
import { stepViews, type Showing } from '../views/flow-view.ts';
import { createSessionFlows, type ThreadFlow } from '../views/session-flow.ts';
import { readTail } from '../views/session-tail.ts';
import type { Answer } from './answer.ts';
import type { Desk } from './desk.ts';
import { placeOfSession } from './find-session.ts';
import { Refused } from './refusal.ts';

type Input = InputOf<'conversation'>;

/** A session as a whole, on the log or in its files. */
type Opened = Pick<Showing, 'session' | 'flows' | 'records' | 'continues'> & { readonly seq: number | null };

/** API-22: a branch of a session, or a sub-agent's conversation, as numbered steps; a page of them by index. */
export const showConversation = async (desk: Desk, input: Input): Answer<'conversation'> => {
  const found = await placeOfSession(desk, input.id);
  if (found.kind === 'kept') return showSteps(desk, input, await openLogged(desk, found.sessionId));
  if (found.kind === 'pending') {
    const reading = desk.sessions.loadPending(found.pending);
    const { session, flows } = reading;
    return showSteps(desk, input, { session, flows, records: pendingRecords(reading), seq: null, continues: async () => null });
  }
  const { row } = found;
  const isEnd = input.from === undefined && input.at === undefined && input.through === undefined;
  if (input.quick && isEnd && !desk.sessions.isKept(row.sessionId)) {
    const answer = await showEnd(desk, input, row);
    // Whoever asks for the end first asks for more of it soon, and is told then if the session cannot be read.
    desk.sessions.load(row.sessionId).catch(() => {});
    if (answer !== null) return answer;
  }
  return showSteps(desk, input, await openLogged(desk, row.sessionId));
};

const openLogged = async (desk: Desk, sessionId: string): Promise<Opened> => {
  const { session, flows, position } = await desk.sessions.load(sessionId);
  const continues = async (): ReturnType<Showing['continues']> => (await desk.store.library.session(sessionId))?.continues ?? null;
  return { session, flows, records: loggedRecords(desk.store), seq: position, continues };
};

const showSteps = async (desk: Desk, input: Input, opened: Opened): Answer<'conversation'> => {
  const { session, flows, seq } = opened;
  const sought = input.at === undefined ? null : await nodeCalled(desk, session, input.at);
  const thread = await threadFor(desk, input, opened, sought);
  // Taken at once: while texts are read, more may come.
  const { steps } = thread.flow;
  const total = steps.length;
  const at = sought === null ? null : stepAt(thread.flow, sought);
  const from = input.from ?? firstOf(total, at, input.limit);
  const page = steps.slice(from, from + input.limit).map((step, i) => ({ index: from + i, step }));
  const agentOf = ({ id }: ToolUse): string | null => flows.sidechains().byCall.get(id)?.id ?? null;
  return {
    sessionId: session.id,
    thread: thread.sidechain?.id ?? MAIN,
    seq,
    leafUuid: thread.leaf?.uuid ?? null,
    isActive: thread.isActive,
    total,
    at,
    items: await stepViews({ ...opened, thread, now: desk.now(), agentOf, operationsFrom: input.operations_from }, page),
  };
};

/** The last steps, or as many as can be around the one that is sought. */
const firstOf = (total: number, at: number | null, limit: number): number =>
  Math.max(0, Math.min(total - limit, at === null ? total : at - Math.floor(limit / 2)));

const threadFor = async (desk: Desk, { id, thread, through }: Input, { session, flows }: Opened, sought: Node | null): Promise<ThreadFlow> => {
  const named = through === undefined ? null : await nodeCalled(desk, session, through);
  if (named !== null && named.thread !== session.main) {
    throw new Refused(
      'bad-request',
      `"${through}" stands in the conversation of a sub-agent, which has one branch; leave out through, or give it as at`,
    );
  }
  const inside = sought === null || sought.thread === session.main ? null : flows.sidechainOf(sought);
  const wanted = sought === null ? thread : (inside?.id ?? MAIN);
  if (wanted !== MAIN) {
    const found = flows.sidechain(wanted);
    if (found !== null) return found;
    throw new Refused(
      'not-found',
      `session ${session.id} has no sub-agent "${wanted}"; GET /api/v1/sessions/${encodeURIComponent(id)}/sidechains lists them`,
    );
  }
  const record = sought ?? named;
  return record === null ? flows.active() : flows.through(record);
};

/** API-25: a record of the session by MSG-n, MSG-n#i, its uuid, or the name of what was taken out of it. */
const nodeCalled = async (desk: Desk, session: Session, text: string): Promise<Node> => {
  const { nodes } = session.graph;
  const ref = parseRef(text);
  const isPrinted = ref.ok && formatRef(ref.value) === text;
  const owner = /^(.+)_(?:tool|result)_\d{1,9}$/su.exec(text)?.[1];
  const named = isPrinted ? undefined : (nodes.get(text) ?? (owner === undefined ? undefined : nodes.get(owner)));
  if (named !== undefined) return named;
  if (ref.ok && ref.value.kind === 'numbered') {
    const position = await desk.store.log.positionOfRef(ref.value.type, ref.value.number);
    const row = position === null ? null : await desk.store.library.messageAt(position);
    // A fork has copies of what was said before it, under the same names.
    const node = row === null ? undefined : nodes.get(row.uuid);
    if (node !== undefined) return node;
    throw new Refused(
      'not-found',
      row === null ? `there is no ${text} on this board` : `${text} stands in session ${row.sessionId}, not in ${session.id}`,
    );
  }
  throw new Refused('not-found', `session ${session.id} has no record "${text}"; give MSG-n or the uuid of one of its records`);
};

/** API-28: the last steps of a session that was not read yet; null where only all of it can tell. */
const showEnd = async (desk: Desk, input: Input, row: SessionRow): Promise<Awaited<Answer<'conversation'>> | null> => {
  const agents = new Set((await desk.store.library.agents(row.sessionId)).map(({ agentId }) => agentId));
  if (input.thread !== MAIN && !agents.has(input.thread)) return null;
  const { session, isWhole } = await readTail(desk.store, row, input.thread === MAIN ? null : input.thread, input.limit);
  const flows = createSessionFlows(session, loggedFacts(desk.store, row.sessionId));
  const thread = input.thread === MAIN ? await flows.active() : flows.sidechain(input.thread);
  if (thread === null) return null;
  // What comes first may have begun before; where there is nothing else, its end is better than nothing.
  const { steps } = thread.flow;
  const known = isWhole || steps.length === 1 ? steps : steps.slice(1);
  const items = known.slice(-input.limit).map((step: FlowStep, i, all) => ({ index: i - all.length, step }));
  const agentOf = (use: ToolUse): string | null => {
    const agentId = session.results.get(use.id)?.result.agentId ?? null;
    return agentId !== null && agents.has(agentId) ? agentId : null;
  };
  const showing: Showing = {
    session,
    flows,
    thread,
    records: loggedRecords(desk.store),
    now: desk.now(),
    continues: async () => row.continues,
    agentOf,
    operationsFrom: input.operations_from,
  };
  return {
    sessionId: session.id,
    thread: input.thread,
    seq: row.lastPosition,
    leafUuid: thread.leaf?.uuid ?? null,
    isActive: true,
    total: null,
    at: null,
    items: await stepViews(showing, items),
  };
};

const MAIN = 'main';
