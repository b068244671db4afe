import type { Stats } from 'node:fs';
import { stat, type FileHandle } from 'node:fs/promises';
import { dialectNamed, withOriginal, type JsonObject, type Place, type Reader } from '@yarnboard/transcript';
import { draftOfCompanion, draftOfLine, NOWHERE, sha256, type FileMark, type Item } from '@yarnboard/store';
import { bytesAt, EMPTY, identityOf, openRegular } from './bytes.ts';
import { countBefore, createOccurrences, type Occurrences } from './occurrences.ts';
import { HEAD, hashOfHead, isKnown, isStill, sealOf, withRecent, type Recent } from './recognition.ts';
import { createRecordReader } from './record-reader.ts';
import { isEndedWhole, resumeAt, timeBefore } from './resumption.ts';
import { lengthOf, markOf, type Source, type SourceFile, type SourceLine, type SourceOptions } from './source.ts';

type State = Pick<FileMark, 'identity' | 'size' | 'modified'> &
  SourceLine['mark'] & {
    /** Bytes handed to the reader: more than are on the log while a line is half. */
    readonly fed: number;
  };

/** `raw` is what stands in the file: of another tool's line more goes onto the log. */
type Read = {
  readonly item: Item;
  readonly raw: Buffer;
  readonly said: number;
  readonly end: number;
  readonly line: number;
  readonly counts: FileMark['counts'];
};

