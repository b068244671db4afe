import { originOf, unwrapped, userTextIn, type Injected, type UserText } from './injected.ts';
import { countOf, isObject, objectOf, parseJson, stringOf, type Json, type JsonObject } from './json.ts';
import { readNotice, type Notice } from './notices.ts';
import type { Place } from './parse.ts';
import { slashCommandIn } from './slash-command.ts';
import { parseInstant } from './time.ts';
import { toldIn } from './told.ts';
import { firstTextOf, hasWords, resultsOf, usesOf, type ToolResult, type ToolUse } from './tools.ts';

/**
 * A record's role in its conversation. Only prompts, replies and results are conversation; everything else is beside it or between two of them and is
 * skipped over.
 */
export const ROLES = [
  'prompt', // text that somebody typed (in a sidechain: the caller's request)
  'reply', // what the model answered
  'result', // a tool's result
  'boundary', // a compaction happened here
  'summary', // what a compaction kept
  'synthetic', // written by the CLI in the model's name: API errors, "No response requested."
  'meta', // injected text
  'command', // a slash command
  'output', // the output of a local command
  'bash', // a shell line typed by the user, or its output
  'memory', // a note for the memory file
  'notice', // a background agent reports
  'interruption', // "[Request interrupted by user]"
  'attachment',
  'progress',
  'system',
  'state', // no place in the graph: titles, snapshots, queues
] as const;
export type Role = (typeof ROLES)[number];

export type Usage = {
  readonly input: number;
  readonly output: number;
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
  readonly cacheRead: number;
};

/** Charges for a response besides its tokens, or at special rates. */
export type Billing = {
  readonly webSearches: number;
  readonly isFast: boolean;
  /** Whether it was bound to the United States. */
  readonly isUs: boolean;
};

export type Compaction = { readonly trigger: string | null; readonly preTokens: number | null };

/** The part of a record that is kept in memory. Its content stays in the file, at `place`, and is read again to be shown. */
export type Entry = {
  readonly place: Place;
  readonly type: string;
  /** `type`, or `type/subtype`. */
  readonly kind: string;
  readonly role: Role;
  /** Null only for records outside the graph. */
  readonly uuid: string | null;
  /** Null for a root; undefined if the record doesn't say. */
  readonly parentUuid: string | null | undefined;
  readonly logicalParentUuid: string | null;
  readonly sessionId: string | null;
  /** NaN if the record has no readable timestamp. */
  readonly at: number;
  readonly isSidechain: boolean;
  readonly agentId: string | null;
  readonly version: string | null;
  readonly cwd: string | null;
  readonly messageId: string | null;
  readonly requestId: string | null;
  readonly model: string | null;
  readonly usage: Usage | null;
  /** Null if it is charged only for tokens at the usual rates, as nearly always. */
  readonly billing: Billing | null;
  /** The cost stated by the CLI itself; only old versions did so. */
  readonly costUsd: number | null;
  readonly uses: readonly ToolUse[];
  readonly results: readonly ToolResult[];
  /**
   * A prompt's text (only its beginning in the main thread; all of it in a sidechain, where it may prove which call began it), or a slash command
   * with its arguments; otherwise null.
   */
  readonly text: string | null;
  /** The tone of a sub-agent's text: it asks back, or it reports trouble. */
  readonly tone: 'question' | 'trouble' | null;
  /** Whether a record of the model or the system has words for a reader, besides thinking and tool use; false for all others. */
  readonly says: boolean;
  /** Whether the record says that the API could not be reached, or did not answer: finally, or before the CLI retries. */
  readonly isApiError: boolean;
  readonly more: EntryDetails | null;
};

