import { assertNever } from '@yarnboard/domain';
import type { SeatLimits } from '@yarnboard/protocol';

export const BUDGETS = ['turns', 'tokens', 'usd', 'usd-per-day', 'board-usd-per-day'] as const;
export type Budget = (typeof BUDGETS)[number];

/** What a seat has used up. All of it is folded from the log, so that no restart gives anything back. */
export type Spent = {
  readonly turns: number;
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

export const shareOf = ({ spent, limits }: Pick<Spending, 'spent' | 'limits'>, budget: Budget): number => {
  switch (budget) {
    case 'turns':
      return spent.turns / limits.turns;
    case 'tokens':
      return spent.tokens / limits.tokens;
    case 'usd':
      return spent.usd / limits.usd;
    case 'usd-per-day':
      return spent.usdToday / limits.usdPerDay;
    case 'board-usd-per-day':
      return spent.usdBoardToday / limits.boardUsdPerDay;
    default:
      return assertNever(budget);
  }
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
