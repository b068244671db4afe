import { cutText, maskSecrets, rowsOf } from '@yarnboard/domain';
import { isRunningAt, trailOf, type Node, type Session, type SessionOutline, type Sidechain, type SidechainState } from '@yarnboard/transcript';
import { OFF_PATH_NAMES, type Inside, type InputOf, type OutputOf } from '@yarnboard/protocol';
import type { SessionRow, Spent } from '@yarnboard/store';
import type { Engine } from '../engine/engine.ts';
import type { Runs } from '../launches/runs.ts';
import { isLong } from '../sessions/kept-heads.ts';
import { shownParent } from '../sessions/message-view.ts';
import { spentAt } from '../sessions/pending-reading.ts';
import type { LoadedSession } from '../sessions/session-loader.ts';
import { headOf, type SessionHead } from '../sessions/session-outline.ts';
import { leftOutBy, withLabels } from '../sessions/session-labels.ts';
import { openedView, pendingView, sessionView, spendingView, timeOf } from '../sessions/session-view.ts';
import type { Answer } from './request/answer.ts';
import { instantOf, pageOf, readCursor, writeCursor } from './request/cursor.ts';
import { findSession, type FoundSession, type SessionReading } from './request/find-session.ts';

export type SessionsNeeds = SessionReading & {
  readonly now: () => number;
  readonly engine: Pick<Engine, 'board'>;
  readonly runs: Pick<Runs, 'load' | 'list'>;
  /** READ-5: the head of a long session that isn't loaded. */
  readonly head: (sessionId: string, signal: AbortSignal) => Promise<SessionHead>;
};

export const listProjects = async (needs: SessionsNeeds, { limit, cursor }: InputOf<'projects'>): Answer<'projects'> => {
  const { items, nextCursor } = pageOf(await needs.store.library.projects(), limit, cursor);
  return {
    items: items.map((row) => ({
      project: row.project === '' ? null : row.project,
      sessions: row.sessions,
      messages: row.messages,
      startedAt: timeOf(row.firstAt),
      endedAt: timeOf(row.lastAt),
      ...spendingView(row.spent),
    })),
    nextCursor,
  };
};

type SessionKey = { readonly lastAt: number; readonly sessionId: string };

/** API-5: imported sessions and sessions waiting for import as one list: latest first, without duplicates. */
export const listSessions = async (needs: SessionsNeeds, input: InputOf<'sessions'>): Answer<'sessions'> => {
  const before = readCursor<SessionKey>(input.cursor, (value) => typeof value.lastAt === 'number' && typeof value.sessionId === 'string');
  const left = input.seats ? new Set<string>() : await sessionsOfSeats(needs);
  const board = needs.engine.board();
  const isLeftOut = leftOutBy(board, input);
  const pending = needs.pending();
  const waiting = pending
    .filter(({ group }) => !left.has(group.sessionId) && !isLeftOut(group.sessionId))
    .map((one) => ({
      key: { lastAt: finite(one.outline.lastAt), sessionId: one.group.sessionId },
      view: () => pendingView(one),
      outline: one.outline,
      tool: one.group.files[0]?.dialect,
    }))
    .filter(
      ({ outline, key, tool }) =>
        !input.quarantined && (input.tool === undefined || tool === input.tool) && fits(outline, input) && (before === null || isBehind(key, before)),
    );
  const rows = await importedRows(needs, input, before, new Set([...left, ...pending.map(({ group }) => group.sessionId)]), isLeftOut);
  const firstRefs = await firstRefsOf(
    needs,
    rows.map(({ sessionId }) => sessionId),
  );
  const imported = rows.map((row) => ({ key: keyOf(row), view: () => sessionView(row, firstRefs(row.sessionId)) }));
  const all = [...waiting, ...imported].sort((a, b) => (isBehind(a.key, b.key) ? 1 : -1));
  const page = all.slice(0, input.limit);
  const last = page.at(-1);
  return {
    items: page.map(({ view }) => withLabels(board, view())),
    nextCursor: all.length > input.limit && last !== undefined ? writeCursor(last.key) : null,
  };
};

/** RT-31: sessions that a seat uses or has used. */
const sessionsOfSeats = async ({ engine, runs }: SessionsNeeds): Promise<ReadonlySet<string>> => {
  await runs.load();
  const ofRuns = runs.list().flatMap(({ seat, sessionId }) => (seat === null ? [] : [sessionId]));
  return new Set([...rowsOf(engine.board().seatRuns).map(({ sessionId }) => sessionId), ...ofRuns]);
};