/** Details that few records have. */
export type EntryDetails = {
  readonly compaction: Compaction | null;
  readonly notice: Notice | null;
  readonly title: { readonly by: 'custom' | 'ai' | 'summary'; readonly text: string; readonly leafUuid: string | null } | null;
  readonly lastPromptLeaf: string | null;
  /** BACK-1: from here on, the tool has taken back everything said after `lastPromptLeaf`; everything at all if that is null. */
  readonly takesBack: boolean;
  readonly forkedFrom: string | null;
  /** The program that wrote the file, if a record says so. */
  readonly writtenBy: string | null;
  readonly parentToolUseId: string | null;
  readonly isActive: boolean | null;
  readonly nestingLevel: number | null;
  /** A root where the model starts with an empty context: the hook of a session start, or a plan that is executed in a fresh context. */
  readonly isFreshStart: boolean;
  /** What it is if nobody typed it, and who says it. */
  readonly injected: Injected | null;
  /** A sub-agent's message that a progress record repeats. */
  readonly told: Entry | null;
  /** It belongs to the conversation of a teammate who writes to the same file. */
  readonly isOfTeam: boolean;
  /** How long a turn, or a sub-agent, took, in milliseconds. */
  readonly durationMs: number | null;
};

/**
 * Reads one record. Total: a field of an unexpected type counts as missing, an unknown type as state, and nothing is ever refused. `inAgentFile`: the
 * record is in a sub-agent's own file. `before` is the entry read before it: repeated ids and names, as nearly all are, are shared with it instead of
 * being stored again.
 */
export const readEntry = (value: JsonObject, place: Place, inAgentFile = false, before: Entry | null = null): Entry => {
  const type = stringOf(value['type']) ?? '';
  const subtype = stringOf(value['subtype']);
  const message = objectOf(value['message']);
  const isSidechain = value['isSidechain'] === true || inAgentFile;
  const blocks = message === null ? stringOf(value['message']) : message['content'];
  const uses = type === 'assistant' ? usesOf(blocks, value, place) : NONE;
  const results = type === 'user' || type === 'tool_result' || type === 'human' ? resultsOf(blocks, value) : NONE;
  const typed = (type === 'user' || type === 'human') && results.length === 0 ? userTextIn(blocks) : null;
  const firstText = typed !== null ? typed.words : type === 'assistant' && isSidechain ? firstTextOf(blocks) : null;
  const role = roleOf(value, type, subtype, message, results, typed, isSidechain);
  const timestamp = value['timestamp'];
  const said = type === 'progress' ? toldIn(value) : null;
  const told = said === null ? null : readEntry(said, place, true, before);
  return {
    place,
    type,
    kind: subtype === null ? type : `${type}/${subtype}`,
    role,
    uuid: uuidOf(value, role, place),
    parentUuid: parentOf(value, before),
    logicalParentUuid: stringOf(value['logicalParentUuid']),
    sessionId: shared(stringOf(value['sessionId']), before?.sessionId),
    at: typeof timestamp === 'string' ? parseInstant(timestamp) : Number.NaN,
    isSidechain,
    agentId: shared(stringOf(value['agentId']), before?.agentId),
    version: shared(stringOf(value['version']), before?.version),
    cwd: shared(stringOf(value['cwd']), before?.cwd),
    messageId: role === 'reply' && message !== null ? shared(stringOf(message['id']), before?.messageId) : null,
    requestId: role === 'reply' ? shared(stringOf(value['requestId']), before?.requestId) : null,
    model: role === 'reply' && message !== null ? shared(stringOf(message['model']), before?.model) : null,
    usage: role === 'reply' && message !== null ? usageOf(message['usage']) : null,
    billing: role === 'reply' && message !== null ? billingOf(objectOf(message['usage'])) : null,
    costUsd: typeof value['costUSD'] === 'number' && value['costUSD'] >= 0 && value['costUSD'] < MAX_COST ? value['costUSD'] : null,
    uses,
    results,
    text: textOf(role, firstText, typed, isSidechain),
    tone: role === 'reply' && firstText !== null ? toneOf(firstText) : null,
    says: SPEAKING.has(type) && subtype !== 'tool_use' && hasWords(message === null ? (blocks ?? value['content']) : blocks),
    isApiError: role === 'synthetic' ? isErrorOfApi(value, firstTextOf(blocks)) : type === 'system' && subtype === 'api_error',
    more: detailsOf(value, type, role, firstText, typed?.injected?.role === role ? typed.injected : null, told),
  };
};

