import type { AgentId, SidebarId } from '../ids.ts';
import type { Board } from '../board/state.ts';
import type { Recorded } from '../messages/catalogue.ts';
import { sidebarIdOfContext } from '../messages/values.ts';
import type { Equipment, SeatRun, Today } from './seat-run.ts';
import { seatOf, seatsOfAgent } from './seats.ts';
import type { Seat } from './state.ts';

export const seatKey = (agent: AgentId, sidebarId: SidebarId): string => `${agent}@${sidebarId}`;

export const seatRunOf = (board: Pick<Board, 'seatRuns'>, agent: AgentId, sidebarId: SidebarId): SeatRun | null =>
  board.seatRuns.get(seatKey(agent, sidebarId)) ?? null;

export const equipmentOf = (board: Pick<Board, 'equipment'>, agent: AgentId): Equipment =>
  board.equipment.get(agent) ?? {
    agent,
    runtime: null,
    model: null,
    instructions: null,
    respondsTo: 'mentions',
    reach: 'sidebar',
    isResting: false,
    today: { day: 0, usd: 0, granted: 0 },
    deeds: { spawns: [], recruitments: [] },
  };

/** Stands for all agents. */
const ALL_AGENTS = '*';

/** RT-17: whether an agent rests: individually, or with all others. */
export const isResting = (board: Pick<Board, 'equipment'>, agent: AgentId): boolean =>
  equipmentOf(board, agent).isResting || equipmentOf(board, ALL_AGENTS).isResting;

/** RT-16: the seats that a runtime acts for: the agent has one and isn't retired. */
export const actingSeats = (board: Board, agent: AgentId): readonly Seat[] =>
  equipmentOf(board, agent).runtime === null || !isThere(board, agent) ? [] : seatsOfAgent(board, agent);

export const isActing = (board: Board, agent: AgentId, sidebarId: SidebarId): boolean =>
  equipmentOf(board, agent).runtime !== null && isThere(board, agent) && seatOf(board, agent, sidebarId) !== null;

const isThere = ({ agents }: Pick<Board, 'agents'>, agent: AgentId): boolean => agents.get(agent)?.isRetired === false;

/** Consecutive agent turns in a sidebar without a result. */
export const turnsInARow = (board: Pick<Board, 'turnRows'>, sidebarId: SidebarId): number => board.turnRows.get(sidebarId) ?? 0;

/**
 * The cost of an agent, or of all agents (null), on a day, across sidebars, and the amount granted for it. Setting the clock back doesn't restore it.
 */
export const todayOf = (board: Pick<Board, 'equipment'>, agent: string | null, at: number): Pick<Today, 'usd' | 'granted'> => {
  const { today } = equipmentOf(board, agent ?? ALL_AGENTS);
  return today.day >= dayOf(at) ? today : { usd: 0, granted: 0 };
};

/** The end of the day that a time belongs to. */
export const endOfDay = (at: number): number => (dayOf(at) + 1) * DAY;

const addToday = (board: Board, agent: AgentId, at: number, more: { readonly usd?: number; readonly granted?: number }): void => {
  const row = equipmentOf(board, agent);
  const { usd, granted } = todayOf(board, agent, at);
  const day = Math.max(row.today.day, dayOf(at));
  board.equipment.set(agent, { ...row, today: { day, usd: usd + (more.usd ?? 0), granted: granted + (more.granted ?? 0) } });
};

const changeRun = (board: Board, { contextId, at }: Recorded, agent: AgentId, next: (run: SeatRun) => Partial<SeatRun>): void => {
  const sidebarId = sidebarIdOfContext(contextId) ?? '';
  const run = seatRunOf(board, agent, sidebarId) ?? newRun(agent, sidebarId, at);
  board.seatRuns.set(seatKey(agent, sidebarId), { ...run, ...next(run) });
};

