import type { Board } from '../board/state.ts';
import { rowsOf } from '../board/tables.ts';
import type { ValidationType } from '../messages/validation.ts';
import { STATE_TTL } from './marks.ts';
import type { ValidationConfig, ValidationRun } from './validation-rows.ts';

/** VAL-7: everything is off until the operator enables it. */
export const validationConfig = (board: Pick<Board, 'validationConfig'>): ValidationConfig => board.validationConfig.get(ONLY) ?? OFF;

/** CLAIM-7: how long a state is valid on this board. */
export const stateTtl = (board: Pick<Board, 'validationConfig'>): number => validationConfig(board).stateTtl;

export const ONLY = 'config';
const OFF: ValidationConfig = { isOn: false, allowed: [], stateTtl: STATE_TTL, changes: [] };

/** VAL-13: the record of a type of check so far. A share of nothing is null. */
export type ValidationRates = {
  readonly type: ValidationType;
  readonly runs: number;
  readonly conclusive: number;
  readonly overruled: number;
  readonly conclusiveShare: number | null;
  /** The last time somebody had to intervene, and why. */
  readonly lastTrouble: { readonly at: number; readonly why: string } | null;
};

export const ratesOf = (board: Board, types: readonly ValidationType[]): readonly ValidationRates[] => {
  const runs = rowsOf(board.validations);
  return types.map((type) => {
    const mine = runs.filter((run) => run.type === type);
    const conclusive = mine.filter(({ outcome }) => outcome !== 'inconclusive').length;
    const overruled = mine.filter((run) => run.overruled !== null).length;
    const trouble = mine.findLast((run) => run.overruled !== null || run.needsReview);
    const share = mine.length === 0 ? null : conclusive / mine.length;
    return { type, runs: mine.length, conclusive, overruled, conclusiveShare: share, lastTrouble: trouble === undefined ? null : troubleOf(trouble) };
  });
};

const troubleOf = ({ overruled, at }: ValidationRun): NonNullable<ValidationRates['lastTrouble']> =>
  overruled === null ? { at, why: 'checks disagreed' } : { at: overruled.at, why: `overruled: ${overruled.reason}` };

/** How many runs since a time match. Counted in place: copying all of them for each question would be most of its cost. */
export const runsSince = (board: Board, since: number, fits: (run: ValidationRun) => boolean): number => {
  let count = 0;
  for (const [, run] of board.validations.entries()) if (run.at >= since && fits(run)) count += 1;
  return count;
};
