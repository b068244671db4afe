import { seatRunOf, todayOf, turnsInARow, type Board, type SeatRun } from '@yarnboard/domain';
import type { SeatLimits } from '@yarnboard/protocol';
import type { Spent } from './budgets.ts';
import type { SeatPlace } from './port.ts';
import { newSeat, type Supervised } from './supervision.ts';

/** A seat's state according to the log. */
export const seatFrom = (board: Board, { agent, sidebarId }: SeatPlace, limits: SeatLimits, now: number): Supervised => {
  const run = seatRunOf(board, agent, sidebarId);
  const spent: Spent = {
    turns: run?.turns ?? 0,
    unanswered: run?.unanswered ?? 0,
    tokens: run?.tokens ?? 0,
    usd: run?.usd ?? 0,
    ...spentToday(board, agent, now),
  };
  return newSeat(limitsFor(board, { agent, sidebarId }, limits, now), spent, run?.crashes ?? [], turnsInARow(board, sidebarId), 'none');
};

export const spentToday = (board: Board, agent: string, now: number): Pick<Spent, 'usdToday' | 'usdBoardToday'> => ({
  usdToday: todayOf(board, agent, now).usd,
  usdBoardToday: todayOf(board, null, now).usd,
});

export const limitsFor = (board: Board, { agent, sidebarId }: SeatPlace, limits: SeatLimits, now: number): SeatLimits => ({
  ...limitsOf(seatRunOf(board, agent, sidebarId), limits),
  usdPerDay: limits.usdPerDay + todayOf(board, agent, now).granted,
  boardUsdPerDay: limits.boardUsdPerDay + todayOf(board, null, now).granted,
});

export const limitsOf = (run: SeatRun | null, limits: SeatLimits): SeatLimits => ({
  ...limits,
  turns: limits.turns + (run?.granted.turns ?? 0),
  tokens: limits.tokens + (run?.granted.tokens ?? 0),
  usd: limits.usd + (run?.granted.usd ?? 0),
});
