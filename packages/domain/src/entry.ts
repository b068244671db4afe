import type { NumberedType } from './refs.ts';

export const SENDER_TYPES = ['agent', 'human', 'system'] as const;
export type SenderType = (typeof SENDER_TYPES)[number];

export const CONTENT_TYPES = ['text', 'code', 'media_ref', 'system'] as const;
export type ContentType = (typeof CONTENT_TYPES)[number];

/** Entries about sessions. Those the board is folded from are in the catalogue (`messages`). A stored type is never renamed. */
export const ENTRY_TYPES = {
  /** One record of a transcript; the payload is its bytes. */
  line: 'transcript.line',
  /** A record whose uuid was on the log already: its bytes are kept, without number, count or cost. */
  copied: 'transcript.copied',
  /** A file that belongs to a transcript: a large tool output, an agent's meta file, a workflow journal. */
  companion: 'transcript.companion',
  /** BACK-3: what became of a session, or of its records, in the tool that wrote it. */
  takenBack: 'transcript.taken-back',
  /** The human operator deleted a payload for good; its hash stays. */
  forgotten: 'payload.forgotten',
  /** A record from a run's live stream; its file repeats it, and only then it becomes a numbered message. */
  streamed: 'stream.record',
  /** The runner of a session says that its turn is over. */
  turnClosed: 'turn.closed',
  runStarted: 'run.started',
  /** A run got its session, or changed to another one. */
  runMoved: 'run.moved',
  runEnded: 'run.ended',
  /** Everything a run streamed is in the library, from its files or from the stream. */
  runSettled: 'run.settled',
  permissionAsked: 'permission.asked',
  permissionAnswered: 'permission.answered',
  /** A terminal started `claude` through Yarnboard. */
  launchStarted: 'launch.started',
  launchMoved: 'launch.moved',
  launchEnded: 'launch.ended',
  /** LOG-32: an older state of the board was restored, and a new epoch begins here: earlier positions and numbers may mean something else. */
  restored: 'board.restored',
  /** REC-20: an outage is over: the commands that waited for the log, and their outcomes. */
  emergency: 'emergency.recorded',
} as const;

export type EntryType = (typeof ENTRY_TYPES)[keyof typeof ENTRY_TYPES];

/** Records of transcripts, the source of the library and the search index. Other entries say what was done with sessions. */
export const isTranscript = (type: string): boolean => type === ENTRY_TYPES.line || type === ENTRY_TYPES.copied || type === ENTRY_TYPES.companion;

/** Entries that say what was done with sessions, or contain text before its file did: search ignores them. */
export const isDeed = (type: string): boolean => DEEDS.has(type);

/**
 * Whether the board may depend on an entry of this type: anything but the types about sessions. A newer version may know a type that this one
 * doesn't.
 */
export const mayDecide = (type: string): boolean => !SESSION_TYPES.has(type);

/** An entry by Yarnboard itself: who did what, where; the details are in its payload. */
export type Deed = {
  readonly uuid: string;
  readonly type: EntryType;
  readonly timestamp: number;
  readonly sender: string;
  readonly senderType: SenderType;
  readonly sessionId: string;
  readonly contextId: string;
  readonly contentLength: number;
  readonly note: string | null;
};

export const draftOfDeed = (deed: Deed): Draft => ({
  ...deed,
  version: 1,
  processingTimeMs: null,
  contentType: 'system',
  tokenCount: null,
  parentMsgId: null,
  agentModelVersion: null,
  citationsUsed: NONE,
  mediaAttached: NONE,
  toolsInvoked: null,
  toolResultsSummary: null,
  senderConfidence: null,
  flaggedUncertain: false,
  errorOccurred: false,
  errorRef: null,
  originatingClient: 'yarnboard',
  clientVersion: null,
  occurrence: null,
  numbers: NONE,
});

const NONE: readonly never[] = [];

/** The types that the board never depends on. */
export const SESSION_ENTRY_TYPES: readonly EntryType[] = Object.values(ENTRY_TYPES);

const SESSION_TYPES: ReadonlySet<string> = new Set(SESSION_ENTRY_TYPES);

const DEEDS: ReadonlySet<string> = new Set(SESSION_ENTRY_TYPES.filter((type) => !isTranscript(type)));

/** Something said or done, before it has a place on the log. Times are milliseconds since 1970. */
export type Draft = {
  /** Made by the author, so that repetitions are noticed; null for a record without one, which is identified by its key. */
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
  /**
   * For records of transcripts: the how-manieth occurrence of the same bytes in their context, from 1. Together with context and hash, it is the
   * record's key.
   */
  readonly occurrence: number | null;
  /** The kinds of numbers it gets, e.g. MSG. */
  readonly numbers: readonly NumberedType[];
  /** Further details: why a line could not be read, the name of a companion, the hash that was forgotten. */
  readonly note: string | null;
};

/** LOG-15: circumstances that only the author knows. */
export type Circumstances = {
  readonly processingTimeMs?: number | undefined;
  readonly tokenCount?: number | undefined;
  readonly agentModelVersion?: string | undefined;
  readonly toolsInvoked?: readonly string[] | undefined;
  readonly flaggedUncertain?: boolean | undefined;
  /** A reference, a path or an address where the error is described. */
  readonly errorRef?: string | undefined;
  readonly contentType?: 'text' | 'code' | undefined;
};

/** LOG-16: whether a text is a single fenced block of code. */
export const isCode = (text: string): boolean => {
  const [first = '', ...lines] = text.trim().split('\n');
  const [, fence = ''] = /^(`{3,}|~{3,})[^`]*$/u.exec(first) ?? [];
  return fence !== '' && lines.findIndex((line) => line.trim() === fence) === lines.length - 1 && lines.length > 0;
};

/** An entry of the log. It never changes. */
export type Entry = Omit<Draft, 'uuid' | 'numbers'> & {
  /** From 1, without gaps. */
  readonly position: number;
  readonly uuid: string;
  /** Its references, e.g. MSG-4521; the first is its entry id. */
  readonly refs: readonly string[];
  /** When it was appended; never earlier than the previous entry, whatever the clock says. */
  readonly recordedAt: number;
  /** SHA-256 of the payload in hexadecimal; null without a payload. */
  readonly payloadHash: string | null;
  /** The position of the entry whose uuid this record repeats. */
  readonly copyOf: number | null;
};

/** An entry with its place in the chain. */
export type ChainedEntry = Entry & { readonly innerHash: string; readonly checksum: string };

/**
 * LOG-2: the text that is hashed for an entry: every field, in an order that never changes. A list instead of an object: names would be hashed a
 * million times, and nobody guarantees the order of keys.
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
