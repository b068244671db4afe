import { endOfDay } from '@yarnboard/domain';
import type { SeatLimits } from '@yarnboard/protocol';
import { uuidFor } from '@yarnboard/store';
import type { SeatPlace } from './port.ts';

export const BUDGETS = ['turns', 'tokens', 'usd', 'usd-per-day', 'board-usd-per-day'] as const;
export type Budget = (typeof BUDGETS)[number];

/** What a seat has used up. It is computed from the log alone, so a restart doesn't reset anything. */
export type Spent = {
  readonly turns: number;
  /** RT-70: of these, the turns repeated because the provider didn't answer. */
  readonly unanswered: number;
  readonly tokens: number;
  readonly usd: number;
  readonly usdToday: number;
  /** Of all agents together. */ readonly usdBoardToday: number;
};

/** A seat's spending and its limits. */
export type Spending = { readonly spent: Spent; readonly limits: SeatLimits; readonly row: number };

/** The budget that blocks the seat's next turn, if any. */
export const holdOf = (seat: Spending): Budget | 'row' | null =>
  BUDGETS.find((budget) => shareOf(seat, budget) >= 1) ?? (seat.row >= seat.limits.turnsInARow ? 'row' : null);

export const shareOf = ({ spent, limits }: Pick<Spending, 'spent' | 'limits'>, budget: Budget): number =>
  SPENT[budget](spent) / LIMITS[budget](limits);

const SPENT = {
  turns: ({ turns, unanswered }) => turns - unanswered,
  tokens: ({ tokens }) => tokens,
  usd: ({ usd }) => usd,
  'usd-per-day': ({ usdToday }) => usdToday,
  'board-usd-per-day': ({ usdBoardToday }) => usdBoardToday,
} as const satisfies Record<Budget, (spent: Spent) => number>;

const LIMITS = {
  turns: ({ turns }) => turns,
  tokens: ({ tokens }) => tokens,
  usd: ({ usd }) => usd,
  'usd-per-day': ({ usdPerDay }) => usdPerDay,
  'board-usd-per-day': ({ boardUsdPerDay }) => boardUsdPerDay,
} as const satisfies Record<Budget, (limits: SeatLimits) => number>;

/**
 * RT-11: the id of a budget notice. It is the same whichever seat or server reports the notice, and across restarts, so each notice appears once. A
 * notice is about the board's day (for everyone), an agent's day, or a sidebar. A raised budget or another day gives a new id.
 */
export const noticeId = ({ agent, sidebarId }: SeatPlace, limits: SeatLimits, of: Budget, share: number, at: number): string => {
  const isNear = share < 1;
  const day = isOfDay(of) ? endOfDay(at) : '';
  // A seat that a budget stops is reported in its own sidebar.
  const who = isNear && of === 'board-usd-per-day' ? '' : isNear && of === 'usd-per-day' ? agent : `${agent}|${sidebarId}`;
  return uuidFor(`limit|${who}|${of}|${share}|${LIMITS[of](limits)}|${day}`);
};

/** Daily budgets reset tomorrow. */
export const isOfDay = (held: Budget | 'row'): boolean => held === 'usd-per-day' || held === 'board-usd-per-day';

export const HELD = {
  turns: 'its turns in this sidebar are used up',
  tokens: 'its tokens in this sidebar are used up',
  usd: 'its budget for this sidebar is used up',
  'usd-per-day': 'its budget for today is used up',
  'board-usd-per-day': 'the budget of all agents for today is used up',
  row: 'agents took turns for a while and nothing came of it',
} as const satisfies Record<Budget | 'row', string>;
