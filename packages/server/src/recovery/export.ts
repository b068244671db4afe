import { once } from 'node:events';
import { createWriteStream, mkdirSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { finished } from 'node:stream/promises';
import { ENTRY_TYPES, isTranscript, maskSecrets } from '@yarnboard/domain';
import { contextOf, lineOf, maskedText, sha256, type Store } from '@yarnboard/store';
import { entriesOfSession } from '../sessions/log-records.ts';

export type ExportOptions = {
  /** The folder to create the tree in. */
  readonly folder: string;
  readonly sessions: readonly string[];
  /** Writes the content as it is, including secrets. Otherwise known secrets are masked. */
  readonly reveal: boolean;
};

export type Exported = {
  readonly sessions: number;
  readonly files: number;
  readonly lines: number;
  readonly masked: number;
  readonly forgotten: number;
};

/**
 * DATA-3: exports sessions as the files Claude Code wrote: one line per entry, in order, in a tree that Yarnboard and Claude Code can read. With
 * `reveal`, every record keeps its exact bytes.
 */
export const exportSessions = async ({ log, library }: Store, { folder, sessions, reveal }: ExportOptions): Promise<Exported> => {
  const counts = { sessions: 0, files: 0, lines: 0, masked: 0, forgotten: 0 };
  for (const sessionId of sessions) {
    const session = await library.session(sessionId);
    if (session === null) continue;
    counts.sessions += 1;
    // SEC-28: file and folder names leave the machine, too.
    const shown = (name: string): string => (reveal ? name : maskSecrets(name).text);
    const project = join(folder, 'projects', shown(session.project ?? 'unknown').replaceAll(/[^0-9A-Za-z]/gu, '-'));
    const files = createFiles();
    for await (const page of entriesOfSession(log, sessionId, 0)) {
      for (const { entry, bytes } of page) {
        if (!isTranscript(entry.type)) continue;
        if (bytes === null) {
          counts.forgotten += 1;
          continue;
        }
        const isWhole = entry.type === ENTRY_TYPES.companion && !(entry.note ?? '').endsWith('.jsonl');
        const path =
          entry.type === ENTRY_TYPES.companion
            ? join(project, fileName(sessionId, shown), shown(entry.note ?? ''))
            : join(project, transcriptOf(entry.contextId, shown));
        // Anyone may have made this log, so its names must not lead out of the folder.
        if (!resolve(path).startsWith(resolve(folder) + sep)) continue;
        const out = masked(lineOf(entry, bytes), reveal);
        counts.masked += out.masked;
        counts.lines += 1;
        await files.write(path, out.bytes, isWhole);
      }
    }
    counts.files += await files.close();
  }
  return counts;
};

type Shown = (name: string) => string;

const transcriptOf = (contextId: string, shown: Shown): string => {
  const { sessionId, agentId } = contextOf(contextId);
  const session = fileName(sessionId, shown);
  return agentId === null ? `${session}.jsonl` : join(session, 'subagents', `agent-${fileName(agentId, shown)}.jsonl`);
};

// Two ids must not map to one name: a changed name gets part of its id's hash.
const fileName = (id: string, shown: Shown): string => {
  const name = shown(id).replaceAll(/[^0-9A-Za-z_.-]/gu, '-');
  return name === id ? name : `${name}-${sha256(id).toString('hex').slice(0, 8)}`;
};

const masked = (bytes: Uint8Array, reveal: boolean): { readonly bytes: Uint8Array; readonly masked: number } => {
  if (reveal) return { bytes, masked: 0 };
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  // Masked like everything else the server sends, including secrets hidden by escapes or recognisable only by their key.
  const shown = maskedText(text);
  return shown === text ? { bytes, masked: 0 } : { bytes: Buffer.from(shown), masked: Math.max(1, masksIn(shown) - masksIn(text)) };
};

const masksIn = (text: string): number => text.split('[masked ').length - 1;

const createFiles = () => {
  const open = new Map<string, ReturnType<typeof createWriteStream>>();
  const made = new Set<string>();
  const close = async (): Promise<void> => {
    for (const stream of open.values()) {
      stream.end();
      await finished(stream);
    }
    open.clear();
  };
  return {
    write: async (path: string, bytes: Uint8Array, isWhole: boolean): Promise<void> => {
      if (open.size >= MOST_OPEN) await close();
      let stream = isWhole ? undefined : open.get(path);
      if (stream === undefined) {
        mkdirSync(dirname(path), { recursive: true });
        // A companion that changed is overwritten: the last version counts.
        stream = createWriteStream(path, { flags: isWhole || !made.has(path) ? 'w' : 'a', mode: 0o600 });
        stream.on('error', () => {}); // reported when it is closed
        made.add(path);
        open.set(path, stream);
      }
      const isRoomy = stream.write(isWhole ? bytes : Buffer.concat([bytes, NEWLINE]));
      if (isWhole) await close();
      else if (!isRoomy) await once(stream, 'drain');
    },
    close: async (): Promise<number> => {
      await close();
      return made.size;
    },
  };
};

const NEWLINE = Buffer.from('\n');
const MOST_OPEN = 64;