// As many imported rows as a page needs, plus one. Skips sessions waiting for import, which are listed from their files.
const importedRows = async (
  needs: SessionsNeeds,
  input: InputOf<'sessions'>,
  before: SessionKey | null,
  waiting: ReadonlySet<string>,
  isLeftOut: (sessionId: string) => boolean,
): Promise<readonly SessionRow[]> => {
  const found: SessionRow[] = [];
  for (let from = before; ;) {
    const rows = await needs.store.library.sessions({
      limit: input.limit + 1,
      ...(input.project === undefined ? {} : { project: input.project }),
      ...(input.tool === undefined ? {} : { tool: input.tool }),
      ...(input.since === undefined ? {} : { since: instantOf(input.since) }),
      ...(input.until === undefined ? {} : { until: instantOf(input.until, true) }),
      ...(input.quarantined ? { isQuarantined: true } : {}),
      ...(from === null ? {} : { before: from }),
    });
    found.push(...rows.filter(({ sessionId }) => !waiting.has(sessionId) && !isLeftOut(sessionId)));
    const last = rows.at(-1);
    if (last === undefined || rows.length <= input.limit || found.length > input.limit) return found;
    from = keyOf(last);
  }
};

const keyOf = ({ lastAt, sessionId }: SessionRow): SessionKey => ({ lastAt: lastAt ?? 0, sessionId });

const fits = (outline: { readonly firstAt: number; readonly lastAt: number; readonly project: string | null }, input: InputOf<'sessions'>): boolean =>
  (input.project === undefined || outline.project === input.project) &&
  (input.since === undefined || outline.lastAt >= instantOf(input.since)) &&
  (input.until === undefined || outline.firstAt <= instantOf(input.until, true));

const isBehind = (a: SessionKey, b: SessionKey): boolean => (a.lastAt !== b.lastAt ? a.lastAt < b.lastAt : a.sessionId < b.sessionId);

const finite = (instant: number): number => (Number.isFinite(instant) ? instant : 0);

/** The references of these sessions' first messages. */
const firstRefsOf = async (needs: SessionsNeeds, sessionIds: readonly string[]): Promise<(sessionId: string) => string | null> => {
  const numbers = await needs.store.library.firstNumbersOf(sessionIds);
  return (sessionId) => {
    const number = numbers.get(sessionId);
    return number === undefined ? null : `MSG-${number}`;
  };
};

type AgentRecords = { readonly agentId: string; readonly nodes: readonly Node[] };

type SessionItem = Inside<OutputOf<'sessions'>>['items'][number];

type Opened = Pick<LoadedSession, 'session' | 'flows' | 'outline' | 'grown'> & {
  readonly view: SessionItem;
  /** Reads the cost of all these sub-agents at once; returns a lookup by agent. */
  readonly spentBy: (agents: readonly AgentRecords[]) => Promise<(agent: AgentRecords) => Spent>;
};

/** A whole session, from the log or, until it is imported, from its file. */
const openSession = async (needs: SessionsNeeds, found: FoundSession): Promise<Opened> => {
  const known = new Map<string, Spent>();
  const spentBy =
    ({ records }: LoadedSession): Opened['spentBy'] =>
    async (wanted) => {
      const responses = await records.responses(wanted.flatMap(({ agentId, nodes }) => (known.has(agentId) ? [] : nodes)));
      return ({ agentId, nodes }) => known.get(agentId) ?? spentAt((node) => responses.get(node), nodes);
    };
  if (found.kind === 'pending') {
    const reading = await needs.sessions.loadPending(found.pending);
    return { ...reading, view: openedView(found.pending, reading), spentBy: spentBy(reading) };
  }
  const { sessionId } = found.row;
  const loaded = await needs.sessions.load(sessionId);
  for (const { agentId, spent } of await needs.store.library.agents(sessionId)) known.set(agentId, spent);
  return { ...loaded, view: await loggedView(needs, found.row), spentBy: spentBy(loaded) };
};

const loggedView = async (needs: SessionsNeeds, row: SessionRow): Promise<SessionItem> =>
  sessionView(row, (await firstRefsOf(needs, [row.sessionId]))(row.sessionId));

type Headed = { readonly view: SessionItem; readonly head: SessionHead; readonly opened: Pick<Opened, 'session' | 'grown'> | null };

