import { objectOf, parseJson, stringOf, type JsonObject } from '../../json.ts';
import { formatInstant, parseInstant } from '../../time.ts';
import type { FileRole, Sniffed, SniffedAgent } from '../../dialect.ts';

/** CODEX-1: rollouts, compressed or not, and the index of thread names. */
export const classifyPath = (path: string): FileRole => {
  const name = path.split(/[/\\]/u).at(-1) ?? '';
  if (ROLLOUT.test(name)) return { role: 'main', sessionId: null };
  if (name === 'session_index.jsonl') return { role: 'index' };
  return { role: 'foreign', reason: 'not a rollout of Codex' };
};

/** CODEX-2: which thread a rollout belongs to. Its first line says so, but may be cut off here; the file name has only the thread's id. */
export const sniff = (text: string, path: string): Sniffed => {
  const first = text.slice(0, text.indexOf('\n') === -1 ? undefined : text.indexOf('\n'));
  const meta = metaOf(objectOf(parseJson(first))) ?? cutMeta(first);
  const thread = meta.thread ?? threadIn(path);
  const found = { sessionIds: new Map(thread === null ? [] : [[thread, 1]]), isStream: false, ...begunAt(first) };
  if (thread === null || meta.startedBy === null) return found;
  const agent: SniffedAgent = { agentId: thread, startedBy: meta.startedBy, sessionId: meta.root === thread ? null : meta.root };
  return { ...found, agent };
};

/** CODEX-10: when the file's first line was written. A file that continues another one of its thread is read after it. */
const begunAt = (first: string): Pick<Sniffed, 'begunAt'> => {
  const at = parseInstant(/"timestamp":\s*"([^"\\]+)"/u.exec(first.slice(0, HEAD))?.[1] ?? '');
  return Number.isFinite(at) ? { begunAt: at } : {};
};

/** Where to look for the rollout with this id: under the day it began, the days around it because of time zones, or in the archive. */
export const whereIs = (path: string, id: string): { readonly folders: readonly string[]; readonly isIt: (name: string) => boolean } => {
  const own = path.split(/[/\\]/u).slice(0, -1).join('/') || '/';
  const home = homeOf(path);
  const begun = timeIn(id);
  const days = begun === null ? [] : [-DAY, 0, DAY].map((by) => `${home}/sessions/${dayOf(begun + by)}`);
  const folders = [own, ...days, `${home}/archived_sessions`];
  return { folders: [...new Set(folders)], isIt: (name) => name.endsWith(`-${id}.jsonl`) || name.endsWith(`_${id}.jsonl`) || isPacked(name, id) };
};

/** Sub-agents begin on the same day or a little later; a thread that was taken back continues in the folder of another day. */
export const neighbours = (path: string): readonly string[] => {
  const own = path.split(/[/\\]/u).slice(0, -1).join('/') || '/';
  const begun = timeIn(threadIn(path) ?? '');
  const days = begun === null ? [] : [-DAY, 0, DAY].map((by) => `${homeOf(path)}/sessions/${dayOf(begun + by)}`);
  return [...new Set([own, ...days, `${homeOf(path)}/archived_sessions`, indexOf(path)])];
};

/** The index of thread names. */
export const indexOf = (path: string): string => `${homeOf(path)}/session_index.jsonl`;

/** When an id was made, in milliseconds: a version 7 UUID begins with its timestamp. Null for any other id. */
export const timeIn = (id: string): number | null => {
  const [, high, low] = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/iu.exec(id) ?? [];
  return high === undefined || low === undefined ? null : Number.parseInt(high + low, 16);
};

/** The thread that started this one, according to the first line of its rollout. */
export const startedBy = (payload: JsonObject): string | null => {
  const spawn = objectOf(objectOf(objectOf(payload['source'])?.['subagent'])?.['thread_spawn']);
  return stringOf(payload['parent_thread_id']) ?? stringOf(spawn?.['parent_thread_id']);
};

type Meta = { readonly thread: string | null; readonly root: string | null; readonly startedBy: string | null };

const metaOf = (line: JsonObject | null): Meta | null => {
  const payload = line?.['type'] === 'session_meta' ? objectOf(line['payload']) : null;
  return payload === null ? null : { thread: stringOf(payload['id']), root: stringOf(payload['session_id']), startedBy: startedBy(payload) };
};

// For a first line longer than what was read: the fields needed come near its start, before the instructions.
const cutMeta = (text: string): Meta => {
  const head = text.slice(0, text.indexOf('"base_instructions"') === -1 ? undefined : text.indexOf('"base_instructions"'));
  const named = (key: string): string | null => new RegExp(`"${key}":\\s*"([^"\\\\]+)"`, 'u').exec(head)?.[1] ?? null;
  return { thread: named('id'), root: named('session_id'), startedBy: named('parent_thread_id') };
};

// …/sessions/2026/11/16/rollout-….jsonl, …/archived_sessions/rollout-….jsonl
const homeOf = (path: string): string => {
  const parts = path.split(/[/\\]/u).slice(0, -1);
  const at = Math.max(parts.lastIndexOf('sessions'), parts.lastIndexOf('archived_sessions'));
  return (at === -1 ? parts : parts.slice(0, at)).join('/');
};

const threadIn = (path: string): string | null => ROLLOUT.exec(path.split(/[/\\]/u).at(-1) ?? '')?.[1] ?? null;

const isPacked = (name: string, id: string): boolean => name.endsWith(`-${id}.jsonl.zst`) || name.endsWith(`_${id}.jsonl.zst`);

const dayOf = (at: number): string => (formatInstant(at) ?? '').slice(0, 10).replaceAll('-', '/');

const ROLLOUT = /^rollout-[0-9T-]{19}-([0-9a-zA-Z-]+)(?:_[0-9a-zA-Z-]+)?\.jsonl(?:\.zst)?$/u;
const HEAD = 4096;
const DAY = 24 * 60 * 60 * 1000;
