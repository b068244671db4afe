import { open, readFile } from 'node:fs/promises';
import {
  createReader,
  DIALECTS,
  readEntry,
  readMeta,
  recordsIn,
  type Dialects,
  type Entry,
  type JsonObject,
  type MapperInput,
  type Place,
  type Reader,
} from '@yarnboard/transcript';
import { createDecoder } from '../../ingest/group.ts';
import type { Group } from '../../ingest/plan.ts';

type Ready = { readonly record: JsonObject; readonly place: Place; readonly at: number };

type Source = {
  readonly file: number;
  readonly path: string;
  readonly agentId: string | null;
  readonly meta: string | null;
  readonly reader: Reader;
  /** Records that were read and not told yet; those before `told` are. */
  ready: Ready[];
  told: number;
  offset: number;
  chunk: number;
  latest: Entry | null;
};

/**
 * WIRE-16: the records of a session's files in the order in which an import puts them on the log: each file in its own order, all of them by time. No
 * more is read than is asked for, a piece of a file at a time, and others get their turn between two pieces.
 */
export async function* walkFiles({ sessionId, files }: Group, dialects: Dialects = DIALECTS): AsyncGenerator<MapperInput, void, undefined> {
  const sources: Source[] = [];
  for (const [file, { path, dialect, agentId, meta }] of files.entries()) {
    const source = createSource(file, path, agentId, meta, recordsIn(dialects, dialect, { sessionId, agentId }));
    if (await fill(source)) enqueue(sources, source);
  }
  for (let source = sources.shift(); source !== undefined; source = sources.shift()) {
    const { path, agentId, meta, latest } = source;
    const next = source.ready[source.told];
    if (next !== undefined) {
      if (latest === null && agentId !== null && meta !== null) {
        const found = await metaIn(meta);
        if (found !== null) yield { kind: 'meta', agentId, meta: found };
      }
      const { record, place } = next;
      const entry = readEntry(record, place, agentId !== null, latest);
      source.latest = entry;
      source.told += 1;
      const isNamed = entry.uuid !== null && !entry.uuid.startsWith('line:');
      const uuid = isNamed && entry.uuid !== null ? entry.uuid : `${path}:${place.line}.${place.part}`;
      yield { kind: 'record', record, entry, uuid, agentId, source: null };
    }
    if (await fill(source)) enqueue(sources, source);
  }
}

const createSource = (file: number, path: string, agentId: string | null, meta: string | null, toRecord: ReturnType<typeof recordsIn>): Source => {
  let at = Number.NEGATIVE_INFINITY;
  const source: Source = {
    file,
    path,
    agentId,
    meta,
    ready: [],
    told: 0,
    offset: 0,
    chunk: LEAST_CHUNK,
    latest: null,
    reader: createReader({
      decode: createDecoder(),
      sink: {
        record: (value, place) => {
          const record = toRecord(value, place);
          const said = readEntry(record, place, agentId !== null).at;
          // A record that does not tell its time, or tells an earlier one, was said when the one before it was.
          if (said > at) at = said;
          source.ready.push({ record, place, at });
        },
        quarantine: () => {}, // the import counts them
      },
    }),
  };
  return source;
};

/** False when the file has no more. */
const fill = async (source: Source): Promise<boolean> => {
  if (source.told < source.ready.length) return true;
  source.ready = [];
  source.told = 0;
  while (source.ready.length === 0 && Number.isFinite(source.offset)) {
    const bytes = await pieceOf(source.path, source.offset, source.chunk);
    if (bytes.length === 0) {
      source.offset = Number.POSITIVE_INFINITY;
      source.reader.end();
    } else {
      source.offset += bytes.length;
      source.chunk = Math.min(source.chunk * 2, MOST_CHUNK);
      source.reader.feed(bytes);
    }
  }
  return source.ready.length > 0;
};

// Opened for each piece: a session may have a thousand files, and whoever asked may never ask for the next page.
const pieceOf = async (path: string, offset: number, length: number): Promise<Buffer> => {
  try {
    const handle = await open(path, 'r');
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, offset);
      return buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch {
    return Buffer.alloc(0); // the import names files that cannot be read
  }
};

const metaIn = async (path: string): Promise<ReturnType<typeof readMeta>> => {
  try {
    return readMeta(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return null; // as above
  }
};

/** Keeps the sources in the order of what each tells next. */
const enqueue = (sources: Source[], source: Source): void => {
  let [from, to] = [0, sources.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const other = sources[middle];
    if (other !== undefined && isBefore(other, source)) from = middle + 1;
    else to = middle;
  }
  sources.splice(from, 0, source);
};

const isBefore = (a: Source, b: Source): boolean => {
  const [atA, atB] = [a.ready[a.told]?.at ?? 0, b.ready[b.told]?.at ?? 0];
  return atA === atB ? a.file < b.file : atA < atB;
};

const LEAST_CHUNK = 16 * 1024;
const MOST_CHUNK = 64 * 1024;