/** How many errors a record has: of tools, and of the API. */
export const errorsIn = ({ results, isApiError }: Pick<Entry, 'results' | 'isApiError'>): number =>
  results.filter((result) => result.isError).length + (isApiError ? 1 : 0);

export const isConversation = (role: Role): boolean => role === 'prompt' || role === 'reply' || role === 'result';

/** User, assistant and system records are messages; attachments, progress and state are not. */
export const isMessage = (entry: Entry): boolean => MESSAGE_TYPES.has(entry.type);

const roleOf = (
  value: JsonObject,
  type: string,
  subtype: string | null,
  message: JsonObject | null,
  results: readonly ToolResult[],
  typed: UserText | null,
  isSidechain: boolean,
): Role => {
  switch (type) {
    case 'user':
    case 'human':
      if (results.length > 0) return 'result';
      if (value['isCompactSummary'] === true) return 'summary';
      return typed === null ? 'prompt' : userRole(value, typed, isSidechain);
    case 'assistant':
      if (value['isCompactSummary'] === true) return 'summary';
      return value['isApiErrorMessage'] === true || message?.['model'] === '<synthetic>' ? 'synthetic' : 'reply';
    case 'tool_result':
      return 'result';
    case 'system':
      return subtype === 'compact_boundary' ? 'boundary' : 'system';
    case 'compact_prelude':
      return 'boundary';
    case 'compact_recap':
      return 'summary';
    case 'attachment':
      return 'attachment';
    case 'progress':
      return 'progress';
    default:
      return 'state';
  }
};

const userRole = (value: JsonObject, { words, injected }: UserText, isSidechain: boolean): Role => {
  const origin = originOf(value);
  const isMeta = value['isMeta'] === true;
  if (injected !== null && injected.form === TEAMMATE && isSidechain) return 'prompt'; // this is how an agent of a team is asked by its caller
  if (injected?.isKnown === true && words?.trimStart().charCodeAt(0) === 60 /* < */) return injected.role;
  if (origin === 'notice') return 'notice';
  if (isMeta) return 'meta';
  if (injected !== null && (injected.isKnown || origin !== 'human')) return injected.role;
  return words === '(no content)' ? 'output' : 'prompt';
};

const TEAMMATE = 'teammate-message';

// Streamed records have no flag: an error unless it is known not to be one.
const isErrorOfApi = (value: JsonObject, text: string | null): boolean => {
  const flag = value['isApiErrorMessage'];
  if (typeof flag === 'boolean') return flag || stringOf(value['error']) !== null;
  return stringOf(value['error']) !== null || !HARMLESS.some((start) => (text ?? '').startsWith(start));
};

const HARMLESS = ['No response requested', '(no content)', '[Request interrupted by user'] as const;

// Graph records without a uuid (the seed's examples) are identified by their place.
const uuidOf = (value: JsonObject, role: Role, place: Place): string | null => {
  const uuid = stringOf(value['uuid']);
  if (uuid !== null && uuid !== '') return uuid;
  return role === 'state' ? null : `line:${place.line}${place.part === 0 ? '' : `.${place.part}`}`;
};

const parentOf = (value: JsonObject, before: Entry | null): string | null | undefined => {
  const parent = value['parentUuid'];
  return parent === undefined ? undefined : shared(stringOf(parent), before?.uuid);
};

const textOf = (role: Role, text: string | null, typed: UserText | null, isSidechain: boolean): string | null => {
  if (text === null) return null;
  if (role === 'command') {
    const command = slashCommandIn(text);
    return command === null ? null : shorten(command);
  }
  return role !== 'prompt' ? null : isSidechain ? askedIn(text, typed) : shorten(text);
};

