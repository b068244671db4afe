import { endOfDay } from '@yarnboard/domain';
import type { SeatLimits } from '@yarnboard/protocol';
import { uuidFor } from '@yarnboard/store';
import type { SeatPlace } from './port.ts';

export const BUDGETS = ['turns', 'tokens', 'usd', 'usd-per-day', 'board-usd-per-day'] as const;
export type Budget = (typeof BUDGETS)[number];

/** What a seat has used up. All of it is folded from the log, so that no restart gives anything back. */
export type Spent = {
  readonly turns: number;
  /** RT-70: of these, those that were asked again because no provider answered. */
  readonly unanswered: number;
  readonly tokens: number;
  readonly usd: number;
  readonly usdToday: number;
  /** Of all agents together. */ readonly usdBoardToday: number;
};

/** What is left of what a seat may use. */
export type Spending = { readonly spent: Spent; readonly limits: SeatLimits; readonly row: number };

/** What keeps a seat from its next turn. */
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
 * RT-11: the id by which a notice about a budget is told once, whichever seat or server tells it, and however often it starts: of the board's day to
 * everybody, of an agent's day, or of its sidebar. A budget that was raised is another one, and so is that of another day.
 */
export const noticeId = ({ agent, sidebarId }: SeatPlace, limits: SeatLimits, of: Budget, share: number, at: number): string => {
  const isNear = share < 1;
  const day = isOfDay(of) ? endOfDay(at) : '';
  // Who is held by it rests in its own sidebar, and is told of there.
  const who = isNear && of === 'board-usd-per-day' ? '' : isNear && of === 'usd-per-day' ? agent : `${agent}|${sidebarId}`;
  return uuidFor(`limit|${who}|${of}|${share}|${LIMITS[of](limits)}|${day}`);
};

/** A day's budget is there again tomorrow. */
export const isOfDay = (held: Budget | 'row'): boolean => held === 'usd-per-day' || held === 'board-usd-per-day';

export const HELD = {
  turns: 'its turns in this sidebar are used up',
  tokens: 'its tokens in this sidebar are used up',
  usd: 'its budget for this sidebar is used up',
  'usd-per-day': 'its budget for today is used up',
  'board-usd-per-day': 'the budget of all agents for today is used up',
  row: 'agents took turns for a while and nothing came of it',
} as const satisfies Record<Budget | 'row', string>;
