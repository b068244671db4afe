import type { NumberedType } from './refs.ts';

export const SENDER_TYPES = ['agent', 'human', 'system'] as const;
export type SenderType = (typeof SENDER_TYPES)[number];

export const CONTENT_TYPES = ['text', 'code', 'media_ref', 'system'] as const;
export type ContentType = (typeof CONTENT_TYPES)[number];

/** Entries about sessions. Those that the board is folded from are in the catalogue (`messages`). A stored type is never renamed. */
export const ENTRY_TYPES = {
  /** One record of a transcript, its bytes being the payload. */
  line: 'transcript.line',
  /** A record whose uuid was on the log already: bytes kept, no number, no count, no cost. */
  copied: 'transcript.copied',
  /** A file that belongs to a transcript: a large tool output, an agent's meta file, a workflow journal. */
  companion: 'transcript.companion',
  /** BACK-3: what has become of a session, or of records of it, in the tool that wrote it. */
  takenBack: 'transcript.taken-back',
  /** The human operator dropped a payload for good; its hash stays. */
  forgotten: 'payload.forgotten',
  /** A record that a run's live stream told; its file tells it again, and only then it is a message with a number. */
  streamed: 'stream.record',
  /** Whoever runs a session says that its turn is over. */
  turnClosed: 'turn.closed',
  runStarted: 'run.started',
  /** A run has got its session, or got another one. */
  runMoved: 'run.moved',
  runEnded: 'run.ended',
  /** What a run told is all in the library: its files brought it, or it was taken from the stream. */
  runSettled: 'run.settled',
  permissionAsked: 'permission.asked',
  permissionAnswered: 'permission.answered',
  /** A terminal started `claude` through Yarnboard. */
  launchStarted: 'launch.started',
  launchMoved: 'launch.moved',
  launchEnded: 'launch.ended',
  /** LOG-32: an older state of the board was put back, and a new epoch begins here: positions and numbers of the one before may mean something else. */
  restored: 'board.restored',
  /** REC-20: an outage is over: what waited for the log, and what became of it. */
  emergency: 'emergency.recorded',
} as const;

export type EntryType = (typeof ENTRY_TYPES)[keyof typeof ENTRY_TYPES];

/** Records of transcripts: what the library and the search are made of. Other entries tell what was done with sessions. */
export const isTranscript = (type: string): boolean => type === ENTRY_TYPES.line || type === ENTRY_TYPES.copied || type === ENTRY_TYPES.companion;

/** Entries that tell what was done with sessions, or what somebody said before its file did: no search looks for them. */
export const isDeed = (type: string): boolean => DEEDS.has(type);

/** Whether the board may depend on an entry of this type: it is none of those about sessions. A newer version may know it when this one does not. */
export const mayDecide = (type: string): boolean => !SESSION_TYPES.has(type);

/** What Yarnboard itself puts on the log: who did what, where; the details are its payload. */
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

/** LOG-15: what only whoever says something knows of how it came about. */
export type Circumstances = {
  readonly processingTimeMs?: number | undefined;
  readonly tokenCount?: number | undefined;
  readonly agentModelVersion?: string | undefined;
  readonly toolsInvoked?: readonly string[] | undefined;
  readonly flaggedUncertain?: boolean | undefined;
  /** A reference, a path or an address: where the error is told. */
  readonly errorRef?: string | undefined;
  readonly contentType?: 'text' | 'code' | undefined;
};

/** LOG-16: whether a text is one fenced block of code and nothing else. */
export const isCode = (text: string): boolean => {
  const [first = '', ...lines] = text.trim().split('\n');
  const [, fence = ''] = /^(`{3,}|~{3,})[^`]*$/u.exec(first) ?? [];
  return fence !== '' && lines.findIndex((line) => line.trim() === fence) === lines.length - 1 && lines.length > 0;
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
