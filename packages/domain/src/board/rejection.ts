import { err, type Result } from '../result.ts';
import type { FactsOf } from './facts.ts';
import { REASONS, type RejectionCode } from './reasons.ts';

export type RejectionReason = keyof typeof REASONS;

/** Why a command was refused: nothing has changed. It is worded at the door, where the reader is known. */
export type Rejection = {
  readonly [R in RejectionReason]: {
    readonly code: (typeof REASONS)[R]['code'] & RejectionCode;
    readonly reason: R;
    readonly facts: FactsOf<(typeof REASONS)[R]['facts']>;
  };
}[RejectionReason];

/** The code follows from the reason (REJ-1). */
export const rejectionOf = <R extends RejectionReason>(reason: R, facts: FactsOf<(typeof REASONS)[R]['facts']>): Rejection =>
  ({ code: REASONS[reason].code, reason, facts }) as Rejection; // reason, code and facts belong together by R

export const reject = <R extends RejectionReason>(reason: R, facts: FactsOf<(typeof REASONS)[R]['facts']>): Result<never, Rejection> =>
  err(rejectionOf(reason, facts));
