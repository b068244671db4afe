import { ENTRY_TYPES, type Draft, type NumberedType, type SenderType } from '@yarnboard/domain';
import { assertNever, errorsIn, isMessage, type Entry as Reading } from '@yarnboard/transcript';

/** Where a record belongs: the session of its file, and the sub-agent that the file belongs to. */
export type Context = { readonly sessionId: string; readonly agentId: string | null };

/** The id of a context: the session's own, or the agent's within it. A repeated record counts once per context. */
export const contextIdOf = ({ sessionId, agentId }: Context): string => (agentId === null ? sessionId : `${AGENT}${agentId}@${sessionId}`);

export const contextOf = (contextId: string): Context => {
  const at = contextId.startsWith(AGENT) ? contextId.lastIndexOf('@') : -1; // a file can have any name, but a session hardly contains an @
  return at === -1 ? { sessionId: contextId, agentId: null } : { sessionId: contextId.slice(at + 1), agentId: contextId.slice(AGENT.length, at) };
};

const AGENT = 'agent:';

/**
 * The place that every record is read at. What is derived from a record must not depend on where in its file it was, or a library rebuilt from the
 * log would differ.
 */
export const NOWHERE = { line: 0, part: 0, offset: 0, length: 0 } as const;

export type Line = {
  readonly context: Context;
  /** The name of the dialect of its file; Claude Code's by default. */
  readonly dialect?: string;
  /** Null for an unreadable line; `fault` says why. */
  readonly reading: Reading | null;
  readonly fault: string | null;
  /** In characters. */
  readonly length: number;
  readonly occurrence: number;
  /** Used when the record has no time: the time of the previous record. */
  readonly fallbackAt: number;
};

/** ING-2: turns a line of a transcript into a draft. */
export const draftOfLine = ({ context, dialect = CLAUDE_CODE, reading, fault, length, occurrence, fallbackAt }: Line): Draft => {
  const sender = senderOf(context, reading, dialect);
  const tools = reading !== null && reading.uses.length > 0 ? [...new Set(reading.uses.map((use) => use.name))] : null;
  const failed = reading?.results.filter((result) => result.isError).length ?? 0;
  return {
    uuid: reading === null || reading.uuid === null || reading.uuid.startsWith('line:') ? null : reading.uuid,
    type: ENTRY_TYPES.line,
    version: 1,
    timestamp: reading !== null && Number.isFinite(reading.at) ? reading.at : fallbackAt,
    processingTimeMs: reading?.more?.durationMs ?? null,
    contentType: reading !== null && (reading.role === 'prompt' || reading.role === 'reply') ? 'text' : 'system',
    contentLength: length,
    tokenCount: reading?.usage?.output ?? null,
    sender: sender.name,
    senderType: sender.type,
    contextId: contextIdOf(context),
    parentMsgId: reading?.parentUuid ?? null,
    sessionId: context.sessionId,
    agentModelVersion: reading?.model ?? null,
    citationsUsed: NONE,
    mediaAttached: NONE,
    toolsInvoked: tools,
    toolResultsSummary: reading === null || reading.results.length === 0 ? null : `${reading.results.length - failed} ok, ${failed} failed`,
    senderConfidence: null,
    flaggedUncertain: false,
    errorOccurred: fault !== null || (reading !== null && errorsIn(reading) > 0),
    // The id under which the failed call, and anything said about it, can be found.
    errorRef: reading?.results.find((result) => result.isError && result.toolUseId !== '')?.toolUseId ?? null,
    // DIALECT-4: the program that wrote it, by the name of its dialect; part of the chain since the first entry.
    originatingClient: dialect,
    clientVersion: reading?.version ?? null,
    occurrence,
    numbers: numbersOf(context, reading),
    note: fault,
  };
};

/** A whole file that belongs to a session; the note is its name. */
export const draftOfCompanion = (sessionId: string, name: string, length: number, at: number): Draft => ({
  ...draftOfLine({ context: { sessionId, agentId: null }, reading: null, fault: null, length, occurrence: 1, fallbackAt: at }),
  type: ENTRY_TYPES.companion,
  contextId: `file:${name}@${sessionId}`,
  note: name,
});

const CLAUDE_CODE = 'claude-code';

const senderOf = (context: Context, reading: Reading | null, dialect: string): { readonly name: string; readonly type: SenderType } => {
  const agentId = agentOf(context, reading);
  const role = reading?.role ?? 'state';
  const main = `AGENT-${dialect === CLAUDE_CODE ? 'claude' : dialect}`;
  switch (role) {
    case 'prompt':
    case 'command':
    case 'bash':
    case 'memory':
    case 'interruption':
      // In a sub-agent's conversation, the caller is the one who asks.
      return agentId === null ? { name: 'human', type: 'human' } : { name: main, type: 'agent' };
    case 'reply':
      return { name: agentId === null ? main : `AGENT-${agentId}`, type: 'agent' };
    case 'result':
    case 'boundary':
    case 'summary':
    case 'synthetic':
    case 'meta':
    case 'output':
    case 'notice':
    case 'attachment':
    case 'progress':
    case 'system':
    case 'state':
      return { name: 'system', type: 'system' };
    default:
      return assertNever(role);
  }
};

/** The sub-agent a record belongs to. Old versions wrote sub-agents into the main file without an id. */
export const agentOf = (context: Context, reading: Reading | null): string | null => {
  if (context.agentId !== null) return context.agentId;
  if (reading?.isSidechain !== true) return null;
  // Tool messages that were extracted from their records earlier are flagged, too, and belong to no conversation.
  if (reading.agentId === null && (reading.type === 'tool_use' || reading.type === 'tool_result')) return null;
  return reading.agentId ?? INLINE;
};

/** The library's name for sub-agents that were written into the main file without an id. */
export const INLINE = 'inline';

const numbersOf = (context: Context, reading: Reading | null): readonly NumberedType[] => {
  if (reading === null || !isMessage(reading)) return NONE;
  return reading.role === 'prompt' && agentOf(context, reading) === null ? MESSAGE_AND_EXCHANGE : MESSAGE;
};

const NONE: readonly never[] = [];
const MESSAGE = ['MSG'] as const;
const MESSAGE_AND_EXCHANGE = ['MSG', 'EXCH'] as const;