const askedIn = (text: string, typed: UserText | null): string => (typed?.injected?.form === TEAMMATE ? unwrapped(text) : text);

const shared = (text: string | null, before: string | null | undefined): string | null => (text === before ? before : text);

const usageOf = (value: Json | undefined): Usage | null => {
  const usage = objectOf(value);
  if (usage === null) return null;
  const tokens = (from: JsonObject | null, key: string): number => countOf(from?.[key]) ?? 0;
  const split = objectOf(usage['cache_creation']);
  const cacheWrite1h = tokens(split, 'ephemeral_1h_input_tokens');
  return {
    input: tokens(usage, 'input_tokens'),
    output: tokens(usage, 'output_tokens'),
    // What isn't declared to be cached for an hour is cached for five minutes.
    cacheWrite5m: Math.max(tokens(split, 'ephemeral_5m_input_tokens'), tokens(usage, 'cache_creation_input_tokens') - cacheWrite1h),
    cacheWrite1h,
    cacheRead: tokens(usage, 'cache_read_input_tokens'),
  };
};

const billingOf = (usage: JsonObject | null): Billing | null => {
  const webSearches = countOf(objectOf(usage?.['server_tool_use'])?.['web_search_requests']) ?? 0;
  const isFast = usage?.['speed'] === 'fast';
  const isUs = usage?.['inference_geo'] === 'us';
  return webSearches > 0 || isFast || isUs ? { webSearches: Math.min(webSearches, MOST_SEARCHES), isFast, isUs } : null;
};

/** No response searches a million times. */
const MOST_SEARCHES = 1_000_000;

// A round trip through JSON makes a copy: a mere slice would keep the whole text in memory.
const shorten = (text: string): string => {
  if (text.length <= TITLE_LENGTH) return text;
  const last = text.charCodeAt(TITLE_LENGTH - 1);
  const end = last >= 0xd800 && last < 0xdc00 ? TITLE_LENGTH - 1 : TITLE_LENGTH; // half a character isn't text
  return `${stringOf(parseJson(JSON.stringify(text.slice(0, end)))) ?? ''}…`;
};

/**
 * A truncated text without its last, cut word: half a secret isn't recognized as one, and would be shown. A single word stays as it is, and so does
 * text in a script without spaces.
 */
export const withoutCutWord = (text: string): string => {
  if (text.length < TITLE_LENGTH || !text.endsWith('…')) return text;
  const word = /[!-~]+…$/u.exec(text);
  return word === null || word.index === 0 ? text : `${text.slice(0, word.index).trimEnd()}…`;
};

const toneOf = (text: string): Entry['tone'] => {
  if (TROUBLE.test(text.slice(0, 200))) return 'trouble';
  return text.trimEnd().endsWith('?') ? 'question' : null;
};

const TROUBLE =
  /^\W*(?:error|failed|failure|exception|traceback|unable to|cannot|can't|could not|couldn't)\b|\b(?:not found|no such file|permission denied)\b/iu;

