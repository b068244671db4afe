import type { CitationSource, FindingStatus, GoldAnswer, MediaType } from '../messages/values.ts';

export type Citation = {
  readonly id: string;
  /** CITE-n */
  readonly ref: string;
  readonly source: CitationSource;
  readonly content: string | null;
  readonly relevance: number | null;
  readonly note: string | null;
  readonly contextId: string;
  readonly createdBy: string;
  readonly createdAt: number;
  readonly position: number;
};

export type Media = {
  readonly id: string;
  /** MEDIA-n */
  readonly ref: string;
  readonly mediaType: MediaType;
  readonly filePath: string;
  readonly fileSize: number;
  readonly state: 'pending' | 'processing' | 'complete' | 'failed';
  readonly mime: string | null;
  readonly sha256: string | null;
  readonly why: string | null;
  readonly uploadedDuring: string;
  readonly inResponseTo: string | null;
  readonly uploadedBy: string;
  readonly uploadedAt: number;
  readonly position: number;
};

/** GOLD-12: where a waypoint was shown, and the answer. */
export type GoldShown = { readonly contextId: string; readonly at: number; readonly answer: GoldAnswer | null; readonly answeredBy: string | null };

export type Gold = {
  readonly id: string;
  /** GOLD-n */
  readonly ref: string;
  readonly sourceRefs: readonly string[];
  readonly keyInsight: string;
  readonly reusePattern: string;
  readonly triggerConditions: readonly string[];
  readonly confidence: number | null;
  readonly createdBy: string;
  /** The context id of the place it was found in. */
  readonly createdIn: string;
  readonly createdAt: number;
  readonly position: number;
  readonly timesReferenced: number;
  readonly timesSurfaced: number;
  /** Where it was shown, latest last, only as many as can be answered. */
  readonly shown: readonly GoldShown[];
  readonly timesUseful: number;
  readonly timesNotNow: number;
  /** How often it was answered "not now" since it was last useful. */
  readonly notNowInARow: number;
  /** GOLD-3: protected at once, and validated like anything else. */
  readonly status: FindingStatus;
  readonly validatedBy: string | null;
  readonly validatedAt: number | null;
  readonly validationNotes: string | null;
  readonly isProvisional: boolean;
  readonly superseded: { readonly by: string | null; readonly why: string } | null;
};

/** Whether a waypoint is still shown to anyone who meets its symptoms. */
export const isStanding = ({ status, superseded }: Gold): boolean => superseded === null && status !== 'rejected';

/** GOLD-13: answered "not now" so often in a row that it stays away until somebody finds it useful. */
export const isGoldResting = ({ notNowInARow }: Gold): boolean => notNowInARow >= REFUSALS_TO_REST;

export const isComingUp = (gold: Gold): boolean => isStanding(gold) && !isGoldResting(gold);

export const REFUSALS_TO_REST = 3;
/** How many of the latest places that showed a waypoint can be answered. */
export const MOST_ANSWERABLE = 20;