/** A file that grows line by line. */
export const openLines = (file: SourceFile, mark: FileMark | null, options: SourceOptions): Source => {
  const isMade = (dialectNamed(options.dialects, file.dialect)?.toRecord ?? null) !== null;
  const payloadOf = (record: JsonObject, raw: Buffer): Buffer =>
    isMade ? Buffer.from(JSON.stringify(withOriginal(record, raw.toString('utf8')))) : raw;
  let handle: FileHandle | null = null;
  const closing = new AbortController();
  let state: State = mark === null ? FRESH : { ...mark, fed: mark.offset };
  let reader: Reader | null = null;
  let base = state.counts;
  let head: Buffer = EMPTY;
  let recent: Recent | null = null;
  let pending: Read[] = [];
  /** When the record before was said, NaN until one tells; and the latest that any was. */
  let said = Number.NaN;
  let latest = Number.NEGATIVE_INFINITY;
  let earlier: number | null = null;
  /** Null while the log is asked instead; kept once it had to be counted. */
  let occurrences: Occurrences | null = state.offset === 0 ? createOccurrences() : null;
  let isCounted = false;
  /** Everything up to here is on the log; these are behind it. */
  let settledAt = state.offset;
  let unsettled = new Set<string>();
  let hashed = { bytes: -1, hash: '' };

  const whose = { context: file.context, dialect: file.dialect };
  const recordFile = { ...file.context, dialect: file.dialect };

  const startReader = (): Reader => {
    base = state.counts;
    return createRecordReader(
      options.dialects,
      recordFile,
      {
        record: ({ record, entry: reading, place }, bytes) => {
          if (Number.isFinite(reading.at)) said = reading.at;
          const raw = Buffer.from(bytes); // a copy: the chunk is read into again
          const payload = file.role === 'companion' ? raw : payloadOf(record, raw);
          const length = lengthOf(payload);
          const item =
            file.role === 'companion'
              ? { draft: draftOfCompanion(file.context.sessionId, file.name ?? '', length, said), payload, reading: null }
              : { draft: draftOfLine({ ...whose, reading, fault: null, length, occurrence: 1, fallbackAt: said }), payload, reading };
          take(item, raw, place);
        },
        quarantine: (place, raw) => {
          const payload = Buffer.from(raw);
          const length = lengthOf(payload);
          const draft =
            file.role === 'companion'
              ? { ...draftOfCompanion(file.context.sessionId, file.name ?? '', length, said), errorOccurred: true }
              : draftOfLine({ ...whose, reading: null, fault: place.reason, length, occurrence: 1, fallbackAt: said });
          take({ draft, payload, reading: null }, payload, place);
        },
      },
      { start: { line: state.line, offset: state.offset }, readAt: NOWHERE },
    );
  };

  const take = (item: Item, raw: Buffer, place: Place): void => {
    pending.push({ item, raw, said, end: place.offset + place.length, line: place.line, counts: countsNow() });
  };

  const countsNow = (): FileMark['counts'] => {
    const { lines = 0, blank = 0, records = 0, quarantined = 0 } = reader?.counts ?? {};
    return { lines: base.lines + lines, blank: base.blank + blank, records: base.records + records, quarantined: base.quarantined + quarantined };
  };

  const restart = (): void => {
    state = FRESH;
    reader = null;
    head = EMPTY;
    recent = null;
    said = Number.NaN;
    latest = Number.NEGATIVE_INFINITY;
    earlier = null;
    hashed = { bytes: -1, hash: '' };
    occurrences = createOccurrences();
    isCounted = false;
    settledAt = 0;
    unsettled = new Set();
  };

  const isUnchanged = (found: Stats): boolean =>
    state.fed >= found.size && state.identity === identityOf(found) && state.size === found.size && state.modified === found.mtimeMs;

  /** The file, open, if there may be something to read in it. */
  const look = async (): Promise<FileHandle | null> => {
    const found = await stat(file.path);
    if (handle !== null && identityOf(found) === state.identity && found.size >= state.fed) {
      state = { ...state, size: found.size, modified: found.mtimeMs };
      return handle;
    }
    await release();
    if (isUnchanged(found) || closing.signal.aborted) return null;
    const opened = await openRegular(file.path);
    handle = opened.handle;
    const { size, mtimeMs: modified } = opened.found;
    const identity = identityOf(opened.found);
    if (state.identity !== '' && (state.identity !== identity || size < state.fed || !(await isSame(handle)))) restart();
    state = { ...state, identity, size, modified };
    return handle;
  };

  const isSame = async (opened: FileHandle): Promise<boolean> => {
    if (recent !== null) return isStill(opened, head, recent);
    return state.offset === 0 || isKnown(opened, state);
  };

  /** A reader that goes on from the offset; null while what follows is not enough to tell how. */
  const resume = async (opened: FileHandle): Promise<Reader | null> => {
    const resumption = await resumeAt(opened, state.offset, state.size);
    if (resumption.kind === 'nothing yet') return null;
    const { offset } = resumption;
    // What follows a record on its line was counted with it.
    if (resumption.kind === 'same line') state = { ...state, line: state.line - 1, counts: { ...state.counts, lines: state.counts.lines - 1 } };
    state = { ...state, offset, fed: offset };
    reader = startReader();
    return reader;
  };

  const numbered = async (opened: FileHandle, item: Item, hash: string): Promise<Item> => {
    if (occurrences === null) {
      if (!unsettled.has(hash) && (await options.repeats(item.draft.contextId, hash)) === 0) {
        unsettled.add(hash);
        return item;
      }
      // The same bytes were here before, or in a copy of the file: only the file itself tells how often. Counted once, then kept: some lines
      // come again with every prompt.
      occurrences = await countBefore(opened, settledAt);
      isCounted = true;
      for (const seen of unsettled) occurrences.next(seen);
    }
    const occurrence = occurrences.next(hash);
    return occurrence === 1 ? item : { ...item, draft: { ...item.draft, occurrence } };
  };

  /** A record that tells no time, nor any before it that this process has read: looked for only then, since it may be far back. */
  const timed = async (opened: FileHandle, item: Item, before: number): Promise<Item> => {
    earlier ??= before === 0 ? Number.NaN : await timeBefore(opened, before, options.dialects, recordFile);
    return { ...item, draft: { ...item.draft, timestamp: Number.isFinite(earlier) ? earlier : options.fallbackAt } };
  };

  const lineOf = async (opened: FileHandle, { item: untimed, raw, said: time, end, line, counts }: Read, before: number): Promise<SourceLine> => {
    const item = Number.isFinite(time) ? untimed : await timed(opened, untimed, before);
    latest = Math.max(latest, item.draft.timestamp);
    const payload = item.payload ?? EMPTY;
    const digest = sha256(payload);
    const hash = digest.toString('hex');
    const headBytes = Math.min(HEAD, end);
    if (hashed.bytes !== headBytes) hashed = { bytes: headBytes, hash: hashOfHead(head, headBytes) };
    const headHash = sealOf(hashed.hash, end, raw.length, raw === payload ? hash : sha256(raw).toString('hex'));
    return {
      item: await numbered(opened, { ...item, hash: digest }, hash),
      at: latest,
      mark: { offset: end, line: line + 1, counts, headHash, headBytes },
    };
  };

  const read = async (): Promise<readonly SourceLine[]> => {
    const opened = await look();
    const feeding = opened === null || state.fed >= state.size ? null : (reader ?? (await resume(opened)));
    if (opened === null || feeding === null) {
      await release();
      return [];
    }
    if (head.length < Math.min(HEAD, state.size)) head = await bytesAt(opened, 0, Math.min(HEAD, state.size));
    pending = [];
    const before = state.offset;
    const buffer = Buffer.allocUnsafe(Math.min(CHUNK, state.size - state.fed));
    while (pending.length === 0 && state.fed < state.size && !closing.signal.aborted) {
      const { bytesRead } = await opened.read(buffer, 0, Math.min(buffer.length, state.size - state.fed), state.fed);
      if (bytesRead === 0) break;
      const bytes = buffer.subarray(0, bytesRead);
      feeding.feed(bytes);
      state = { ...state, fed: state.fed + bytesRead };
      recent = withRecent(recent, bytes, state.fed);
    }
    if (state.fed >= state.size && (await isEndedWhole(opened, feeding.position().offset, state.size))) feeding.end();
    const lines: SourceLine[] = [];
    for (const one of pending) lines.push(await lineOf(opened, one, before));
    // After the newline, not before it: where the next line begins.
    const rest = { ...feeding.position(), counts: countsNow() };
    const last = lines.pop();
    if (last !== undefined) lines.push({ ...last, mark: { ...last.mark, ...rest } });
    state = { ...state, ...last?.mark, ...rest };
    pending = [];
    if (state.offset >= state.size) reader = null;
    if (state.fed >= state.size) await release();
    return lines;
  };

  // Asked for with the last line that was read: from now on the log knows them all, and what is appended later is few.
  const settle = (): void => {
    settledAt = state.offset;
    unsettled = new Set();
    if (!isCounted && state.fed >= state.size) occurrences = null;
  };

  const release = async (): Promise<void> => {
    const open = handle;
    handle = null;
    await open?.close();
  };

  return {
    file,
    read,
    markAt: (line) => {
      if (line.mark.offset === state.offset) settle();
      return markOf(file, { ...state, ...line.mark });
    },
    left: () => Math.max(0, state.size - state.fed),
    close: () => {
      closing.abort();
      return release();
    },
  };
};

const FRESH: State = {
  identity: '',
  size: 0,
  modified: 0,
  fed: 0,
  offset: 0,
  line: 1,
  counts: { lines: 0, blank: 0, records: 0, quarantined: 0 },
  headHash: '',
  headBytes: 0,
};

const CHUNK = 1024 * 1024;
