import type { CitationSource, FindingStatus, MediaType } from '../messages/values.ts';

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
  /** The context id of where it was found. */
  readonly createdIn: string;
  readonly createdAt: number;
  readonly position: number;
  readonly timesReferenced: number;
  readonly timesSurfaced: number;
  /** GOLD-3: protected at once, and still to be validated like anything else. */
  readonly status: FindingStatus;
  readonly validatedBy: string | null;
  readonly validatedAt: number | null;
  readonly validationNotes: string | null;
  readonly isProvisional: boolean;
  readonly superseded: { readonly by: string | null; readonly why: string } | null;
};

/** Whether a waypoint is still shown to whoever meets its symptoms. */
export const isStanding = ({ status, superseded }: Gold): boolean => superseded === null && status !== 'rejected';