const detailsOf = (
  value: JsonObject,
  type: string,
  role: Role,
  text: string | null,
  found: Injected | null,
  told: Entry | null,
): EntryDetails | null => {
  // Tools that write no boundary mark their summary as a compaction.
  const isCompaction = role === 'boundary' || (role === 'summary' && isObject(value['compactMetadata']));
  const compaction = isCompaction ? compactionOf(value) : null;
  const notice = readNotice(value, type, role === 'notice' ? text : null);
  const title = role === 'state' ? titleOf(value, type) : null;
  const lastPromptLeaf = type === 'last-prompt' ? stringOf(value['leafUuid']) : null;
  const takesBack = role === 'state' && value['takesBack'] === true;
  const forkedFrom = forkOf(value, type);
  const writtenBy = role === 'state' ? stringOf(value['writtenBy']) : null;
  const parentToolUseId = stringOf(value['parent_tool_use_id']) ?? stringOf(value['parentToolUseId']);
  const isActive = typeof value['is_active'] === 'boolean' ? value['is_active'] : null;
  const nestingLevel = typeof value['nestingLevel'] === 'number' ? value['nestingLevel'] : null;
  const isOfTeam = typeof value['teamName'] === 'string';
  const durationMs = countOf(
    type === 'system' ? value['durationMs'] : role === 'result' ? objectOf(value['toolUseResult'])?.['totalDurationMs'] : undefined,
  );
  // Commands and their output are recognized by their role alone, and there are many.
  const injected = found !== null && (role === 'notice' || role === 'meta') ? found : null;
  const isFreshStart = value['parentUuid'] === null && startsFresh(value, type, role, text);
  const nothing =
    compaction === null &&
    notice === null &&
    title === null &&
    lastPromptLeaf === null &&
    !takesBack &&
    forkedFrom === null &&
    writtenBy === null &&
    parentToolUseId === null &&
    isActive === null &&
    nestingLevel === null &&
    !isFreshStart &&
    injected === null &&
    !isOfTeam &&
    durationMs === null &&
    told === null;
  return nothing
    ? null
    : {
        compaction,
        notice,
        title,
        lastPromptLeaf,
        takesBack,
        forkedFrom,
        writtenBy,
        parentToolUseId,
        isActive,
        nestingLevel,
        isFreshStart,
        injected,
        isOfTeam,
        durationMs,
        told,
      };
};

// Session-start hooks leave progress records or, since 2.1.100, attachments. The same hooks run when a session is resumed or compacted.
const startsFresh = (value: JsonObject, type: string, role: Role, text: string | null): boolean => {
  if (role === 'prompt') return typeof value['planContent'] === 'string' || text?.startsWith(PLAN) === true;
  const hook = type === 'progress' ? objectOf(value['data']) : type === 'attachment' ? objectOf(value['attachment']) : null;
  if (hook?.['hookEvent'] !== 'SessionStart') return false;
  const name = stringOf(hook['hookName']) ?? '';
  return !name.endsWith(':resume') && !name.endsWith(':compact');
};

const PLAN = 'Implement the following plan';

const compactionOf = (value: JsonObject): Compaction => {
  const metadata = objectOf(value['compactMetadata']);
  return { trigger: stringOf(metadata?.['trigger']), preTokens: countOf(metadata?.['preTokens']) };
};

const titleOf = (value: JsonObject, type: string): EntryDetails['title'] => {
  const leafUuid = stringOf(value['leafUuid']);
  switch (type) {
    case 'summary':
      return made('summary', stringOf(value['summary']), leafUuid);
    case 'ai-title':
      return made('ai', stringOf(value['aiTitle']) ?? stringOf(value['title']), leafUuid);
    case 'custom-title':
      return made('custom', stringOf(value['customTitle']) ?? stringOf(value['title']), leafUuid);
    default:
      return null;
  }
};

const made = (by: 'custom' | 'ai' | 'summary', text: string | null, leafUuid: string | null): EntryDetails['title'] =>
  text === null ? null : { by, text, leafUuid };

const forkOf = (value: JsonObject, type: string): string | null => {
  const from = objectOf(value['forkedFrom']);
  if (from !== null) return stringOf(from['sessionId']);
  if (type !== 'fork-context-ref') return null;
  return stringOf(value['parentSessionId']) ?? stringOf(value['sourceSessionId']) ?? stringOf(value['forkedFromSessionId']);
};

const MESSAGE_TYPES: ReadonlySet<string> = new Set(['user', 'assistant', 'system', 'human', 'tool_result', 'compact_prelude', 'compact_recap']);
const SPEAKING: ReadonlySet<string> = new Set(['assistant', 'system']);
const NONE: readonly never[] = [];
const TITLE_LENGTH = 200;
/** No response costs a million dollars. */
const MAX_COST = 1_000_000;
