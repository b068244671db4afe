import * as fc from 'fast-check';
import { createReader, type JsonObject, type LineCounts, type Place, type Quarantined, type Reader } from '../src/index.ts';
import { decode, encode } from './reading.ts';

type Read = {
  readonly records: readonly { readonly value: JsonObject; readonly place: Place }[];
  readonly quarantined: readonly Quarantined[];
  readonly counts: LineCounts;
};

type Start = { readonly line: number; readonly offset: number };
type Options = { readonly maxLineBytes?: number; readonly start?: Start };

export const collector = (options: Options = {}): { readonly reader: Reader; readonly result: () => Read } => {
  const records: { value: JsonObject; place: Place }[] = [];
  const quarantined: Quarantined[] = [];
  const reader = createReader({
    decode,
    sink: {
      record: (value, place) => {
        records.push({ value, place });
      },
      quarantine: (found) => {
        quarantined.push(found);
      },
    },
    ...options,
  });
  return { reader, result: (): Read => ({ records, quarantined, counts: { ...reader.counts } }) };
};

export const readBytes = (bytes: Uint8Array, options: Options = {}): Read => {
  const { reader, result } = collector(options);
  reader.feed(bytes);
  reader.end();
  return result();
};

export const readText = (text: string, options: Options = {}): Read => readBytes(encode(text), options);

/** Feeds the bytes through one buffer that is overwritten after every chunk, as a file handle's read does. */
export const readThrough = (buffer: Uint8Array, bytes: Uint8Array, sizes: readonly number[], options: Options = {}): Read => {
  const { reader, result } = collector(options);
  for (let at = 0, i = 0; at < bytes.length; i += 1) {
    const size = Math.min(sizes[i % sizes.length] ?? 1, bytes.length - at, buffer.length);
    buffer.set(bytes.subarray(at, at + size));
    reader.feed(buffer.subarray(0, size));
    buffer.fill(0x7d);
    at += size;
  }
  reader.end();
  return result();
};

export const join = (...parts: readonly (string | readonly number[])[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'string' ? [...encode(part)] : part)));

export const textAt = (bytes: Uint8Array, { offset, length }: Place): string | null => decode(bytes.subarray(offset, offset + length));

export const fault = (reason: Quarantined['reason'], line: number, part: number, offset: number, length: number): Quarantined => ({
  reason,
  line,
  part,
  offset,
  length,
});

/** What is wrong with the account of a file: PARSE-1, places in order, and nothing outside them but white space or a byte order mark. */
export const unaccounted = (bytes: Uint8Array, { records, quarantined, counts }: Read): readonly string[] => {
  const places = [...records.map(({ place }) => place), ...quarantined].sort((a, b) => a.offset - b.offset);
  const lines = bytes.filter((byte) => byte === 10).length + (bytes.length > 0 && bytes.at(-1) !== 10 ? 1 : 0);
  const wrong: string[] = [];
  if (counts.lines + counts.extra !== counts.records + counts.blank + counts.quarantined) wrong.push('the sum');
  if (counts.bytes !== bytes.length) wrong.push('bytes');
  if (counts.lines !== lines) wrong.push('lines');
  if (counts.records !== records.length || counts.quarantined !== quarantined.length) wrong.push('records or quarantined');
  if (counts.extra !== places.filter(({ part }) => part > 0).length) wrong.push('extra');
  let covered = 0;
  for (const { offset, length } of [...places, { offset: bytes.length, length: 0 }]) {
    if (offset < covered) wrong.push(`a place at ${offset} inside another`);
    const gap = decode(bytes.subarray(covered, offset)) ?? 'not text';
    if ((covered === 0 ? gap.replace(/^\uFEFF/u, '') : gap).trim() !== '') wrong.push(`bytes ${covered} to ${offset} are nowhere`);
    covered = offset + length;
  }
  return wrong;
};

export const anyObject = fc.dictionary(
  fc.oneof(fc.string({ unit: 'binary', maxLength: 6 }), fc.constantFrom('__proto__', 'type', 'constructor')),
  fc.jsonValue({ maxDepth: 3 }),
  { maxKeys: 4 },
);

/** Bytes that look like transcripts gone wrong. */
export const oddBytes = fc
  .array(
    fc.oneof(
      {
        weight: 4,
        arbitrary: fc.constantFrom(
          '{',
          '}',
          '"',
          '\\',
          '[',
          ']',
          ':',
          ',',
          '\n',
          '\r',
          ' ',
          'é',
          '😀',
          'null',
          '12',
          '\uFEFF',
          '{"a":1}',
          '{"b":"',
          '{}',
        ),
      },
      { weight: 1, arbitrary: anyObject.map((value) => JSON.stringify(value)) },
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 3 }).map((bytes) => [...bytes]) },
    ),
    { maxLength: 40 },
  )
  .map((parts) => join(...parts));

export const validFile = fc
  .array(anyObject, { minLength: 1, maxLength: 8 })
  .map((values) => encode(values.map((value) => `${JSON.stringify(value)}\n`).join('')));

export const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 12 });
export const limit = fc.option(fc.integer({ min: 0, max: 30 }), { nil: undefined }).map((max) => (max === undefined ? {} : { maxLineBytes: max }));
