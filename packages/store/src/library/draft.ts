import { ENTRY_TYPES, type Draft, type NumberedType, type SenderType } from '@yarnboard/domain';
import { assertNever, errorsIn, isMessage, type Entry as Reading } from '@yarnboard/transcript';

/** Where a record stands: the session of its file, and the sub-agent whose file it is. */
export type Context = { readonly sessionId: string; readonly agentId: string | null };

/** The id of a context: the session's own, or the agent's within it. What is said twice in one context is said once. */
export const contextIdOf = ({ sessionId, agentId }: Context): string => (agentId === null ? sessionId : `${AGENT}${agentId}@${sessionId}`);

export const contextOf = (contextId: string): Context => {
  const at = contextId.startsWith(AGENT) ? contextId.lastIndexOf('@') : -1; // a file may be called anything; a session hardly has one
  return at === -1 ? { sessionId: contextId, agentId: null } : { sessionId: contextId.slice(at + 1), agentId: contextId.slice(AGENT.length, at) };
};

const AGENT = 'agent:';

/**
 * The place every record is read at: what is derived from a record must not depend on where in its file it stood, or a library that is rebuilt
 * from the log would differ.
 */
export const NOWHERE = { line: 0, part: 0, offset: 0, length: 0 } as const;

export type Line = {
  readonly context: Context;
  /** The name of the dialect that its file is written in; unless given, Claude Code's. */
  readonly dialect?: string;
  /** Null for a line that could not be read; then `fault` says why. */
  readonly reading: Reading | null;
  readonly fault: string | null;
  /** In characters. */
  readonly length: number;
  readonly occurrence: number;
  /** When the record does not say: the time of the record before it. */
  readonly fallbackAt: number;
};

/** ING-2: a line of a transcript as a draft. */
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
    // By this id the call that failed is found, and what was said of it.
    errorRef: reading?.results.find((result) => result.isError && result.toolUseId !== '')?.toolUseId ?? null,
    // DIALECT-4: whoever wrote it, by the name of its dialect; part of the chain since the first entry.
    originatingClient: dialect,
    clientVersion: reading?.version ?? null,
    occurrence,
    numbers: numbersOf(context, reading),
    note: fault,
  };
};

/** A file that belongs to a session, whole: its name is the note. */
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
      // In a sub-agent's conversation the one who asks is whoever called it.
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
  // Tool messages that somebody took out of their records before are flagged, too, and are nobody's conversation.
  if (reading.agentId === null && (reading.type === 'tool_use' || reading.type === 'tool_result')) return null;
  return reading.agentId ?? INLINE;
};

/** How the library calls sub-agents that were written into the main file without an id. */
export const INLINE = 'inline';

const numbersOf = (context: Context, reading: Reading | null): readonly NumberedType[] => {
  if (reading === null || !isMessage(reading)) return NONE;
  return reading.role === 'prompt' && agentOf(context, reading) === null ? MESSAGE_AND_EXCHANGE : MESSAGE;
};

const NONE: readonly never[] = [];
const MESSAGE = ['MSG'] as const;
const MESSAGE_AND_EXCHANGE = ['MSG', 'EXCH'] as const;
