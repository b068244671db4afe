import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { ENTRY_TYPES, type ChainedEntry } from '@yarnboard/domain';
import { openStore, type LogPort, type Store } from '@yarnboard/store';
import { DEFAULT_PRICES } from '@yarnboard/transcript';
import { PATIENCE } from '../../../../tests/patience.ts';
import { createIngest, type Ingest, type IngestOptions } from '../../src/ingest/ingest.ts';

/** A tree of transcripts, a board beside it, and everything made on the way, to be closed at the end. */
export type Bench = {
  readonly root: string;
  readonly store: Store;
  readonly at: (name: string) => string;
  readonly write: (name: string, content: Content) => string;
  readonly append: (name: string, content: Content) => string;
  /** A new ingest on the same store, as after a restart. */
  readonly ingest: (options?: Partial<IngestOptions>) => Promise<Ingest>;
  /** Reads the whole tree with a new ingest. */
  readonly importAll: (options?: Partial<IngestOptions>) => ReturnType<Ingest['importAll']>;
  readonly entries: () => Promise<readonly Told[]>;
  readonly close: () => Promise<void>;
};

export type Content = string | Uint8Array | readonly object[];

/** An entry with its payload as text. */
export type Told = ChainedEntry & { readonly text: string };

export const openBench = async (): Promise<Bench> => {
  const folder = mkdtempSync(join(tmpdir(), 'yarnboard-ingest-'));
  const root = join(folder, 'tree');
  mkdirSync(root);
  const store = await openStore(`sqlite:${join(folder, 'board', 'board.db')}`, { prices: DEFAULT_PRICES, now: () => Date.now(), newId: randomUUID });
  const open: Ingest[] = [];
  const at = (name: string): string => join(root, name);
  const put = (name: string, content: Content, how: (path: string, bytes: string | Uint8Array) => void): string => {
    mkdirSync(dirname(at(name)), { recursive: true });
    how(at(name), typeof content === 'string' || content instanceof Uint8Array ? content : linesOf(content));
    return at(name);
  };
  const ingest = async (options: Partial<IngestOptions> = {}): Promise<Ingest> => {
    const made = await createIngest({ log: store.log, now: () => Date.now(), roots: () => [root], isExcluded: () => false, ...options });
    open.push(made);
    return made;
  };
  return {
    root,
    store,
    at,
    write: (name, content) => put(name, content, writeFileSync),
    append: (name, content) => put(name, content, appendFileSync),
    ingest,
    importAll: async (options) => (await ingest(options)).importAll([root]),
    entries: () => entriesOf(store.log),
    close: async () => {
      for (const one of open) await one.close();
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

const entriesOf = async (log: LogPort): Promise<readonly Told[]> => {
  const told: Told[] = [];
  for (let position = 0; ;) {
    const page = await log.entriesAfter(position, 2000);
    const payloads = await log.payloadsOf(page.map((entry) => entry.position));
    for (const entry of page) told.push({ ...entry, text: Buffer.from(payloads.get(entry.position) ?? []).toString('latin1') });
    const last = page.at(-1);
    if (last === undefined) return told;
    position = last.position;
  }
};

/** What must not depend on how or when a file was read: everything but the chain, the clock, and what was noticed while it was read. */
export const essence = (entries: readonly Told[]): readonly object[] =>
  entries
    .filter(({ type }) => type !== ENTRY_TYPES.takenBack)
    .map(({ uuid, type, timestamp, contextId, sessionId, occurrence, copyOf, refs, note, sender, payloadHash, text }) => ({
      uuid,
      type,
      timestamp,
      contextId,
      sessionId,
      occurrence,
      copyOf,
      refs,
      note,
      sender,
      payloadHash,
      text,
    }));

export const NOON = Date.UTC(2026, 0, 1, 12);
export const A = 'aaaaaaaa-0000-4000-8000-000000000000';
export const B = 'bbbbbbbb-0000-4000-8000-000000000000';
export const C = 'cccccccc-0000-4000-8000-000000000000';

export const timeAt = (minute: number): string => new Date(NOON + minute * 60_000).toISOString();

export const prompt = (uuid: string, minute: number, more: object = {}): object => ({
  type: 'user',
  uuid,
  parentUuid: null,
  timestamp: timeAt(minute),
  cwd: '/home/ada/loom',
  version: '2.1.0',
  message: { role: 'user', content: `prompt ${uuid}` },
  ...more,
});

export const reply = (uuid: string, minute: number, more: object = {}): object => ({
  type: 'assistant',
  uuid,
  parentUuid: null,
  timestamp: timeAt(minute),
  version: '2.1.0',
  message: { role: 'assistant', id: `msg-${uuid}`, model: 'claude-sonnet-4-5', content: [], usage: Object.fromEntries([['output_tokens', 10]]) },
  ...more,
});

/** A record without uuid or time: the same bytes stand in a file again and again. */
export const state = (mode = 'normal'): object => ({ type: 'mode', mode });

export const linesOf = (records: readonly object[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join('');

/** How often a costly property is tried: a share of what the others are, so that `npm run soak` still multiplies it. */
export const runs = (share: number): { readonly numRuns: number } => ({
  numRuns: Math.max(1, Math.round((fc.readConfigureGlobal().numRuns ?? 100) * share)),
});

/** Waits until something holds; tells what it was when it never does. */
export const until = async (what: string, holds: () => boolean | Promise<boolean>, patience = PATIENCE): Promise<void> => {
  const end = Date.now() + patience;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`it never came that ${what}`);
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
  }
};

/** How many bytes this process has read so far, from files or anything else; its database, which is in memory by then, hardly counts. */
export const bytesRead = (): number => {
  if (!existsSync('/proc/self/io')) throw new Error('only Linux tells how much was read');
  return Number(/^rchar: (\d+)$/mu.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);
};

/** Which files below a folder this process has open. */
export const openBelow = (folder: string): readonly string[] =>
  readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      const path = readlinkSync(join('/proc/self/fd', descriptor));
      return path.startsWith(folder) ? [path] : [];
    } catch {
      return []; // the one that lists them
    }
  });