/** Evolvers of the family. */
export const runtimeEvents = {
  'agent.equipped': (board: Board, event: Recorded<'agent.equipped'>): void => {
    const { agent } = event.payload;
    board.equipment.set(agent, { ...equipmentOf(board, agent), ...event.payload });
  },
  'agents.rested': (board: Board, event: Recorded<'agents.rested'>): void => {
    const agent = event.payload.agent ?? ALL_AGENTS;
    board.equipment.set(agent, { ...equipmentOf(board, agent), isResting: event.payload.isResting });
  },
  // The log has who asked for it; the seat reports the outcome.
  'seat.called': (board: Board, event: Recorded<'seat.called'>): void => {
    if (event.payload.wish === 'restart') changeRun(board, event, event.payload.agent, () => ({ crashes: [], state: 'stopped', why: null }));
    if (event.payload.wish === 'stop') changeRun(board, event, event.payload.agent, () => ({ state: 'stopped', why: STOPPED }));
  },
  'budget.granted': (board: Board, event: Recorded<'budget.granted'>): void => {
    const { agent, turns, tokens, usd, usdToday, boardUsdToday } = event.payload;
    if (usdToday !== undefined) addToday(board, agent, event.at, { granted: usdToday });
    if (boardUsdToday !== undefined) addToday(board, ALL_AGENTS, event.at, { granted: boardUsdToday });
    changeRun(board, event, agent, ({ granted }) => ({
      granted: { turns: granted.turns + turns, tokens: granted.tokens + tokens, usd: granted.usd + usd },
    }));
  },
  'seat.told': (board: Board, event: Recorded<'seat.told'>): void => {
    const { agent, isCrash, ...told } = event.payload;
    changeRun(board, event, agent, ({ crashes }) => ({
      ...told,
      at: event.at,
      crashes: isCrash ? [...crashes, event.at].slice(-MOST_CRASHES) : crashes,
    }));
  },
  'seat.held': (board: Board, event: Recorded<'seat.held'>): void => {
    const { agent, server, host } = event.payload;
    changeRun(board, event, agent, () => ({ heldBy: server === null ? null : { server, host } }));
  },
  'turn.told': (board: Board, event: Recorded<'turn.told'>): void => {
    const { agent, turn, status, upTo, isAgain, usage, why } = event.payload;
    const usd = usage?.costUsd ?? 0;
    if (usd > 0) for (const one of [agent, ALL_AGENTS]) addToday(board, one, event.at, { usd });
    changeRun(board, event, agent, (run) => {
      if (status === 'begun') {
        return { turn: { id: turn, at: event.at, toldBefore: run.toldUpTo }, toldUpTo: Math.max(run.toldUpTo, upTo), turns: run.turns + 1 };
      }
      const tokens = usage === null ? 0 : usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
      return {
        turn: null,
        // RT-70: the reason for a failure is shown until a turn succeeds; why it rests or is stopped is separate.
        ...(run.state === 'ready' ? { why: status === 'failed' ? why : null } : {}),
        toldUpTo: isAgain ? (run.turn?.toldBefore ?? run.toldUpTo) : Math.max(run.toldUpTo, upTo),
        tokens: run.tokens + tokens,
        usd: run.usd + usd,
      };
    });
    const sidebarId = sidebarIdOfContext(event.contextId) ?? '';
    if (status === 'completed') board.turnRows.set(sidebarId, turnsInARow(board, sidebarId) + 1);
  },
  'limit.told': (): void => {},
};

/** RT-11: a human message, a finding, a citation or a new status is a result. Agents' messages to each other aren't. */
export const followTurns = (board: Board, { contextId, type, by }: Recorded): void => {
  const sidebarId = sidebarIdOfContext(contextId);
  if (sidebarId === null || turnsInARow(board, sidebarId) === 0) return;
  if (by.type === 'human' || PROGRESS.test(type)) board.turnRows.set(sidebarId, 0);
};

/** RT-60: an agent with a runtime starts a sidebar, or recruits agents. */
export const followDeeds = (board: Board, event: Recorded): void => {
  const { type, payload, at, by } = event;
  if (type === 'sidebar.spawned' && by.type === 'agent') {
    addDeeds(board, by.id, 'spawns', at, 1);
    addDeeds(board, by.id, 'recruitments', at, recruitsIn(board, by.id, payload.participants));
  }
  // Requests were counted when they were made.
  if (type === 'agent.joined' && payload.request === undefined && payload.recruitedBy !== payload.agent)
    addDeeds(board, payload.recruitedBy, 'recruitments', at, 1);
  if (type === 'recruitment.requested' && payload.kind === 'join' && payload.by !== payload.agent) addDeeds(board, payload.by, 'recruitments', at, 1);
};

/** The agents of a team who were recruited by somebody else. */
export const recruitsIn = (board: Pick<Board, 'agents'>, by: string, team: readonly string[]): number =>
  team.filter((one) => one !== by && board.agents.get(one)?.kind === 'agent').length;

const addDeeds = (board: Board, agent: AgentId, of: 'spawns' | 'recruitments', at: number, count: number): void => {
  const row = equipmentOf(board, agent);
  if (row.runtime === null || count === 0) return;
  const all = [...row.deeds[of], ...Array.from({ length: count }, () => at)].slice(-MOST_DEEDS);
  board.equipment.set(agent, { ...row, deeds: of === 'spawns' ? { ...row.deeds, spawns: all } : { ...row.deeds, recruitments: all } });
};

const PROGRESS = /^(?:finding|citation|gold|sidebar|checkpoint|merge|conflict)\./u;

const newRun = (agent: AgentId, sidebarId: SidebarId, at: number): SeatRun => ({
  agent,
  sidebarId,
  state: 'stopped',
  runtime: '',
  model: null,
  sessionId: '',
  contextKind: 'briefing',
  why: null,
  at,
  turn: null,
  toldUpTo: 0,
  turns: 0,
  tokens: 0,
  usd: 0,
  granted: { turns: 0, tokens: 0, usd: 0 },
  crashes: [],
});

const dayOf = (at: number): number => Math.floor(at / DAY);

/** The reason shown for a seat that the operator or coordinator stopped; it stays until a restart. */
export const STOPPED = 'stopped by request';

const DAY = 86_400_000;
const MOST_CRASHES = 10;
const MOST_DEEDS = 100;
