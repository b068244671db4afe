import { closeSync, openSync, readSync } from 'node:fs';
import { classifyFile, dialectNamed, DIALECTS, type Dialects, type SkippedFile, type Sniffed } from '@yarnboard/transcript';
import { reasonOf, type Found, type FoundFile } from './discover.ts';

/** The files of one session. Groups are independent of one another, so that threads can share them out. */
export type Group = {
  readonly sessionId: string;
  readonly files: readonly GroupFile[];
  /** Large tool outputs, agents' meta files, workflow journals. */
  readonly companions: readonly string[];
  readonly bytes: number;
};

/** A transcript; `dialect` is the name of the one it is written in, `meta` the file that tells more of a sub-agent. */
export type GroupFile = { readonly path: string; readonly dialect: string; readonly agentId: string | null; readonly meta: string | null };

export type Plan = { readonly groups: readonly Group[]; readonly skipped: readonly SkippedFile[] };

/** Sorts files into sessions. Reads only the ends of files whose path does not tell where they belong. */
export const planGroups = (found: Found, dialects: Dialects = DIALECTS): Plan => {
  const skipped: SkippedFile[] = [...found.skipped];
  const mains = new Map<string, FoundFile[]>();
  const agents = new Map<string, { readonly agentId: string; readonly sessionId: string; readonly file: FoundFile }[]>();
  for (const file of found.files) {
    const { role: kind } = classifyFile(dialects, file.path);
    const sniff = dialectNamed(dialects, file.dialect)?.sniff ?? NOTHING_SAID;
    try {
      if (kind.role === 'agent') {
        const sessionId = kind.sessionId ?? lastSessionOf(file) ?? `agent-${kind.agentId}`;
        push(agents, kind.agentId, { agentId: kind.agentId, sessionId, file });
      } else {
        const known = kind.role === 'main' ? kind.sessionId : null;
        const main = known === null ? commonestSession(file, sniff) : { sessionId: known, isStream: false };
        if (main.isStream) skipped.push({ file: file.path, reason: 'a stream log, not a transcript' });
        else push(mains, main.sessionId ?? file.path, file);
      }
    } catch (cause) {
      skipped.push({ file: file.path, reason: `unreadable: ${reasonOf(cause)}` });
    }
  }
  const members = new Map<string, { path: string; dialect: string; agentId: string | null; bytes: number }[]>();
  for (const [sessionId, files] of mains) {
    for (const file of files.sort((a, b) => a.modified - b.modified)) push(members, sessionId, { ...file, agentId: null });
  }
  // One agent in several folders is one sidechain, where its last record is; that file is read last.
  for (const copies of agents.values()) {
    const inOrder = copies.length === 1 ? copies : [...copies].sort((a, b) => (lastInstantOf(a.file) < lastInstantOf(b.file) ? -1 : 1));
    const home = inOrder.at(-1);
    for (const { agentId, file } of inOrder) push(members, home?.sessionId ?? agentId, { ...file, agentId });
  }
  const companions = new Map<string, string[]>();
  for (const [path, sessionId] of found.companions) if (sessionId !== null) push(companions, sessionId, path);
  const groups = [...members].map(([sessionId, files]) => ({
    sessionId,
    files: files.map(({ path, dialect, agentId }) => ({ path, dialect, agentId, meta: metaOf(found, path) })),
    companions: companions.get(sessionId) ?? [],
    bytes: files.reduce((sum, file) => sum + file.bytes, 0),
  }));
  return { groups, skipped };
};

const metaOf = (found: Found, path: string): string | null => {
  const meta = path.replace(/\.jsonl$/u, '.meta.json');
  return found.companions.has(meta) ? meta : null;
};

const NOTHING_SAID = (): Sniffed => ({ sessionIds: new Map(), isStream: false });

const commonestSession = (file: FoundFile, sniff: (text: string) => Sniffed): { readonly sessionId: string | null; readonly isStream: boolean } => {
  const ends = sniff(readEnds(file));
  const { sessionIds, isStream } = ends.sessionIds.size > 1 ? sniff(readSlice(file, 0, Math.min(file.bytes, WHOLE))) : ends;
  const [commonest] = [...sessionIds].sort(([, a], [, b]) => b - a);
  return { sessionId: commonest?.[0] ?? null, isStream };
};

const lastSessionOf = (file: FoundFile): string | null => [...lastOf(file, /"sessionId":\s*"([^"\\]+)"/gu)].at(-1)?.[1] ?? null;

const lastInstantOf = (file: FoundFile): string =>
  [...lastOf(file, /"timestamp":\s*"([^"\\]+)"/gu)].map(([, instant = '']) => instant).reduce((a, b) => (a > b ? a : b), '');

const lastOf = (file: FoundFile, pattern: RegExp): IterableIterator<RegExpExecArray> => {
  const tail = readSlice(file, Math.max(0, file.bytes - END), END);
  return (pattern.test(tail) ? tail : readSlice(file, 0, Math.min(file.bytes, WHOLE))).matchAll(new RegExp(pattern, 'gu'));
};

const readEnds = (file: FoundFile): string =>
  file.bytes <= 2 * END ? readSlice(file, 0, file.bytes) : `${readSlice(file, 0, END)}\n${readSlice(file, file.bytes - END, END)}`;

const readSlice = (file: FoundFile, from: number, length: number): string => {
  const descriptor = openSync(file.path, 'r');
  try {
    const buffer = Buffer.allocUnsafe(length);
    return buffer.toString('utf8', 0, readSync(descriptor, buffer, 0, length, from));
  } finally {
    closeSync(descriptor);
  }
};

const push = <K, V>(map: Map<K, V[]>, key: K, value: V): void => {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
};

const END = 256 * 1024;
const WHOLE = 256 * 1024 * 1024;
