import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  createReader,
  isObject,
  linesOf,
  type Base,
  type Dialects,
  type JsonObject,
  type Lines,
  type Reader,
  type Translation,
} from '@yarnboard/transcript';
import { NEWLINE } from './bytes.ts';
import { createDecoder, createRecordReader, type RecordFile } from './record-reader.ts';
import { isView, sliceOf } from './views.ts';

type FileToRead = RecordFile & { readonly path: string };

/** DIALECT-6: the state at the beginning of an ordered file, after what it builds on; null for every other file. */
export const beginningOf = (dialects: Dialects, file: FileToRead): Translation | null => {
  const lines = linesOf(dialects, file.dialect);
  return lines.kind === 'ordered' ? beginIn(lines, file, new Set()) : null;
};

/** The state before each line of an ordered file, by its offset: rereading a line starts from there. */
export const translationsIn = (dialects: Dialects, file: FileToRead): ReadonlyMap<number, Translation> => {
  const before = new Map<number, Translation>();
  let translation = beginningOf(dialects, file);
  if (translation === null) return before;
  let then = translation;
  const reader = createRecordReader(
    dialects,
    file,
    {
      record: ({ place }) => {
        if (translation !== null) before.set(place.offset, translation);
        translation = then;
      },
      quarantine: () => {}, // counted when the file is read
    },
    { from: translation, onTaken: (next) => (then = next) },
  );
  feedAll(file.path, reader);
  return before;
};

type Ordered = Extract<Lines, { kind: 'ordered' }>;

// A file may build on one that builds on another; a cycle builds on nothing.
const beginIn = (lines: Ordered, file: FileToRead, seen: Set<string>): Translation => {
  seen.add(file.path);
  const first = firstLine(file.path);
  const need = first === null ? null : lines.baseOf(first);
  const beside = documentIn(lines.besideOf?.(file.path) ?? null);
  const path = need === null ? null : pathOf(lines, file.path, need.id);
  if (need === null || path === null || seen.has(path) || seen.size > MOST_BASES) return lines.begin(file, null, beside);
  const { holds, print } = need;
  const prints: number[] = [];
  let translation = beginIn(lines, { ...file, path }, seen);
  let isOver = false;
  const reader = createReader({
    decode: createDecoder(),
    sink: {
      record: (value, { line, part }) => {
        isOver ||= !holds(value);
        if (isOver) return;
        if (print !== null) prints.push(print(value));
        else translation = translation.take(value, { ...file, line, part }).next;
      },
      quarantine: () => {}, // counted where the file itself is read
    },
  });
  feedAll(path, reader, () => isOver);
  const base: Base = { tip: translation.tip, prints, index: need.index === null ? [] : linesIn(need.index(file.path)) };
  return lines.begin(file, base, beside);
};

// It may be missing, or be written right now: then nothing is known.
const documentIn = (path: string | null): JsonObject | null => {
  if (path === null) return null;
  try {
    const value: unknown = JSON.parse(pieceOf(path, 0, FIRST).toString('utf8'));
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
};

const pathOf = (lines: Ordered, path: string, id: string): string | null => {
  const { folders, isIt } = lines.whereIs(path, id);
  for (const folder of folders) {
    const name = namesIn(folder).find(isIt);
    if (name !== undefined) return join(folder, name);
  }
  return null;
};

const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return []; // there are no files of that day
  }
};

const linesIn = (path: string): readonly JsonObject[] => {
  const lines: JsonObject[] = [];
  const reader = createReader({ decode: createDecoder(), sink: { record: (value) => lines.push(value), quarantine: () => {} } }); // counted where it is read
  feedAll(path, reader);
  return lines;
};

const firstLine = (path: string): JsonObject | null => {
  for (let length = FIRST; ; length *= 8) {
    const bytes = pieceOf(path, 0, length);
    const end = bytes.indexOf(NEWLINE);
    if (end === -1 && bytes.length === length && length < MOST_FIRST) continue;
    try {
      const value: unknown = JSON.parse(bytes.toString('utf8', 0, end === -1 ? undefined : end));
      return isObject(value) ? value : null;
    } catch {
      return null; // the file's reader counts it as unreadable
    }
  }
};

const feedAll = (path: string, reader: Reader, isOver: () => boolean = () => false): void => {
  const step = isView(path) ? Number.MAX_SAFE_INTEGER : PIECE; // a generated text is made as a whole
  let bytes = pieceOf(path, 0, step);
  for (let at = 0; bytes.length > 0 && !isOver(); bytes = pieceOf(path, at, step)) {
    reader.feed(bytes);
    at += bytes.length;
    if (bytes.length < step) break;
  }
  if (!isOver()) reader.end();
};

// A missing file provides nothing: a file that builds on it starts from scratch.
const pieceOf = (path: string, from: number, length: number): Buffer => {
  try {
    return sliceOf(path, from, length);
  } catch {
    return Buffer.alloc(0);
  }
};

const MOST_BASES = 64;
const FIRST = 64 * 1024;
const MOST_FIRST = 64 * 1024 * 1024;
const PIECE = 1024 * 1024;
