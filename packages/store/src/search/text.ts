import { isObject, type Json, type JsonObject } from '@yarnboard/transcript';

/**
 * Everything in a record of Claude Code that a person may search for, one piece per line. It is defined by what is left out, so that new kinds of
 * text are found as well. A tool's input includes its keys and numbers: they are what was asked for.
 */
export const searchTextOf = (value: JsonObject): string => searchTextIf(value, () => true) ?? '';

/** The key of a text, or '' within a list; null if the text is a key itself. */
type Under = string | null;

/** The same, or null if one of its texts doesn't fit. Text that isn't searched, mostly more than half of a record, isn't checked. */
export const searchTextIf = (value: JsonObject, fits: (text: string, under: Under) => boolean): string | null => {
  if (typeof value['type'] === 'string' && COPIES.has(value['type'])) return '';
  // A set: titles, keys and rendered text repeat each other within one record.
  const pieces = new Set<string>();
  // A stack instead of recursion: a record may be nested deeper than the call stack allows.
  const open: Visit[] = [{ value, inInput: false, under: '' }];
  for (let visit = open.pop(); visit !== undefined; visit = open.pop()) {
    const { value: here, inInput, under } = visit;
    if (typeof here === 'string') {
      if (!fits(here, under)) return null;
      pieces.add(here);
    } else if (typeof here === 'number' && inInput) pieces.add(String(here));
    else if (typeof here === 'object' && here !== null) {
      const inner = isList(here) ? here.map((item) => ({ value: item, inInput, under: '' })) : inInput ? insideInput(here) : insideObject(here);
      for (let i = inner.length - 1; i >= 0; i -= 1) {
        const next = inner[i];
        if (next !== undefined) open.push(next);
      }
    }
  }
  pieces.delete('');
  return [...pieces].join('\n');
};

type Visit = { readonly value: Json; readonly inInput: boolean; readonly under: Under };

const insideInput = (object: JsonObject): readonly Visit[] =>
  Object.entries(object).flatMap(([key, value]) => [
    { value: key, inInput: true, under: null },
    { value: value ?? null, inInput: true, under: key },
  ]);

const insideObject = (object: JsonObject): readonly Visit[] => {
  const { type } = object;
  const isCall = type === 'tool_use' || type === 'server_tool_use' || type === 'mcp_tool_use';
  const isOpaque = typeof type === 'string' && OPAQUE.has(type);
  const isEnvelope = ENVELOPE_MARKS.some((mark) => typeof object[mark] === 'string');
  const isTold = hasWholeResult(object);
  const inner: Visit[] = [];
  for (const key of Object.keys(object)) {
    if (isLabel(key) || (isEnvelope && ENVELOPE.has(key)) || (isOpaque && key === 'data') || (isTold && RESULT_COPIES.has(key))) continue;
    inner.push({ value: object[key] ?? null, inInput: INPUTS.has(key) || (isCall && key === 'input'), under: key });
  }
  return inner;
};

/** All records share the same few keys; where keys are data, each differs. */
const isLabel = (key: string): boolean => {
  const known = KEYS.get(key);
  if (known !== undefined) return known;
  const found = LABELS.has(key) || ID.test(key);
  if (KEYS.size >= MOST_KEYS) KEYS.clear();
  if (key.length <= LONGEST_KEY) KEYS.set(key, found);
  return found;
};

const KEYS = new Map<string, boolean>();
const MOST_KEYS = 1000;
const LONGEST_KEY = 64;

// Claude Code keeps a tool's result twice: as the model saw it, and as its own data. The copy counts only if the other is empty or truncated.
const hasWholeResult = (object: JsonObject): boolean => {
  const { message } = object;
  const content = isObject(message) ? message['content'] : undefined;
  if (!isList(content)) return false;
  return content.some((block) => isObject(block) && block['type'] === 'tool_result' && isWhole(block['content']));
};

const isWhole = (content: Json | undefined): boolean => {
  const text = typeof content === 'string' ? content : isList(content) ? firstText(content) : null;
  return text !== null && text.trim() !== '' && !text.startsWith('<persisted-output>');
};

const firstText = (content: readonly Json[]): string | null => {
  for (const block of content) {
    if (isObject(block) && block['type'] === 'image') return 'image';
    if (isObject(block) && typeof block['text'] === 'string' && block['text'].trim() !== '') return block['text'];
  }
  return null;
};

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);
const ID = /^(?:ids?|uuids?|hash|digests?)$|_(?:ids?|uuids?|hash|digests?)$|[a-z](?:I[dD]s?|Uuids?|UUIDs?|Hash|Digests?)$/u;
const LABELS: ReadonlySet<string> = new Set([
  'type',
  'subtype',
  'timestamp',
  'signature',
  'base64',
  'blob',
  'media_type',
  'mimeType',
  'usage',
  'modelUsage',
  'model_usage_since_last_result',
]);

/** An object with one of these is a record or a message, and its other fields are metadata that all of them have. */
const ENVELOPE_MARKS = ['uuid', 'sessionId', 'session_id', 'role'] as const;
const ENVELOPE: ReadonlySet<string> = new Set([
  'role',
  'model',
  'requestedModel',
  'stop_reason',
  'stop_sequence',
  'cwd',
  'gitBranch',
  'version',
  'userType',
  'entrypoint',
  'slug',
  'level',
  'effort',
  'perTurnEffort',
  'permissionMode',
  'promptSource',
  'promptCacheRequested',
  'madeBy',
  'turnOrigin',
  'permissionDecision',
  'renderedRole',
  'requestRef',
  'operation',
  'mode',
  'apiKeySource',
  'fast_mode_state',
  'fast_mode_disabled_reason',
]);
/** These repeat the text of other records, to the API or in streamed pieces. */
const COPIES: ReadonlySet<string> = new Set(['api-request', 'api-request-shape', 'api-request-blob', 'stream_event']);
const OPAQUE: ReadonlySet<string> = new Set(['base64', 'image', 'audio', 'redacted_thinking']);
const RESULT_COPIES: ReadonlySet<string> = new Set(['toolUseResult', 'tool_use_result']);
/** What hooks and the oldest records call a tool's input. */
const INPUTS: ReadonlySet<string> = new Set(['tool_input', 'toolArguments']);
