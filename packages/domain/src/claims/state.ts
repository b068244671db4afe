import type { Validation } from './conclusion.ts';
import type { ClaimType, Verification } from '../messages/marks.ts';

/** Somebody's judgement of a claim. Withdrawn judgements are gone. */
export type Judgement = {
  readonly by: string;
  readonly verification: Exclude<Verification, 'unverified'>;
  readonly confidence: number;
  /** The judge gave no confidence. */
  readonly isAssumed: boolean;
  readonly notes: string | null;
  readonly evidence: readonly string[];
  readonly at: number;
  readonly position: number;
};

/** The curator's decision on differing judgements. It may leave the matter open. */
export type Settlement = Omit<Judgement, 'verification' | 'confidence' | 'evidence'> & {
  readonly verification: Verification;
  readonly confidence: number | null;
};

/** A statement from before the sidebar began: a place, its words, and its judgements here. */
export type Claim = {
  readonly id: string;
  /** From 1, within its sidebar. */
  readonly number: number;
  /** EXCH-n; empty once its subject is forgotten. */
  readonly exchange: string;
  readonly messages: readonly string[];
  /** Null for the exchange as a whole. */
  readonly words: string | null;
  readonly from: number | null;
  readonly type: ClaimType | null;
  readonly isVolatile: boolean;
  readonly isFound: boolean;
  readonly saidBy: readonly string[];
  readonly originalConfidence: number | null;
  readonly at: number;
  readonly position: number;
  /** The latest judgement of each judge, in the order they came. */
  readonly judgements: readonly Judgement[];
  readonly settlement: Settlement | null;
  /** The latest check by machine. */
  readonly validation: Validation | null;
  /** The human, or whoever settled it, has judged since that check. */
  readonly isReviewed: boolean;
};

/** VAL-12: its checks disagree, and nobody has decided since. */
export const needsReview = ({ exchange, validation, isReviewed }: Claim): boolean =>
  exchange !== '' && validation?.needsReview === true && !isReviewed;

/** What a claim is called everywhere. */
export const refOfClaim = (sidebarRef: string, { number, id }: Pick<Claim, 'number' | 'id'>): string =>
  sidebarRef === '' ? id : `${sidebarRef}:CLAIM-${number}`;
