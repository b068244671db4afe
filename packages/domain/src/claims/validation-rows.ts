import type { Verification } from '../messages/marks.ts';
import type { ValidationOutcome, ValidationType } from '../messages/validation.ts';

/** The seed's MechanicalValidationConfig; its history is folded separately. */
export type ValidationConfig = {
  readonly isOn: boolean;
  readonly allowed: readonly ValidationType[];
  /** CLAIM-7: how long a state is valid, in milliseconds. */
  readonly stateTtl: number;
  readonly changes: readonly ConfigChange[];
};

export type ConfigChange = {
  readonly isOn: boolean;
  readonly allowed: readonly ValidationType[];
  readonly stateTtl: number;
  readonly reason: string | null;
  readonly by: string;
  readonly at: number;
  readonly position: number;
};

/** What is kept of a run once a later one has replaced it. */
export type ValidationRun = {
  readonly id: string;
  readonly sidebarId: string;
  /** A claim, or a finding that was checked. */
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