/** The head of a session. A long session isn't loaded just for that. */
const headSession = async (needs: SessionsNeeds, id: string, signal: AbortSignal, isWhole = false): Promise<Headed> => {
  const found = await findSession(needs, id);
  if (!isWhole && found.kind === 'imported' && isLong(found.row) && !needs.sessions.isKept(found.row.sessionId))
    return { view: await loggedView(needs, found.row), head: await needs.head(found.row.sessionId, signal), opened: null };
  const opened = await openSession(needs, found);
  return { view: opened.view, head: headOf(opened.outline()), opened };
};

export const showSession = async (needs: SessionsNeeds, input: InputOf<'session'>, signal: AbortSignal): Answer<'session'> => {
  const { view, head, opened } = await headSession(needs, input.id, signal, input.trail);
  return {
    ...withLabels(needs.engine.board(), view),
    roots: head.roots,
    cycles: head.cycles,
    tools: head.tools,
    branchPoints: head.branches.length,
    activePath: head.activePath,
    offPath: {
      messages: head.stretches.reduce((sum, { messages }) => sum + messages, 0),
      stretches: head.stretches
        .slice(0, MOST_STRETCHES)
        .map(({ reason, messages, lastUuid }) => ({ reason: OFF_PATH_NAMES[reason], messages, through: lastUuid })),
    },
    compactionList: head.compactions.map(({ uuid, trigger, preTokens }) => ({ uuid, trigger, preTokens })),
    trail: opened === null || !input.trail ? null : trailIn(opened),
  };
};

const trailIn = ({ session, grown }: Pick<Opened, 'session' | 'grown'>): Awaited<Answer<'session'>>['trail'] =>
  trailOf(session, ({ uuid, entry }) => shownParent({ ...entry, uuid, parentUuid: entry.parentUuid ?? null }), grown.path);

/** Limit for stretches that are on no branch: a damaged session may have thousands. */
const MOST_STRETCHES = 100;

export const listBranches = async (needs: SessionsNeeds, { id, limit, cursor }: InputOf<'branches'>, signal: AbortSignal): Answer<'branches'> =>
  pageOf((await headSession(needs, id, signal)).head.branches, limit, cursor);

export const listSidechains = async (needs: SessionsNeeds, { id, limit, cursor }: InputOf<'sidechains'>): Answer<'sidechains'> => {
  const { session, flows, outline, spentBy } = await openSession(needs, await findSession(needs, id));
  const { sidechains, endedAt } = outline();
  const { items, nextCursor } = pageOf(sidechains, limit, cursor);
  const known = flows.sidechains().byId;
  const recordsOf = (agentId: string): AgentRecords => ({ agentId, nodes: known.get(agentId)?.nodes ?? [] });
  const spentOn = await spentBy(items.map(({ agentId }) => recordsOf(agentId)));
  const stateOf = ({ state }: (typeof items)[number]): SidechainState =>
    state === 'running' && !isRunningAt(endedAt, needs.now()) ? 'incomplete' : state;
  return {
    items: items.map((sidechain) => ({
      ...sidechainView(sidechain, spentOn(recordsOf(sidechain.agentId)), taskOf(session, known.get(sidechain.agentId))),
      state: stateOf(sidechain),
    })),
    nextCursor,
  };
};

// Mask before cutting: half a secret isn't recognized (SEC-11).
const taskOf = (session: Session, sidechain: Sidechain | undefined): string | null => {
  if (sidechain === undefined) return null;
  const said =
    sidechain.calls.find(({ use }) => use.call?.description != null)?.use.call?.description ??
    session.metas.get(sidechain.id)?.description ??
    sidechain.nodes.find(({ entry }) => entry.text !== null)?.entry.text ??
    null;
  return said === null ? null : cutText(maskSecrets(said).text, MOST_TASK);
};

const MOST_TASK = 200;

const sidechainView = (
  sidechain: SessionOutline['sidechains'][number],
  spent: Spent,
  task: string | null,
): Awaited<Answer<'sidechains'>>['items'][number] => ({
  agent: sidechain.agent,
  agentId: sidechain.agentId,
  task,
  toolUseIds: sidechain.toolUseIds,
  linkedBy: sidechain.linkedBy,
  depth: sidechain.depth,
  parentAgentId: sidechain.parentAgentId,
  messages: sidechain.messages,
  toolUses: sidechain.toolUses,
  state: sidechain.state,
  startedAt: Number.isFinite(sidechain.startedAt) ? timeOf(sidechain.startedAt) : null,
  endedAt: Number.isFinite(sidechain.endedAt) ? timeOf(sidechain.endedAt) : null,
  ...spendingView(spent),
});
