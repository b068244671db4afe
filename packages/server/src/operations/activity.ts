import { claudeCode } from '@yarnboard/transcript';
import { ENTRY_TYPES } from '@yarnboard/domain';
import type { InputOf } from '@yarnboard/protocol';
import type { AgentRow, SessionRow, Store } from '@yarnboard/store';
import type { Engine } from '../engine/engine.ts';
import type { RunView } from '../launches/run-view.ts';
import { agentCallOf } from '../sessions/agent-call.ts';
import { namedAs } from '../sessions/session-labels.ts';
import { timeOf } from '../sessions/session-view.ts';
import { operationOf, threadNow } from '../sessions/thread-now.ts';
import type { Answer } from './request/answer.ts';
import type { PendingSession } from '../ingest/ingest.ts';
import type { Launches } from '../launches/launches.ts';
import type { Runs } from '../launches/runs.ts';

export type ActivityNeeds = {
  readonly now: () => number;
  readonly store: Pick<Store, 'log' | 'library'>;
  readonly pending: () => readonly PendingSession[];
  readonly engine: Pick<Engine, 'board'>;
  readonly runs: Pick<Runs, 'load' | 'list'>;
  readonly launches: Pick<Launches, 'of'>;
};

type Active = Awaited<Answer<'activity'>>['sessions'][number];

/** API-33: active sessions, latest first: those recently written to and those with a run at work. */
export const showActivity = async (needs: ActivityNeeds, { minutes }: InputOf<'activity'>): Answer<'activity'> => {
  const since = needs.now() - minutes * 60_000;
  await needs.runs.load();
  const live = needs.runs.list().filter(({ state }) => state !== 'ended');
  const waiting = needs.pending().filter(({ outline }) => Number.isFinite(outline.lastAt) && outline.lastAt >= since);
  const waitingIds = new Set(waiting.map(({ group }) => group.sessionId));
  const rows = (await needs.store.library.sessions({ since, limit: MOST_SESSIONS })).filter(({ sessionId }) => !waitingIds.has(sessionId));
  const found: { readonly at: number; readonly view: () => Promise<Active> }[] = [
    ...rows.map((row) => ({ at: row.lastAt ?? 0, view: () => sessionNow(needs, row, runIn(live, row.sessionId), since) })),
    ...waiting.map(({ group, outline }) => ({
      at: outline.lastAt,
      view: async (): Promise<Active> => ({
        ...nothingKnown(needs, group.sessionId, group.files[0]?.dialect),
        title: outline.title,
        project: outline.project,
        lastAt: timeOf(outline.lastAt),
      }),
    })),
  ];
  const listed = new Set([...waitingIds, ...rows.map(({ sessionId }) => sessionId)]);
  for (const run of live.filter(({ state, sessionId }) => isAtWork(state) && !listed.has(sessionId)))
    found.push({ at: run.startedAt, view: () => runNow(needs, run, since) });
  const latest = found.toSorted((a, b) => b.at - a.at).slice(0, MOST_SESSIONS);
  const sessions: Active[] = [];
  const board = needs.engine.board();
  for (const { view } of latest) {
    const one = await view();
    sessions.push({ ...one, title: namedAs(board, one.sessionId, one.title) });
  }
  return { sessions, permissions: live.flatMap(permissionsOf) };
};

const sessionNow = async (needs: ActivityNeeds, row: SessionRow, run: RunView | null, since: number): Promise<Active> => {
  const { sessionId } = row;
  const { store } = needs;
  const main = await threadNow(store, sessionId, { kind: 'main' });
  const isWorking = run === null ? main.isGoingOn && !(await isClosedBehind(needs, sessionId, main.position)) : isAtWork(run.state);
  return {
    ...nothingKnown(needs, sessionId, row.tool),
    title: row.title,
    project: row.project,
    lastAt: timeOf(row.lastAt),
    isWorking,
    isYourTurn: !isWorking && main.isAnswerable,
    doing: main.doing,
    agents: await agentsAtWork(needs, sessionId, isWorking, since),
    runId: run?.runId ?? null,
  };
};

/** A run whose session isn't in the list: either long quiet, or so new that none of it has been read yet. */
const runNow = async (needs: ActivityNeeds, run: RunView, since: number): Promise<Active> => {
  const row = await needs.store.library.session(run.sessionId);
  if (row !== null) return sessionNow(needs, row, run, since);
  return {
    ...nothingKnown(needs, run.sessionId),
    title: run.prompt,
    project: run.cwd,
    lastAt: timeOf(run.startedAt),
    isWorking: true,
    runId: run.runId,
  };
};

/** Whether the turn was closed after its last record, by the run that drives the session or by the cleanup of abandoned turns. */
export const isClosedBehind = async ({ store }: Pick<ActivityNeeds, 'store'>, sessionId: string, position: number): Promise<boolean> => {
  const newest = await store.log.entriesBefore(sessionId, Number.MAX_SAFE_INTEGER, LOOKED_AT);
  return newest.some((entry) => entry.type === ENTRY_TYPES.turnClosed && entry.position > position);
};

/**
 * API-34: sub-agents that were active recently and aren't finished. A sub-agent is finished once its call is answered; if the turn waits for it, it
 * is finished when that turn ends.
 */
const agentsAtWork = async (needs: ActivityNeeds, sessionId: string, isWorking: boolean, since: number): Promise<Active['agents']> => {
  const { store } = needs;
  const lately = (await store.library.agents(sessionId, since)).toSorted((a, b) => (b.lastAt ?? 0) - (a.lastAt ?? 0)).slice(0, MOST_AGENTS);
  const found: Active['agents'][number][] = [];
  for (const row of lately.toSorted((a, b) => a.firstPosition - b.firstPosition)) {
    const thread = await threadNow(store, sessionId, { kind: 'agent', agentId: row.agentId });
    if (!thread.isGoingOn) continue;
    const call = await agentCallOf(store, row);
    const isDone = call !== null && (call.answer === null ? !isWorking : call.answer !== 'stub');
    if (!isDone) found.push({ ...agentView(row), agent: call?.agent ?? 'unknown', doing: thread.doing });
  }
  return found;
};

const agentView = ({ agentId, firstAt, lastAt, toolUses }: AgentRow): Omit<Active['agents'][number], 'agent' | 'doing'> => ({
  agentId,
  startedAt: timeOf(firstAt),
  lastAt: timeOf(lastAt),
  operations: toolUses,
});

const nothingKnown = (needs: ActivityNeeds, sessionId: string, tool: string = claudeCode.name): Active => ({
  sessionId,
  tool,
  title: null,
  project: null,
  lastAt: null,
  isWorking: false,
  isYourTurn: false,
  doing: null,
  agents: [],
  runId: null,
  launchId: needs.launches.of(sessionId)?.launchId ?? null,
});

const permissionsOf = ({ runId, sessionId, pending }: RunView): Awaited<Answer<'activity'>>['permissions'] =>
  pending.map(({ requestId, tool, title, input, askedAt }) => ({
    runId,
    sessionId,
    requestId,
    tool,
    title,
    summary: operationOf(tool, input),
    askedAt: timeOf(askedAt),
  }));

const runIn = (runs: readonly RunView[], wanted: string): RunView | null => runs.find(({ sessionId }) => sessionId === wanted) ?? null;

const isAtWork = (state: RunView['state']): boolean => state === 'starting' || state === 'running' || state === 'waiting';

const MOST_SESSIONS = 50;
const MOST_AGENTS = 16;
const LOOKED_AT = 20;
