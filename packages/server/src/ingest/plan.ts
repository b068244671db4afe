import { statSync } from 'node:fs';
import {
  classifyFile,
  dialectNamed,
  DIALECTS,
  jsonText,
  type Dialects,
  type SkippedFile,
  type Sniffed,
  type SniffedAgent,
} from '@yarnboard/transcript';
import { reasonOf } from '../home/reason.ts';
import type { Found, FoundFile } from './discover.ts';
import { isKept, keptEnds } from './kept.ts';
import { createRecordReader } from './record-reader.ts';
import { sliceOf } from './views.ts';

/** The files of one session. Groups are independent of one another, so that threads can divide them up. */
export type Group = {
  readonly sessionId: string;
  readonly files: readonly GroupFile[];
  /** Large tool outputs, agents' meta files, workflow journals. */
  readonly companions: readonly string[];
  readonly bytes: number;
  /** The title it was given outside of its own files. */
  readonly title: string | null;
};

/** A transcript; `dialect` is the name of its dialect, `meta` the file with a sub-agent's details. */
export type GroupFile = { readonly path: string; readonly dialect: string; readonly agentId: string | null; readonly meta: string | null };

export type Plan = { readonly groups: readonly Group[]; readonly skipped: readonly SkippedFile[] };

/** Sorts files into sessions. Reads only the ends of files whose path doesn't say where they belong. */
export const planGroups = (found: Found, dialects: Dialects = DIALECTS, sessionOfAgent: SessionOfAgent = () => null): Plan => {
  const skipped: SkippedFile[] = [...found.skipped];
  const mains = new Map<string, MainFile[]>();
  const agents = new Map<string, { readonly agentId: string; readonly sessionId: string; readonly file: FoundFile }[]>();
  const started = new Map<string, SniffedAgent & { readonly file: FoundFile }>();
  for (const file of found.files) {
    const { role: kind } = classifyFile(dialects, file.path);
    const sniff = dialectNamed(dialects, file.dialect)?.sniff ?? NOTHING_SAID;
    try {
      if (kind.role === 'agent') {
        const sessionId = kind.sessionId ?? lastSessionOf(file) ?? `agent-${kind.agentId}`;
        push(agents, kind.agentId, { agentId: kind.agentId, sessionId, file });
      } else {
        const known = kind.role === 'main' ? kind.sessionId : null;
        const main = known === null ? commonestSession(file, sniff) : { sessionId: known, isStream: false, agent: undefined, begunAt: undefined };
        if (main.agent !== undefined) started.set(file.path, { ...main.agent, file });
        else if (main.isStream) skipped.push({ file: file.path, reason: 'a stream log, not a transcript' });
        else push(mains, main.sessionId ?? file.path, { ...file, begunAt: main.begunAt ?? file.modified });
      }
    } catch (cause) {
      skipped.push({ file: file.path, reason: `unreadable: ${reasonOf(cause)}` });
    }
  }
  const rootOf = createRoots([...started.values()], sessionOfAgent);
  for (const { agentId, file } of started.values()) push(agents, agentId, { agentId, sessionId: rootOf(agentId), file });
  const members = new Map<string, { path: string; dialect: string; agentId: string | null; bytes: number }[]>();
  for (const [sessionId, files] of mains) {
    for (const file of files.sort((a, b) => a.begunAt - b.begunAt || a.modified - b.modified)) push(members, sessionId, { ...file, agentId: null });
  }
  // One agent in several folders is one sidechain, located at its last record; that file is read last.
  for (const copies of agents.values()) {
    const inOrder = copies.length === 1 ? copies : [...copies].sort((a, b) => (lastInstantOf(a.file) < lastInstantOf(b.file) ? -1 : 1));
    const home = inOrder.at(-1);
    for (const { agentId, file } of inOrder) push(members, home?.sessionId ?? agentId, { ...file, agentId });
  }
  const companions = new Map<string, string[]>();
  for (const [path, sessionId] of found.companions) if (sessionId !== null) push(companions, sessionId, path);
  const titles = titlesIn(found, dialects, skipped);
  const groups = [...members].map(([sessionId, files]) => ({
    sessionId,
    files: files.map(({ path, dialect, agentId }) => ({ path, dialect, agentId, meta: metaOf(found, path) })),
    companions: companions.get(sessionId) ?? [],
    bytes: files.reduce((sum, file) => sum + file.bytes, 0),
    title: titles.get(sessionId) ?? null,
  }));
  return { groups, skipped };
};

