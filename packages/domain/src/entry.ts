import type { NumberedType } from './refs.ts';

export const SENDER_TYPES = ['agent', 'human', 'system'] as const;
export type SenderType = (typeof SENDER_TYPES)[number];

export const CONTENT_TYPES = ['text', 'code', 'media_ref', 'system'] as const;
export type ContentType = (typeof CONTENT_TYPES)[number];

/** What kinds of entries there are so far. A stored type is never renamed; a new shape is a new version. */
export const ENTRY_TYPES = {
  /** One record of a transcript, its bytes being the payload. */
  line: 'transcript.line',
  /** A record whose uuid was on the log already: bytes kept, no number, no count, no cost. */
  copied: 'transcript.copied',
  /** A file that belongs to a transcript: a large tool output, an agent's meta file, a workflow journal. */
  companion: 'transcript.companion',
  /** The human operator dropped a payload for good; its hash stays. */
  forgotten: 'payload.forgotten',
} as const;

/** What is said or done, before it has a place on the log. Times are milliseconds since 1970. */
export type Draft = {
  /** Made by whoever says it, so that saying it again is noticed; null for a record without one, which is then known by its key. */
  readonly uuid: string | null;
  readonly type: string;
  readonly version: number;
  readonly timestamp: number;
  readonly processingTimeMs: number | null;
  readonly contentType: ContentType;
  /** In characters. */
  readonly contentLength: number;
  readonly tokenCount: number | null;
  readonly sender: string;
  readonly senderType: SenderType;
  readonly contextId: string;
  readonly parentMsgId: string | null;
  readonly sessionId: string;
  readonly agentModelVersion: string | null;
  readonly citationsUsed: readonly string[];
  readonly mediaAttached: readonly string[];
  readonly toolsInvoked: readonly string[] | null;
  readonly toolResultsSummary: string | null;
  readonly senderConfidence: number | null;
  readonly flaggedUncertain: boolean;
  readonly errorOccurred: boolean;
  readonly errorRef: string | null;
  readonly originatingClient: string;
  readonly clientVersion: string | null;
  /** For records of transcripts: how often the same bytes were in their context before, from 1. With context and hash it is the record's key. */
  readonly occurrence: number | null;
  /** Which kinds of numbers it is given, e.g. MSG. */
  readonly numbers: readonly NumberedType[];
  /** What else there is to say: why a line could not be read, the name of a companion, the hash that was forgotten. */
  readonly note: string | null;
};

/** An entry of the log. Nothing of it ever changes. */
export type Entry = Omit<Draft, 'uuid' | 'numbers'> & {
  /** From 1, without gaps. */
  readonly position: number;
  readonly uuid: string;
  /** The references it was given, e.g. MSG-4521; the first is its entry id. */
  readonly refs: readonly string[];
  /** When it was appended; never before the entry in front of it, whatever the clock says. */
  readonly recordedAt: number;
  /** SHA-256 of the payload in hexadecimal; null when there is none. */
  readonly payloadHash: string | null;
  /** The position of the entry whose uuid this record repeats. */
  readonly copyOf: number | null;
};

/** An entry with its place in the chain. */
export type ChainedEntry = Entry & { readonly innerHash: string; readonly checksum: string };

/**
 * LOG-2: the text whose hash stands for the entry: every field, in an order that never changes. A list and not an object: names would be hashed a
 * million times, and the order of keys is nobody's promise.
 */
export const canonicalOf = (entry: Entry): string =>
  JSON.stringify([
    1,
    entry.position,
    entry.uuid,
    entry.type,
    entry.version,
    entry.timestamp,
    entry.recordedAt,
    entry.refs,
    entry.payloadHash,
    entry.contentType,
    entry.contentLength,
    entry.tokenCount,
    entry.processingTimeMs,
    entry.sender,
    entry.senderType,
    entry.contextId,
    entry.parentMsgId,
    entry.sessionId,
    entry.agentModelVersion,
    entry.citationsUsed,
    entry.mediaAttached,
    entry.toolsInvoked,
    entry.toolResultsSummary,
    entry.senderConfidence,
    entry.flaggedUncertain,
    entry.errorOccurred,
    entry.errorRef,
    entry.originatingClient,
    entry.clientVersion,
    entry.occurrence,
    entry.copyOf,
    entry.note,
  ]);
