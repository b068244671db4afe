import type { Board } from '../board/state.ts';
import { rowsOf } from '../board/tables.ts';
import type { ValidationType } from '../messages/validation.ts';
import type { ValidationConfig, ValidationRun } from './validation-rows.ts';

/** VAL-7: everything is off until the operator switches it on. */
export const validationConfig = (board: Board): ValidationConfig => board.validationConfig.get(ONLY) ?? OFF;

export const ONLY = 'config';
const OFF: ValidationConfig = { isOn: false, allowed: [], changes: [] };

/** VAL-13: how a type of check has done so far. A share of nothing is null. */
export type ValidationRates = {
  readonly type: ValidationType;
  readonly runs: number;
  readonly conclusive: number;
  readonly overruled: number;
  readonly conclusiveShare: number | null;
  /** When somebody last had to step in, and why. */
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

/** Runs since a moment, the latest first. They come in the order of the log, so looking ends with the first that is older. */
export const runsSince = (board: Board, since: number, fits: (run: ValidationRun) => boolean): number => {
  let count = 0;
  const runs = rowsOf(board.validations);
  for (let i = runs.length - 1; i >= 0; i -= 1) {
    const run = runs[i];
    if (run === undefined || run.at < since) break;
    if (fits(run)) count += 1;
  }
  return count;
};