const metaOf = (found: Found, path: string): string | null => {
  const meta = path.replace(/\.jsonl$/u, '.meta.json');
  return found.companions.has(meta) ? meta : null;
};

/** The session of a sub-agent that was seen before. */
export type SessionOfAgent = (agentId: string) => string | null;

// A sub-agent that names only its starter belongs where that one does.
const createRoots = (agents: readonly SniffedAgent[], known: SessionOfAgent): ((agentId: string) => string) => {
  const byId = new Map(agents.map((agent) => [agent.agentId, agent]));
  return (agentId) => {
    const seen = new Set<string>();
    for (let at = agentId; ;) {
      const agent = byId.get(at);
      const root = agent?.sessionId ?? known(at);
      if (root !== null) return root;
      if (agent === undefined || seen.has(at)) return at;
      seen.add(at);
      at = agent.startedBy;
    }
  };
};

/** The titles of sessions in the indexes; the latest one counts. */
const titlesIn = ({ indexes }: Found, dialects: Dialects, skipped: SkippedFile[]): ReadonlyMap<string, string> => {
  const titles = new Map<string, string>();
  for (const [path, dialect] of indexes) {
    const reader = createRecordReader(
      dialects,
      { sessionId: '', agentId: null, dialect },
      {
        record: ({ entry: { sessionId, more } }) => {
          if (sessionId !== null && more?.title != null) titles.set(sessionId, more.title.text);
        },
        quarantine: () => {}, // an unreadable title doesn't count
      },
    );
    try {
      reader.feed(sliceOf(path, 0, statSync(path).size));
      reader.end();
    } catch (cause) {
      skipped.push({ file: path, reason: `unreadable: ${reasonOf(cause)}` });
    }
  }
  return titles;
};

const NOTHING_SAID = (): Sniffed => ({ sessionIds: new Map(), isStream: false });

type MainFile = FoundFile & { readonly begunAt: number };

type Whose = {
  readonly sessionId: string | null;
  readonly isStream: boolean;
  readonly agent: SniffedAgent | undefined;
  readonly begunAt: number | undefined;
};

const commonestSession = (file: FoundFile, sniff: (text: string, path: string) => Sniffed): Whose => {
  const ends = sniff(readEnds(file), file.path);
  const { sessionIds, isStream, agent, begunAt } =
    ends.sessionIds.size > 1 ? sniff(readSlice(file, 0, Math.min(file.bytes, WHOLE)), file.path) : ends;
  const [commonest] = [...sessionIds].sort(([, a], [, b]) => b - a);
  return { sessionId: commonest?.[0] ?? null, isStream, agent, begunAt };
};

const lastSessionOf = (file: FoundFile): string | null => [...lastOf(file, /"sessionId":\s*"([^"\\]+)"/gu)].at(-1)?.[1] ?? null;

const lastInstantOf = (file: FoundFile): string =>
  [...lastOf(file, /"timestamp":\s*"([^"\\]+)"/gu)].map(([, instant = '']) => instant).reduce((a, b) => (a > b ? a : b), '');

const lastOf = (file: FoundFile, pattern: RegExp): IterableIterator<RegExpExecArray> => {
  const tail = readSlice(file, Math.max(0, file.bytes - END), END);
  return (pattern.test(tail) ? tail : readSlice(file, 0, Math.min(file.bytes, WHOLE))).matchAll(new RegExp(pattern, 'gu'));
};

const readEnds = (file: FoundFile): string => {
  const kept = isKept(file.path) ? keptEnds(file.path) : null;
  if (kept === null) return readBothEnds(file);
  const lines: string[] = [];
  for (const line of kept.first) if (lines.push(jsonText(line)) >= FEW) break;
  return lines.join('\n');
};

const readBothEnds = (file: FoundFile): string =>
  file.bytes <= 2 * END ? readSlice(file, 0, file.bytes) : `${readSlice(file, 0, END)}\n${readSlice(file, file.bytes - END, END)}`;

const readSlice = (file: FoundFile, from: number, length: number): string => sliceOf(file.path, from, length).toString('utf8');

const push = <K, V>(map: Map<K, V[]>, key: K, value: V): void => {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
};

/** What tells whose a session is comes first. */
const FEW = 4;
const END = 256 * 1024;
const WHOLE = 256 * 1024 * 1024;
