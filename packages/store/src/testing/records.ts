import { ENTRY_TYPES, type Draft } from '@yarnboard/domain';
import { readEntry, type Json, type JsonObject } from '@yarnboard/transcript';
import { draftOfCompanion, draftOfLine, NOWHERE, type Context } from '../library/draft.ts';
import type { FileMark, Item } from '../port.ts';
import { NOON } from './bench.ts';

// Records as Claude Code writes them, as small as possible.

export const MODEL = 'claude-opus-4-5-20251101';
export const CHEAP_MODEL = 'claude-haiku-4-5-20251001';

type Place = {
  readonly uuid: string;
  readonly parent?: string | null;
  /** Minutes after noon. */
  readonly minute?: number;
  readonly more?: JsonObject;
};

const base = (type: string, { uuid, parent = null, minute = 0, more = {} }: Place): JsonObject => ({
  type,
  uuid,
  parentUuid: parent,
  timestamp: new Date(NOON + minute * 60_000).toISOString(),
  cwd: '/home/ada/loom',
  version: '2.1.0',
  ...more,
});

export const prompt = (text: string, place: Place): JsonObject => ({ ...base('user', place), message: { role: 'user', content: text } });

export type Tokens = { readonly input?: number; readonly output?: number; readonly read?: number };

const usageOf = ({ input = 0, output = 0, read = 0 }: Tokens): JsonObject =>
  Object.fromEntries([
    ['input_tokens', input],
    ['output_tokens', output],
    ['cache_read_input_tokens', read],
  ]);

export type Reply = Place & {
  readonly id?: string;
  readonly request?: string | null;
  readonly model?: string;
  readonly tokens?: Tokens | null;
};

export const reply = (content: string | readonly Json[], { id, request = null, model = MODEL, tokens = null, ...place }: Reply): JsonObject => ({
  ...base('assistant', place),
  ...(request === null ? {} : { requestId: request }),
  message: {
    role: 'assistant',
    model,
    ...(id === undefined ? {} : { id }),
    ...(tokens === null ? {} : { usage: usageOf(tokens) }),
    content: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
  },
});

export const use = (id: string, name: string, input: JsonObject): JsonObject => ({ type: 'tool_use', id, name, input });

export const result = (toolUseId: string, text: string, place: Place & { readonly isError?: boolean }): JsonObject => {
  const { isError = false, ...rest } = place;
  const block = Object.fromEntries<Json>([
    ['type', 'tool_result'],
    ['tool_use_id', toolUseId],
    ['content', text],
    ['is_error', isError],
  ]);
  return { ...base('user', rest), message: { role: 'user', content: [block] } };
};

export const summary = (text: string, leafUuid: string): JsonObject => ({ type: 'summary', summary: text, leafUuid });

export const customTitle = (text: string): JsonObject => ({ type: 'custom-title', customTitle: text });

export const boundary = (place: Place): JsonObject => ({ ...base('system', place), subtype: 'compact_boundary' });

/** A record of a transcript, as ingest passes it to the log. */
export const line = (where: string | Context, record: JsonObject, occurrence = 1): Item => {
  const context = typeof where === 'string' ? { sessionId: where, agentId: null } : where;
  const text = JSON.stringify(record);
  const reading = readEntry(record, NOWHERE, context.agentId !== null);
  return {
    draft: draftOfLine({ context, reading, fault: null, length: text.length, occurrence, fallbackAt: NOON }),
    payload: Buffer.from(text),
    reading,
  };
};

/** A line that could not be read. */
export const damaged = (sessionId: string, bytes: Uint8Array, why = 'no JSON', occurrence = 1): Item => ({
  draft: draftOfLine({ context: { sessionId, agentId: null }, reading: null, fault: why, length: bytes.length, occurrence, fallbackAt: NOON }),
  payload: bytes,
  reading: null,
});

export const companion = (sessionId: string, name: string, bytes: Uint8Array): Item => ({
  draft: draftOfCompanion(sessionId, name, bytes.length, NOON),
  payload: bytes,
  reading: null,
});

/** Something said on the board itself: identified by its uuid, not by its bytes. */
export const said = (uuid: string, about: Partial<Draft> = {}, payload: Uint8Array | null = Buffer.from(uuid)): Item => ({
  draft: {
    ...draftOfCompanion('board', 'said', payload?.length ?? 0, NOON),
    uuid,
    type: 'note.said',
    contextId: 'board',
    sender: 'human',
    senderType: 'human',
    contentType: 'text',
    occurrence: null,
    numbers: ['MSG'],
    note: null,
    ...about,
  },
  payload,
  reading: null,
});

/** What was decided upon, in a sidebar. */
export const decided = (uuid: string, payload: JsonObject = { content: uuid }, about: Partial<Draft> = {}): Item =>
  said(uuid, { type: 'chat.message', sessionId: 'knot', contextId: 'sidebar:knot', ...about }, Buffer.from(JSON.stringify(payload)));

export const forgotten = (hash: string): Item => said(`forget-${hash}`, { type: ENTRY_TYPES.forgotten, note: hash, numbers: [] }, null);

export const mark = (path: string, about: Partial<FileMark> = {}): FileMark => ({
  path,
  sessionId: 'weave',
  agentId: null,
  role: 'main',
  dialect: 'claude-code',
  identity: '2049:131',
  offset: 4096,
  line: 12,
  size: 8192,
  modified: NOON + 0.25,
  headHash: 'ab'.repeat(32),
  headBytes: 4096,
  counts: { lines: 12, blank: 1, records: 10, quarantined: 1 },
  ...about,
});
