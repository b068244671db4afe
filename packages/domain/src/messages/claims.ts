import type { Status } from './values.ts';

/**
 * WIRE-33: a sender's additional statements: the state of things, who they are, the next number. The board knows all of this by itself. A true claim
 * changes nothing; a false one refuses the command, since its sender has something else in mind.
 */
export type Claims = {
  readonly oldStatus?: Status | undefined;
  readonly finalStatus?: Status | undefined;
  readonly role?: string | undefined;
  readonly recruitedBy?: string | undefined;
  readonly agentId?: string | undefined;
  readonly activeSidebars?: readonly string[] | undefined;
  readonly findingsAtCheckpoint?: readonly string[] | undefined;
  readonly fileSize?: number | undefined;
  readonly processingStatus?: string | undefined;
  readonly uploadedDuring?: string | undefined;
  readonly uploadedBy?: string | undefined;
  readonly uploadedAt?: string | undefined;
  readonly newSidebarId?: string | undefined;
  readonly childSidebarId?: string | undefined;
  readonly goldId?: string | undefined;
  readonly citationId?: string | undefined;
  readonly mediaId?: string | undefined;
  readonly entryId?: string | undefined;
  readonly checkpointId?: string | undefined;
};

export type ClaimName = keyof Claims;
