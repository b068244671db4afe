import type { Stats } from 'node:fs';
import { stat, type FileHandle } from 'node:fs/promises';
import { assertNever } from '@yarnboard/domain';
import type { FileMark } from '@yarnboard/store';
import { bytesAt, EMPTY, identityOf, openRegular } from './bytes.ts';
import { createLinesReader, type LinesReader } from './lines-reader.ts';
import { beginReading, stepLines, type LinesEffect, type LinesInput, type Look } from './lines-steps.ts';
import { createNumbering } from './numbering.ts';
import { isKnown, isStill } from './recognition.ts';
import { isEndedWhole, resumeAt, timeBefore } from './resumption.ts';
import { markOf, type Source, type SourceFile, type SourceLine, type SourceOptions } from './source.ts';

/** A file that grows line by line: `stepLines` decides what is done next, this is what does it to the file. */
export const openLines = (file: SourceFile, mark: FileMark | null, options: SourceOptions): Source => {
  const { dialects, fallbackAt } = options;
  const closing = new AbortController();
  let reading = beginReading(mark);
  const numbering = createNumbering(options.repeats, reading.where.offset);
  let handle: FileHandle | null = null;
  let reader: LinesReader | null = null;
  let buffer = EMPTY;

  const release = async (): Promise<void> => {
    const open = handle;
    handle = null;
    await open?.close();
  };

  const opened = (): FileHandle => {
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
        return { kind: 'looked', found: lookOf(await stat(file.path)), isOpen: handle !== null };
      case 'open': {
        await release();
        if (closing.signal.aborted) return { kind: 'closed' };
        const fresh = await openRegular(file.path);
        ({ handle } = fresh);
        return { kind: 'opened', found: lookOf(fresh.found) };
      }
      case 'recognise': {
        const { head, recent, mark: known } = effect;
        return { kind: 'recognised', isSame: recent === null ? await isKnown(opened(), known) : await isStill(opened(), head, recent) };
      }
      case 'find-start':
        return { kind: 'start-found', resumption: await resumeAt(opened(), effect.offset, effect.size) };
      case 'start-reader':
        reader = createLinesReader(file, dialects, effect);
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

  const readChunk = async (from: number, length: number): Promise<LinesInput> => {
    if (buffer.length < length) buffer = Buffer.allocUnsafe(length);
    // One that is closed meanwhile reads no further.
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
      buffer = EMPTY; // many files are open at once, and few of them are read
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
      // Asked for with the last line that was read: from now on the log knows them all.
      if (line.mark.offset === where.offset) numbering.settle(edition, where.offset, where.fed >= where.size);
      return markOf(file, { ...where, ...line.mark });
    },
    left: () => Math.max(0, reading.where.size - reading.where.fed),
    close: () => {
      closing.abort();
      return release();
    },
  };
};

const lookOf = (found: Stats): Look => ({ identity: identityOf(found), size: found.size, modified: found.mtimeMs });
