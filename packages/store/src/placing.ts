import { ENTRY_TYPES, type Draft, type Entry, type NumberedType } from '@yarnboard/domain';
import { uuidFor } from './hash.ts';

export type Place = {
  readonly position: number;
  readonly recordedAt: number;
  readonly hash: string | null;
  /** The result of `uuidOfKey`, if known already: it is a hash, computed once. */
  readonly keyUuid?: string | null;
  readonly copyOf: number | null;
  /** The checksum of the entry before it. */
  readonly after: Uint8Array;
  /** Whether an entry has this uuid. */
  readonly isTaken: (uuid: string) => boolean;
};

/** The entry that a draft becomes at its position. LOG-9: a copy gets no number, and a uuid of its own. */
export const entryAt = (draft: Draft, place: Place, nextRef: (type: NumberedType) => string): Entry => {
  const { position, recordedAt, hash, copyOf } = place;
  const isCopy = copyOf !== null;
  // Field by field: spreading thirty fields takes longer than hashing them.
  return {
    position,
    uuid: isCopy || draft.uuid === null ? freeUuid(draft, place) : draft.uuid,
    refs: isCopy ? NONE : draft.numbers.map(nextRef),
    type: isCopy ? ENTRY_TYPES.copied : draft.type,
    version: draft.version,
    timestamp: draft.timestamp,
    recordedAt,
    processingTimeMs: draft.processingTimeMs,
    payloadHash: hash,
    contentType: draft.contentType,
    contentLength: draft.contentLength,
    tokenCount: draft.tokenCount,
    sender: draft.sender,
    senderType: draft.senderType,
    contextId: draft.contextId,
    parentMsgId: draft.parentMsgId,
    sessionId: draft.sessionId,
    agentModelVersion: draft.agentModelVersion,
    citationsUsed: draft.citationsUsed,
    mediaAttached: draft.mediaAttached,
    toolsInvoked: draft.toolsInvoked,
    toolResultsSummary: draft.toolResultsSummary,
    senderConfidence: draft.senderConfidence,
    flaggedUncertain: draft.flaggedUncertain,
    errorOccurred: draft.errorOccurred,
    errorRef: draft.errorRef,
    originatingClient: draft.originatingClient,
    clientVersion: draft.clientVersion,
    occurrence: draft.occurrence,
    copyOf,
    note: draft.note,
  };
};

/**
 * LOG-8: the recording time of the entry that follows one recorded at `before`. A small step back of the clock doesn't show. When a clock returns
 * from far in the future, the recorded time follows it; otherwise everything would be recorded in that future until the clock gets there. The order
 * is that of positions.
 */
export const recordedAfter = (before: number, now: number): number => (before - now > SMALL_STEP ? now : Math.max(now, before));

const SMALL_STEP = 60_000;

/** LOG-7: the uuid of an entry that brings none of its own. */
export const uuidOfKey = ({ contextId, occurrence }: Draft, hash: string | number): string => uuidFor(`${contextId}|${hash}|${occurrence ?? 0}`);

// A record may carry, on purpose, the uuid that another one will be given: the log would then refuse the other one forever, and everything after it.
const freeUuid = (draft: Draft, { position, hash, keyUuid, after, isTaken }: Place): string => {
  const made = keyUuid ?? uuidOfKey(draft, hash ?? position);
  return isTaken(made) ? uuidFor(`${made}|${Buffer.from(after).toString('hex')}`) : made;
};

const NONE: readonly never[] = [];
