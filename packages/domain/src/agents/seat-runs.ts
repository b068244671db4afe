import type { Board } from '../board/state.ts';
import type { Recorded } from '../messages/catalogue.ts';
import { sidebarIdOfContext } from '../messages/values.ts';
import type { Equipment, SeatRun } from './seat-run.ts';
import { seatOf, seatsOfAgent } from './seats.ts';
import type { Seat } from './state.ts';

export const seatKey = (agent: string, sidebarId: string): string => `${agent}@${sidebarId}`;

export const seatRunOf = (board: Pick<Board, 'seatRuns'>, agent: string, sidebarId: string): SeatRun | null =>
  board.seatRuns.get(seatKey(agent, sidebarId)) ?? null;

export const equipmentOf = (board: Pick<Board, 'equipment'>, agent: string): Equipment =>
  board.equipment.get(agent) ?? { agent, runtime: null, model: null, instructions: null, respondsTo: 'mentions', reach: 'sidebar', isResting: false };

/** Stands for everybody at once. */
const ALL_AGENTS = '*';

/** RT-17: whether an agent rests: by itself, or with all of them. */
export const isResting = (board: Pick<Board, 'equipment'>, agent: string): boolean =>
  equipmentOf(board, agent).isResting || equipmentOf(board, ALL_AGENTS).isResting;

/** RT-16: the seats that a runtime makes act: the agent has one, and is not retired. */
export const actingSeats = (board: Board, agent: string): readonly Seat[] =>
  equipmentOf(board, agent).runtime === null || !isThere(board, agent) ? [] : seatsOfAgent(board, agent);

export const isActing = (board: Board, agent: string, sidebarId: string): boolean =>
  equipmentOf(board, agent).runtime !== null && isThere(board, agent) && seatOf(board, agent, sidebarId) !== null;

const isThere = ({ agents }: Pick<Board, 'agents'>, agent: string): boolean => agents.get(agent)?.isRetired === false;

/** Turns of agents in a row in a sidebar without anything coming of it. */
export const turnsInARow = (board: Pick<Board, 'turnRows'>, sidebarId: string): number => board.turnRows.get(sidebarId) ?? 0;

/** What an agent has cost on a day in all its sidebars. */
export const usdOfDay = (board: Board, agent: string, at: number): number =>
  seatsOfAgent(board, agent).reduce((sum, { sidebarId }) => {
    const today = seatRunOf(board, agent, sidebarId)?.today;
    return today?.day === dayOf(at) ? sum + today.usd : sum;
  }, 0);

const changeRun = (board: Board, { contextId, at }: Recorded, agent: string, next: (run: SeatRun) => Partial<SeatRun>): void => {
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
  // Who asked for it is on the log; what came of it is told by the seat.
  'seat.called': (board: Board, event: Recorded<'seat.called'>): void => {
    if (event.payload.wish === 'restart') changeRun(board, event, event.payload.agent, () => ({ crashes: [], state: 'stopped', why: null }));
    if (event.payload.wish === 'stop') changeRun(board, event, event.payload.agent, () => ({ state: 'stopped', why: STOPPED }));
  },
  'budget.granted': (board: Board, event: Recorded<'budget.granted'>): void => {
    const { agent, turns, tokens, usd } = event.payload;
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
  'turn.told': (board: Board, event: Recorded<'turn.told'>): void => {
    const { agent, turn, status, upTo, isAgain, usage } = event.payload;
    changeRun(board, event, agent, (run) => {
      if (status === 'begun') {
        return { turn: { id: turn, at: event.at, toldBefore: run.toldUpTo }, toldUpTo: Math.max(run.toldUpTo, upTo), turns: run.turns + 1 };
      }
      const usd = usage?.costUsd ?? 0;
      const tokens = usage === null ? 0 : usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
      const day = dayOf(event.at);
      return {
        turn: null,
        toldUpTo: isAgain ? (run.turn?.toldBefore ?? run.toldUpTo) : Math.max(run.toldUpTo, upTo),
        tokens: run.tokens + tokens,
        usd: run.usd + usd,
        today: { day, usd: (run.today.day === day ? run.today.usd : 0) + usd },
      };
    });
    const sidebarId = sidebarIdOfContext(event.contextId) ?? '';
    if (status === 'completed') board.turnRows.set(sidebarId, turnsInARow(board, sidebarId) + 1);
  },
  'limit.told': (): void => {},
};

/** RT-11: a human word, a finding, a citation, another status: something has come of it. What agents say to each other is not. */
export const followTurns = (board: Board, { contextId, type, by }: Recorded): void => {
  const sidebarId = sidebarIdOfContext(contextId);
  if (sidebarId === null || turnsInARow(board, sidebarId) === 0) return;
  if (by.type === 'human' || PROGRESS.test(type)) board.turnRows.set(sidebarId, 0);
};

const PROGRESS = /^(?:finding|citation|gold|sidebar|checkpoint|merge|conflict)\./u;

const newRun = (agent: string, sidebarId: string, at: number): SeatRun => ({
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
  today: { day: 0, usd: 0 },
  granted: { turns: 0, tokens: 0, usd: 0 },
  crashes: [],
});

const dayOf = (at: number): number => Math.floor(at / DAY);

/** Why a seat stands still that the operator or the coordinator stopped; it stays so until it is started anew. */
export const STOPPED = 'stopped by request';

const DAY = 86_400_000;
const MOST_CRASHES = 10;
