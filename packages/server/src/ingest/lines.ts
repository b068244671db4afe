import { assertNever } from '@yarnboard/domain';
import { linesOf, type Translation } from '@yarnboard/transcript';
import { sha256, type FileMark } from '@yarnboard/store';
import { bytesAt, EMPTY, identityOf, openRegular, seenAt, type Handle, type Seen } from './bytes.ts';
import { createLinesReader, type Fed, type LinesReader } from './lines-reader.ts';
import { beginReading, stepLines, type LinesEffect, type LinesInput, type Look } from './lines-steps.ts';
import { createNumbering } from './numbering.ts';
import { countBefore, createOccurrences } from './occurrences.ts';
import { isKnown, isStill } from './recognition.ts';
import { createRecordReader, type RecordFile } from './record-reader.ts';
import { isEndedWhole, resumeAt, timeBefore } from './resumption.ts';
import { markOf, type Source, type SourceFile, type SourceLine, type SourceOptions } from './source.ts';
import { sizeAt } from './sources.ts';
import { beginningOf } from './translations.ts';
import { isView } from './views.ts';

/** A file that grows line by line: `stepLines` decides about the steps, and this performs them. */
export const openLines = (file: SourceFile, mark: FileMark | null, options: SourceOptions): Source => {
  const { dialects, fallbackAt } = options;
  const closing = new AbortController();
  let reading = beginReading(mark);
  const isMade = linesOf(dialects, file.dialect).kind !== 'records' && file.role !== 'companion';
  const numbering = createNumbering(options.repeats, reading.where.offset, isMade ? (open, end) => countMade(open, end) : countBefore);
  let handle: Handle | null = null;
  let reader: LinesReader | null = null;
  let buffer = EMPTY;
  /** For an ordered file: the state before the next line. */
  let translation: Translation | null = null;
  /** For a file with generated text: the length of its text when the file looked like this. */
  let text: Look | null = null;
  /** The edition of the file whose missing records have been reported. */
  let compared = 0;

  const release = async (): Promise<void> => {
    const open = handle;
    handle = null;
    await open?.close();
  };

  const opened = (): Handle => {
    if (handle === null) throw new Error(`${file.path} was closed while it was read`);
    return handle;
  };

  const currentReader = (): LinesReader => {
    if (reader === null) throw new Error(`${file.path} has no reader`);
    return reader;
  };

  const perform = async (effect: Exclude<LinesEffect, { kind: 'done' }>): Promise<LinesInput> => {
    switch (effect.kind) {
      case 'look':
        return { kind: 'looked', found: lookAgain(await seenAt(file.path)), isOpen: handle !== null };
      case 'open': {
        await release();
        if (closing.signal.aborted) return { kind: 'closed' };
        const fresh = await openRegular(file.path, options.bounds?.());
        ({ handle } = fresh);
        text = isView(file.path) ? lookOf(fresh.found) : null;
        options.onProblem?.(fresh.problem);
        return { kind: 'opened', found: lookOf(fresh.found) };
      }
      case 'recognise': {
        const { head, recent, mark: known } = effect;
        return { kind: 'recognised', isSame: recent === null ? await isKnown(opened(), known) : await isStill(opened(), head, recent) };
      }
      case 'find-start':
        return { kind: 'start-found', resumption: await resumeAt(opened(), effect.offset, effect.size) };
      case 'start-reader':
        if (reading.edition > compared) await compare(reading.where.size);
        compared = reading.edition;
        translation = effect.offset === 0 || translation === null ? await translationAt(effect.offset) : translation;
        reader = createLinesReader(file, options, { ...effect, from: translation, onTaken: (then) => (translation = then) });
        return { kind: 'reader-started' };
      case 'read-head':
        return { kind: 'head', bytes: await bytesAt(opened(), 0, effect.length) };
      case 'read-chunk':
        return readChunk(effect.from, effect.length);
      case 'look-at-end':
        return { kind: 'end-seen', isWhole: await isEndedWhole(opened(), effect.offset, effect.size) };
      case 'end-reader':
        return { kind: 'reader-ended', fed: currentReader().end() };
      case 'find-time':
        return { kind: 'time-found', at: await timeBefore(opened(), effect.before, dialects, { ...file.context, dialect: file.dialect }) };
      case 'number':
        return { kind: 'numbered', numbers: await numbering.next(opened(), effect.edition, effect.lines) };
      default:
        return assertNever(effect);
    }
  };

  // DIALECT-6: to continue a file left by another process, the earlier lines are read again for their meaning.
  const translationAt = async (offset: number): Promise<Translation | null> => {
    if (linesOf(dialects, file.dialect).kind !== 'ordered' || file.isIndex === true) return null;
    const known: RecordFile & { readonly path: string } = { ...file.context, dialect: file.dialect, path: file.path };
    let then = beginningOf(dialects, known);
    const skipping = createRecordReader(
      dialects,
      known,
      { record: () => {}, quarantine: () => {} },
      { from: then, onTaken: (next) => (then = next) },
    );
    for (let at = 0; at < offset; at += SKIPPED) skipping.feed(await bytesAt(opened(), at, Math.min(SKIPPED, offset - at)));
    skipping.end();
    return then;
  };

  // If a line is converted to a record, more than the line is logged, so the same line may be logged differently.
  const countMade: typeof countBefore = async (open, end) => {
    const counted = createOccurrences();
    const from = file.isIndex === true ? null : beginningOf(dialects, { ...file.context, dialect: file.dialect, path: file.path });
    const lines = createLinesReader(file, options, { line: 1, offset: 0, from });
    const take = ({ found }: Fed): void => found.forEach(({ payload }) => void counted.next(sha256(payload).toString('hex')));
    for (let at = 0; at < end; at += SKIPPED) take(lines.feed(await bytesAt(open, at, Math.min(SKIPPED, end - at))));
    take(lines.end());
    return counted;
  };

  // BACK-2: before any of it is logged, so that it isn't forgotten if the process is killed in between.
  const compare = async (end: number): Promise<void> => {
    if (options.onRewritten === undefined || file.role === 'companion' || file.isIndex === true) return;
    const uuids = new Set<string>();
    const known: RecordFile & { readonly path: string } = { ...file.context, dialect: file.dialect, path: file.path };
    const reader = createRecordReader(
      dialects,
      known,
      { record: ({ entry: { uuid } }) => void (uuid !== null && uuids.add(uuid)), quarantine: () => {} },
      { from: linesOf(dialects, file.dialect).kind === 'ordered' ? beginningOf(dialects, known) : null },
    );
    for (let at = 0; at < end; at += SKIPPED) reader.feed(await bytesAt(opened(), at, Math.min(SKIPPED, end - at)));
    reader.end();
    await options.onRewritten(uuids);
  };

  // The text is generated to learn its length, but not again while the file looks the same.
  const lookAgain = (found: Seen): Look => {
    const look = lookOf(found);
    if (!isView(file.path)) return look;
    return text !== null && text.identity === look.identity && text.modified === look.modified ? text : { ...look, size: Number.MAX_SAFE_INTEGER };
  };

  const readChunk = async (from: number, length: number): Promise<LinesInput> => {
    if (buffer.length < length) buffer = Buffer.allocUnsafe(length);
    // A source that is closed in the meantime reads no further.
    const bytesRead = closing.signal.aborted ? 0 : (await opened().read(buffer, 0, length, from)).bytesRead;
    const bytes = buffer.subarray(0, bytesRead);
    return { kind: 'chunk', bytes, fed: currentReader().feed(bytes) };
  };

  const read = async (): Promise<readonly SourceLine[]> => {
    for (let input: LinesInput = { kind: 'read' }; ;) {
      const { reading: next, effect } = stepLines(file, fallbackAt, reading, input);
      reading = next;
      if (effect.kind !== 'done') {
        input = await perform(effect);
        continue;
      }
      buffer = EMPTY; // many files are open at once, and few of them are being read
      if (!next.hasReader) reader = null;
      if (effect.isReleased) await release();
      return effect.lines;
    }
  };

  return {
    file,
    read,
    markAt: (line) => {
      const { where, edition } = reading;
      // Called for the last line read: from now on, the log knows them all.
      if (line.mark.offset === where.offset) numbering.settle(edition, where.offset, where.fed >= where.size);
      // Its size doesn't give the length of the generated text: one not read to its end looks missing, and is read on.
      const isEnd = text !== null && line.mark.offset >= text.size;
      return markOf(file, { ...where, ...line.mark, ...(text === null ? {} : { size: isEnd ? (sizeAt(file.path)?.bytes ?? 0) : 0 }) });
    },
    left: () => Math.max(0, reading.where.size - reading.where.fed),
    close: () => {
      closing.abort();
      return release();
    },
  };
};

const SKIPPED = 1024 * 1024;

const lookOf = (found: Seen): Look => ({ identity: identityOf(found), size: found.size, modified: found.mtimeMs });
