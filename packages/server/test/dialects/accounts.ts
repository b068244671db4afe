import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { classifyFile, DIALECTS, type LineCounts, type SkippedFile } from '@yarnboard/transcript';
import { discover } from '../../src/ingest/discover.ts';
import { addCounts, readGroup } from '../../src/ingest/group.ts';
import { planGroups } from '../../src/ingest/plan.ts';
import { isPacked, unpacked } from '../../src/ingest/packed.ts';
import { isKept } from '../../src/ingest/kept.ts';
import { viewOf } from '../../src/ingest/views.ts';
import { openDatabase } from './homes.ts';
import { leftOf } from './left.ts';

/** What became of everything below a folder. */
export type Account = {
  readonly sessions: number;
  /** What was counted while everything was read. */
  readonly counts: LineCounts;
  /** The same, counted in the files themselves, without any dialect. */
  readonly lines: number;
  readonly bytes: number;
  readonly skipped: readonly SkippedFile[];
  readonly quarantined: number;
  /** Files that are neither read, nor named as skipped, nor known to say nothing. */
  readonly lost: readonly string[];
  /** Rows, messages and changes of documents and databases that made no line, by where they are. */
  readonly untold: readonly string[];
  /** How many messages and parts belong to no session or message that is there: counted in files and rows, and as it is named. */
  readonly left: { readonly found: number; readonly named: number };
};

export const accountOf = (folder: string): Account => {
  const found = discover([folder], DIALECTS);
  const plan = planGroups(found, DIALECTS);
  const counts: LineCounts = { bytes: 0, lines: 0, blank: 0, records: 0, extra: 0, quarantined: 0 };
  const skipped = [...plan.skipped];
  const untold: string[] = [];
  let [lines, bytes, quarantined] = [0, 0, 0];
  const read = new Set<string>();
  for (const group of plan.groups) {
    const reading = readGroup(group);
    addCounts(counts, reading.counts);
    skipped.push(...reading.skipped);
    quarantined += reading.quarantine.length;
    const unread = new Set(reading.skipped.flatMap(({ file, reason }) => (reason.startsWith('unreadable') ? [file] : [])));
    for (const { path, meta } of group.files) {
      if (meta !== null) read.add(meta);
      if (unread.has(path)) continue;
      read.add(path);
      const text = isKept(path) ? viewOf(path) : isPacked(path) ? unpacked(path) : readFileSync(path);
      lines += linesIn(text);
      bytes += text.length;
      untold.push(...untoldIn(path, text.toString('utf8')));
    }
  }
  const named = new Set(skipped.map(({ file }) => file));
  const isAccounted = (path: string): boolean => {
    if (read.has(path) || named.has(path) || found.companions.has(path) || found.indexes.has(path)) return true;
    const { role } = classifyFile(DIALECTS, path);
    if (role.role === 'foreign' && role.isKnown === true) return true;
    // What lies in a folder that is left alone, or is read as a whole, is accounted for with it.
    return [...named, ...containersOf(read)].some((above) => path.startsWith(`${above}/`) || path === above || /-(?:wal|shm)$/u.test(path));
  };
  return {
    sessions: plan.groups.length,
    counts,
    lines,
    bytes,
    skipped,
    quarantined,
    untold,
    left: leftOf(folder, read, skipped),
    lost: filesBelow(folder)
      .filter((path) => !isAccounted(path))
      .map((path) => relative(folder, path)),
  };
};

/** PARSE-1: both sides of the sum. */
export const sumsOf = ({ lines, extra, records, blank, quarantined }: LineCounts): readonly [found: number, told: number] => [
  lines + extra,
  records + blank + quarantined,
];

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());

const linesIn = (text: Buffer): number => {
  const newlines = text.reduce((count, byte) => count + (byte === 10 ? 1 : 0), 0);
  return newlines + (text.length > 0 && text.at(-1) !== 10 ? 1 : 0);
};

/** The databases and trees that sessions were read of. */
const containersOf = (read: ReadonlySet<string>): readonly string[] => [
  ...new Set([...read].flatMap((path) => /^.+?\/(?:[^/]+\.db|storage)(?=\/(?:ses_\w+\/)?ses_\w+$)/u.exec(path)?.[0] ?? [])),
];

/** Where something is not a file of lines, each thing in it must have made at least one. */
const untoldIn = (path: string, made: string): readonly string[] => {
  const [, container, session] = /^(.+?\/(?:[^/]+\.db|storage))\/(?:ses_\w+\/)?(ses_\w+)$/u.exec(path) ?? [];
  if (container !== undefined && session !== undefined)
    return idsIn(container, session).flatMap((id) => (made.includes(`"${id}"`) ? [] : [`${path}: ${id}`]));
  if (!/\/chats\/.*\.jsonl?$/u.test(path) || !isKept(path)) return [];
  const things = thingsIn(path);
  const lines = made.split('\n').length - 1;
  return lines >= things ? [] : [`${path}: ${lines} lines of ${things} things`];
};

/** The messages and parts of a session of opencode. */
const idsIn = (container: string, session: string): readonly string[] => {
  if (!container.endsWith('.db')) {
    const folder = join(container, 'message', session);
    const messages = namesIn(folder);
    return [folder, ...messages.map((message) => join(container, 'part', message))].flatMap((one) => namesIn(one).map((name) => idIn(one, name)));
  }
  const database = openDatabase(container);
  try {
    // What has lost its message is counted by `left`.
    const placed = [
      'FROM message WHERE session_id = ?',
      'FROM part p JOIN message m ON m.id = p.message_id AND m.session_id = p.session_id WHERE p.session_id = ?',
    ];
    return placed.flatMap((from, i) =>
      (database.prepare(`SELECT ${i === 0 ? 'id' : 'p.id AS id'} ${from}`).all(session) as readonly { readonly id: unknown }[]).map(({ id }) =>
        String(id),
      ),
    ); // rows are objects
  } finally {
    database.close();
  }
};

const namesIn = (folder: string): readonly string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith('.json'))
        .map((name) => name.slice(0, -'.json'.length))
    : [];

/** What a file of a tree says it is; one that is damaged goes by its name. */
const idIn = (folder: string, name: string): string => {
  const text = readFileSync(join(folder, `${name}.json`), 'utf8');
  const id: unknown = isJson(text) ? (JSON.parse(text) as { readonly id?: unknown } | null)?.id : null; // any JSON
  return typeof id === 'string' ? JSON.stringify(id).slice(1, -1) : name;
};

/** How many lines, or messages and a head, a chat of Gemini has. */
const thingsIn = (path: string): number => {
  const text = readFileSync(path, 'utf8');
  if (path.endsWith('.jsonl')) {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    return lines.length - (isJson(lines.at(-1) ?? '') || text.endsWith('\n') ? 0 : 1);
  }
  if (text.trim() === '') return 0;
  const { messages } = JSON.parse(text) as { readonly messages?: unknown }; // it was read, so it is an object
  return 1 + (Array.isArray(messages) ? messages.length : messages === undefined ? 0 : 1);
};

const isJson = (text: string): boolean => {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
};
