import { readdirSync, readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import {
  addFile,
  addMeta,
  append,
  combine,
  createReader,
  createSession,
  createShape,
  DEFAULT_PRICES,
  digestSession,
  extendShape,
  type AgentMeta,
  type Change,
  type JsonObject,
  type PriceTable,
  type Reader,
  type Report,
  type Session,
  type Shape,
} from '../src/index.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export const decode = (bytes: Uint8Array, from = 0, to = bytes.length): string | null => {
  try {
    return decoder.decode(bytes.subarray(from, to));
  } catch {
    return null;
  }
};

export const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** One record as a line's value; everything a test does not care about is filled in. */
export const record = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> => ({
  type: 'user',
  sessionId: 'S',
  isSidechain: false,
  parentUuid: null,
  ...fields,
});

export const prompt = (uuid: string, parentUuid: string | null, text = uuid, more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> =>
  record({ uuid, parentUuid, message: { role: 'user', content: text }, ...more });

export const reply = (
  uuid: string,
  parentUuid: string | null,
  id: string,
  blocks: readonly unknown[] = [text(uuid)],
  more: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> =>
  record({ type: 'assistant', uuid, parentUuid, message: { role: 'assistant', id, model: 'claude-sonnet-4-5', content: blocks }, ...more });

export const result = (
  uuid: string,
  parentUuid: string | null,
  toolUseId: string,
  content: unknown = 'done',
  more: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> =>
  record({ uuid, parentUuid, message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: toolUseId, content }] }, ...more });

/** A record that hangs beside the conversation, or of any other type. */
export const beside = (
  type: string,
  uuid: string,
  parentUuid: string | null,
  more: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> => record({ type, uuid, parentUuid, ...more });

/** A timestamp, for records that must agree or differ in it. */
export const at = (minute: number): Readonly<Record<string, unknown>> => ({ timestamp: `2026-01-01T00:${String(minute).padStart(2, '0')}:00.000Z` });

export const text = (words: string): unknown => ({ type: 'text', text: words });

export const use = (id: string, name = 'Bash', input: unknown = {}): unknown => ({ type: 'tool_use', id, name, input });

export const task = (
  id: string,
  promptText: string,
  agent: string | null = 'general-purpose',
  more: Readonly<Record<string, unknown>> = {},
): unknown => use(id, 'Task', { prompt: promptText, ...(agent === null ? {} : { subagent_type: agent }), ...more });

export type GivenFile = {
  readonly path: string;
  readonly agentId?: string;
  readonly meta?: Partial<AgentMeta>;
  readonly lines: readonly (string | object)[];
};

export const linesOf = (lines: readonly (string | object)[]): string =>
  lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n') + '\n';

/** Reads files into a session the way the server does: through a reader, chunk by chunk. */
export const sessionOf = (files: readonly GivenFile[], id = 'S'): Session => {
  const session = createSession(id);
  for (const file of files) {
    if (file.agentId !== undefined && file.meta !== undefined) addMeta(session, file.agentId, { ...NO_META, ...file.meta });
    readInto(session, file).end();
  }
  return session;
};

/** The main file alone. */
export const mainOf = (...lines: readonly (string | object)[]): Session => sessionOf([{ path: 'main.jsonl', lines }]);

const readInto = (session: Session, file: GivenFile): Reader => {
  const number = addFile(session, { path: file.path, agentId: file.agentId ?? null });
  const reader = createReader({
    decode,
    sink: {
      record: (value, place) => append(session, number, value, place),
      quarantine: () => undefined,
    },
  });
  reader.feed(encode(linesOf(file.lines)));
  return reader;
};

/** Parameters of a property that needs more tries than most; a soak multiplies them like all others. */
export const times = (factor: number): { readonly numRuns: number } => ({ numRuns: factor * (fc.readConfigureGlobal().numRuns ?? 100) });

/** A session that is fed record by record, without lines. */
export const emptySession = (): Session => {
  const session = createSession('S');
  addFile(session, { path: 'main.jsonl', agentId: null });
  return session;
};

export const add = (session: Session, value: object, file = 0): Change =>
  append(session, file, value as JsonObject, {
    line: (session.latest?.place.line ?? 0) + 1,
    part: 0,
    offset: session.latest?.place.line ?? 0,
    length: 1,
  });

export const grown = (values: readonly object[]): Session => {
  const session = emptySession();
  for (const value of values) add(session, value);
  return session;
};

/** The shape of a thread, computed at once. */
export const shapeOf = (session: Session, thread = session.main): Shape => {
  const shape = createShape();
  extendShape(shape, session, thread);
  return shape;
};

/** The lines of the main transcript that a real CLI wrote in a scenario, named "2.1.220/partools". */
export const fixture = (scenario: string): readonly string[] => {
  const folder = new URL(`../../../fixtures/claude-code/${scenario}/projects/-home-dev-proj/`, import.meta.url);
  const main = readdirSync(folder).find((name) => /^[0-9a-f-]{36}\.jsonl$/u.test(name)) ?? '';
  return readFileSync(new URL(main, folder), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
};

const NO_META: AgentMeta = { agentType: null, description: null, toolUseId: null, parentAgentId: null, spawnDepth: null };

/** Several sessions put together, as a report over a tree does. */
export const reportOf = (sessions: readonly Session[], prices: PriceTable = DEFAULT_PRICES): Report =>
  combine(
    sessions.map((session) => digestSession(session)),
    { files: sessions.length, counts: { bytes: 0, lines: 0, blank: 0, records: 0, extra: 0, quarantined: 0 }, quarantine: [], skipped: [] },
    prices,
  );
