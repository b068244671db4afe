import { createReadStream, existsSync, realpathSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { isTranscript } from '@yarnboard/domain';
import { contextOf, type LogPort } from '@yarnboard/store';
import type { JsonObject } from '@yarnboard/transcript';

/** The records of a session that lead to a given one, oldest first, exactly as written. */
export type Chain = {
  readonly sessionId: string;
  readonly leafUuid: string;
  readonly lines: ReadonlyMap<string, string>;
  readonly cwds: readonly string[];
};

type Link = { readonly parent: string | null; readonly position: number; readonly cwd: string | null };

/**
 * What the log has of a session up to one message, byte for byte. Null if it isn't complete: the message belongs to a sub-agent or isn't there, or
 * something on the path was forgotten. A compaction starts a conversation of its own, so whatever it summarized isn't included.
 */
export const chainOnLog = async (
  log: Pick<LogPort, 'linesOf' | 'payloadsOf'>,
  { sessionId, upTo }: { readonly sessionId: string; readonly upTo: number },
  isLeaf: (uuid: string, position: number) => boolean,
): Promise<Chain | null> => {
  const links = new Map<string, Link>();
  let leafUuid: string | null = null;
  for (let after = 0; ;) {
    const lines = await log.linesOf(sessionId, after, STEP);
    for (const { position, type, contextId, bytes } of lines) {
      after = position;
      if (position > upTo || !isTranscript(type) || bytes === null || contextOf(contextId).agentId !== null) continue;
      const record = recordIn(Buffer.from(bytes).toString('utf8'));
      const uuid = record === null ? null : textOf(record['uuid']);
      if (record === null || uuid === null || record['isSidechain'] === true) continue;
      links.set(uuid, { parent: textOf(record['parentUuid']), position, cwd: textOf(record['cwd']) });
      if (isLeaf(uuid, position)) leafUuid = uuid;
    }
    if (lines.length < STEP || after > upTo) break;
  }
  if (leafUuid === null) return null;
  const way = wayTo(leafUuid, (uuid) => links.get(uuid));
  if (way === null) return null;
  const bytes = await log.payloadsOf(way.map(([, { position }]) => position).sort((a, b) => a - b));
  const lines = new Map(
    way.flatMap(([uuid, { position }]) => (bytes.has(position) ? [[uuid, Buffer.from(bytes.get(position) ?? []).toString('utf8')]] : [])),
  );
  if (lines.size !== way.length) return null;
  return { sessionId, leafUuid, lines, cwds: [...new Set(way.flatMap(([, { cwd }]) => (cwd === null ? [] : [cwd])))] };
};

/** The path from the root to a record; null if a record on it is missing. */
const wayTo = (leaf: string, linkOf: (uuid: string) => Link | undefined): readonly (readonly [string, Link])[] | null => {
  const way: (readonly [string, Link])[] = [];
  const seen = new Set<string>();
  for (let at: string | null = leaf; at !== null;) {
    const link = linkOf(at);
    if (link === undefined || seen.has(at)) return null;
    seen.add(at);
    way.push([at, link]);
    at = link.parent;
  }
  return way.reverse();
};

/**
 * RT-29: whether Claude Code can fork a session's file at this message. The file must contain every record on the path just as the log has it, and
 * its active conversation must pass through the message. It doesn't if the file was rewritten, continues on another branch, or was compacted after
 * the message.
 */
export const isForkable = async (path: string, { leafUuid, lines }: Chain): Promise<boolean> => {
  const parents = new Map<string, string | null>();
  let [found, last] = [0, null as string | null];
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    const record = recordIn(line);
    const uuid = record === null ? null : textOf(record['uuid']);
    if (record === null || uuid === null || record['isSidechain'] === true) continue;
    const logged = lines.get(uuid);
    if (logged !== undefined && logged.trim() !== line.trim()) return false;
    if (logged !== undefined && !parents.has(uuid)) found += 1;
    parents.set(uuid, textOf(record['parentUuid']));
    if (record['type'] === 'user' || record['type'] === 'assistant') last = uuid;
  }
  if (found !== lines.size) return false;
  const seen = new Set<string>();
  for (let at = last; at !== null && !seen.has(at); at = parents.get(at) ?? null) {
    if (at === leafUuid) return true;
    seen.add(at);
  }
  return false;
};

/** Writes the session to a new file under another id, from what the log has. */
export const rebuild = async (path: string, { sessionId, lines }: Chain, newId: string): Promise<void> => {
  const text = [...lines.values()].map((line) => `${line.trim().replaceAll(`"sessionId":"${sessionId}"`, `"sessionId":"${newId}"`)}\n`).join('');
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  // Write, then rename, so that nobody reads half a file.
  await writeFile(`${path}.part`, text, { mode: 0o600 });
  await rename(`${path}.part`, path);
};

/** The path at which Claude Code keeps a session of this directory; null if we can't tell. */
export const sessionPath = (projects: string, cwd: string, sessionId: string): string | null => {
  const name = (existsSync(cwd) ? realpathSync(cwd) : cwd).replaceAll(/[^0-9A-Za-z]/gu, '-');
  // Claude Code shortens longer names in its own way.
  return name.length > LONGEST_NAME ? null : join(projects, name, `${sessionId}.jsonl`);
};

const recordIn = (line: string): JsonObject | null => {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null; // an object in JSON is a `JsonObject`
  } catch {
    return null; // an unreadable line leads nowhere
  }
};

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

const STEP = 500;
const LONGEST_NAME = 200;
