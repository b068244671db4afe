import type { Board } from '../board/state.ts';
import { rowsOf } from '../board/tables.ts';
import type { Verification } from '../messages/marks.ts';
import type { ValidationOutcome, ValidationType } from '../messages/validation.ts';

/** The seed's MechanicalValidationConfig; its history is folded by itself. */
export type ValidationConfig = {
  readonly isOn: boolean;
  readonly allowed: readonly ValidationType[];
  readonly changes: readonly ConfigChange[];
};

export type ConfigChange = {
  readonly isOn: boolean;
  readonly allowed: readonly ValidationType[];
  readonly reason: string | null;
  readonly by: string;
  readonly at: number;
  readonly position: number;
};

/** VAL-7: everything is off until the operator switches it on. */
export const validationConfig = (board: Board): ValidationConfig => board.validationConfig.get(ONLY) ?? OFF;

export const ONLY = 'config';
const OFF: ValidationConfig = { isOn: false, allowed: [], changes: [] };

/** What stays of a run when a later one has taken its place. */
export type ValidationRun = {
  readonly id: string;
  readonly sidebarId: string;
  readonly claim: string;
  readonly type: ValidationType;
  readonly by: string;
  readonly isAuto: boolean;
  readonly subject: string;
  readonly outcome: ValidationOutcome;
  readonly needsReview: boolean;
  readonly duration: number;
  readonly at: number;
  readonly position: number;
  readonly overruled: Overruling | null;
};

export type Overruling = { readonly by: string; readonly at: number; readonly verification: Verification; readonly reason: string };

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
