import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createReader, type JsonObject, type LineCounts, type Place, type Quarantined } from '../src/index.ts';
import { decode, encode, linesOf, prompt, reply } from './reading.ts';

type Read = {
  readonly records: readonly { readonly value: JsonObject; readonly place: Place }[];
  readonly quarantined: readonly Quarantined[];
  readonly counts: LineCounts;
};

type Start = { readonly line: number; readonly offset: number };
type Options = { readonly maxLineBytes?: number; readonly start?: Start };

const collector = (options: Options = {}) => {
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

const readBytes = (bytes: Uint8Array, options: Options = {}): Read => {
  const { reader, result } = collector(options);
  reader.feed(bytes);
  reader.end();
  return result();
};

const readText = (text: string, options: Options = {}): Read => readBytes(encode(text), options);

/** Feeds the bytes through one buffer that is overwritten after every chunk, as a file handle's read does. */
const readThrough = (buffer: Uint8Array, bytes: Uint8Array, sizes: readonly number[], options: Options = {}): Read => {
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

const join = (...parts: readonly (string | readonly number[])[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'string' ? [...encode(part)] : part)));

const textAt = (bytes: Uint8Array, { offset, length }: Place): string | null => decode(bytes.subarray(offset, offset + length));

const fault = (reason: Quarantined['reason'], line: number, part: number, offset: number, length: number): Quarantined => ({ reason, line, part, offset, length });

/** PARSE-1, and more: what no place covers is white space or a byte order mark, and places come in order. */
const expectAccounted = (bytes: Uint8Array, { records, quarantined, counts }: Read): void => {
  const places = [...records.map(({ place }) => place), ...quarantined].sort((a, b) => a.offset - b.offset);
  const newlines = bytes.filter((byte) => byte === 10).length;
  expect({ ...counts, sum: counts.records + counts.blank + counts.quarantined }).toEqual({
    bytes: bytes.length,
    lines: newlines + (bytes.length > 0 && bytes.at(-1) !== 10 ? 1 : 0),
    blank: counts.blank,
    records: records.length,
    extra: places.filter(({ part }) => part > 0).length,
    quarantined: quarantined.length,
    sum: counts.lines + counts.extra,
  });
  let covered = 0;
  for (const { offset, length } of [...places, { offset: bytes.length, length: 0 }]) {
    expect(offset).toBeGreaterThanOrEqual(covered);
    const gap = decode(bytes.subarray(covered, offset)) ?? 'not text';
    expect(covered === 0 ? gap.replace(/^\uFEFF/u, '').trim() : gap.trim()).toBe('');
    covered = offset + length;
  }
};

const anyObject = fc.dictionary(fc.oneof(fc.string({ unit: 'binary', maxLength: 6 }), fc.constantFrom('__proto__', 'type', 'constructor')), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 });

/** Bytes that look like transcripts gone wrong. */
const oddBytes = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom('{', '}', '"', '\\', '[', ']', ':', ',', '\n', '\r', ' ', 'é', '😀', 'null', '12', '\uFEFF', '{"a":1}', '{"b":"', '{}') },
      { weight: 1, arbitrary: anyObject.map((value) => JSON.stringify(value)) },
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 3 }).map((bytes) => [...bytes]) },
    ),
    { maxLength: 40 },
  )
  .map((parts) => join(...parts));

const validFile = fc
  .array(anyObject, { minLength: 1, maxLength: 8 })
  .map((values) => encode(values.map((value) => `${JSON.stringify(value)}\n`).join('')));

const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 12 });
const limit = fc.option(fc.integer({ min: 0, max: 30 }), { nil: undefined }).map((max) => (max === undefined ? {} : { maxLineBytes: max }));

describe('accounting', () => {
  test('[PARSE-1] records, blank lines, extra objects and quarantined lines add up', () => {
    const read = readText('{"a":1}\n\n{"b":1}{"c":1}\nnope\n \t\r\n{"d":1} 5\n');
    expect(read.counts).toEqual({ bytes: 43, lines: 6, blank: 2, records: 4, extra: 2, quarantined: 2 });
  });

  test('[PARSE-1] an empty file has no lines, and one newline is one blank line', () => {
    expect([readText('').counts, readText('\n').counts]).toEqual([
      { bytes: 0, lines: 0, blank: 0, records: 0, extra: 0, quarantined: 0 },
      { bytes: 1, lines: 1, blank: 1, records: 0, extra: 0, quarantined: 0 },
    ]);
  });

  test('[PARSE-1] whatever is changed, cut out or put into a valid file, every byte of it is accounted for', () => {
    const edit = fc.record({ at: fc.nat(), cut: fc.nat({ max: 12 }), put: oddBytes });
    fc.assert(
      fc.property(validFile, fc.array(edit, { minLength: 1, maxLength: 4 }), limit, (file, edits, options) => {
        let bytes = file;
        for (const { at, cut, put } of edits) {
          const from = at % (bytes.length + 1);
          bytes = join([...bytes.subarray(0, from)], [...put], [...bytes.subarray(from + cut)]);
        }
        expectAccounted(bytes, readBytes(bytes, options));
      }),
      { numRuns: 500 },
    );
  });

  test('[PARSE-1] a file cut anywhere loses at most the record that was cut', () => {
    fc.assert(
      fc.property(validFile, fc.nat(), (file, at) => {
        const whole = readBytes(file);
        const bytes = file.subarray(0, at % (file.length + 1));
        const read = readBytes(bytes);
        expectAccounted(bytes, read);
        const kept = whole.records.filter(({ place }) => place.offset + place.length <= bytes.length);
        expect(read.records).toEqual(kept);
      }),
    );
  });
});

describe('chunks', () => {
  test('[PARSE-2] any cut of the bytes gives the same records, places and counts, through a buffer that is overwritten', () => {
    fc.assert(
      fc.property(oddBytes, sizes, limit, (bytes, cut, options) => {
        const whole = readBytes(bytes, options);
        expect(readThrough(new Uint8Array(16), bytes, cut, options)).toEqual(whole);
        // A Node buffer's `slice` shares memory: a reader that kept one would see what comes later.
        expect(readThrough(Buffer.alloc(16), bytes, cut, options)).toEqual(whole);
      }),
      { numRuns: 1000 },
    );
  });

  test('[PARSE-2] a valid file read byte by byte is the file read at once', () => {
    const bytes = encode(linesOf([prompt('u1', null, 'größe 😀'), reply('a1', 'u1', 'm1'), '', prompt('u2', 'a1')]));
    expect(readThrough(Buffer.alloc(1), bytes, [1])).toEqual(readBytes(bytes));
  });

  test('[PARSE-2] empty chunks change nothing', () => {
    const { reader, result } = collector();
    for (const part of ['', '{"a"', '', ':1}', '\n', '']) reader.feed(encode(part));
    reader.end();
    expect(result()).toEqual(readText('{"a":1}\n'));
  });
});

describe('quarantine', () => {
  test('[PARSE-3] every reason comes with line, offset and length, between lines that are read', () => {
    const deep = `{"a":${'['.repeat(600)}${']'.repeat(600)}}`;
    const bytes = join('{"a":1}\n', '{"a":}\n', '[1,{"b":2}]\n', '{"a":"b\n', `${deep}\n`, [0x7b, 0xff, 0xfe, 10], `"${'x'.repeat(3000)}"\n`, '{"z":1}\n');
    expect(readBytes(bytes, { maxLineBytes: 2000 })).toEqual({
      records: [
        { value: { a: 1 }, place: { line: 1, part: 0, offset: 0, length: 7 } },
        { value: { z: 1 }, place: { line: 8, part: 0, offset: bytes.length - 8, length: 7 } },
      ],
      quarantined: [
        fault('invalid JSON', 2, 0, 8, 6),
        fault('not an object', 3, 0, 15, 11),
        fault('truncated', 4, 0, 27, 7),
        fault('too deep', 5, 0, 35, 1206),
        fault('invalid UTF-8', 6, 0, 1242, 3),
        fault('too long', 7, 0, 1246, 3002),
      ],
      counts: { bytes: bytes.length, lines: 8, blank: 0, records: 2, extra: 0, quarantined: 6 },
    });
  });

  test.each(['[]', '[{"type":"user"}]', '5', '"text"', 'null', 'true'])('[PARSE-3] %s is JSON but not an object', (line) => {
    expect(readText(`${line}\n`).quarantined).toEqual([fault('not an object', 1, 0, 0, line.length)]);
  });

  test('[PARSE-3] an object that the end of the file cuts off is truncated', () => {
    expect(readText('{"a":1}\n{"b":[1,').quarantined).toEqual([fault('truncated', 2, 0, 8, 8)]);
  });

  test('[PARSE-3] a character that the end of the file cuts in two is invalid UTF-8', () => {
    const bytes = encode('{"a":"é').subarray(0, 7);
    expect(readBytes(bytes).quarantined).toEqual([fault('invalid UTF-8', 1, 0, 0, 7)]);
  });

  test('[PARSE-3] 512 levels are read and 513 are too deep, alone on a line or beside another object', () => {
    const nested = (levels: number): string => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
    const bytes = encode(`${nested(512)}\n${nested(513)}\n${nested(512)}${nested(513)}{"b":1}\n`);
    const read = readBytes(bytes);
    expect(read.records.map(({ place }) => [place.line, place.part])).toEqual([[1, 0], [3, 0], [3, 2]]);
    expect(read.quarantined).toEqual([fault('too deep', 2, 0, 1029, 1030), fault('too deep', 3, 1, 3088, 1030)]);
  });

  test('[PARSE-3] brackets inside strings are not depth', () => {
    const value = { a: '[{"\\'.repeat(2000) };
    expect(readText(JSON.stringify(value)).records.map((read) => read.value)).toEqual([value]);
  });

  test('[PARSE-3] a line one byte over the limit is too long, one at the limit is read', () => {
    const read = readText('{"a":1}\n{"a":12}\n{"a":2}', { maxLineBytes: 7 });
    expect(read.quarantined).toEqual([fault('too long', 2, 0, 8, 8)]);
    expect(read.records.map(({ place }) => place.offset)).toEqual([0, 17]);
  });
});

describe('several objects on a line', () => {
  test('[PARSE-4] two objects on one line are two records with their own offsets, multi-byte characters counted in bytes', () => {
    const bytes = encode('{"a":"é😀"}  {"b":2}\n');
    const read = readBytes(bytes);
    expect(read.records).toEqual([
      { value: { a: 'é😀' }, place: { line: 1, part: 0, offset: 0, length: 14 } },
      { value: { b: 2 }, place: { line: 1, part: 1, offset: 16, length: 7 } },
    ]);
    expect(read.records.map(({ place }) => textAt(bytes, place))).toEqual(['{"a":"é😀"}', '{"b":2}']);
  });

  test('[PARSE-4] any objects written without newlines between them are all read', () => {
    fc.assert(
      fc.property(fc.array(anyObject, { minLength: 2, maxLength: 6 }), fc.constantFrom('', ' ', '\t', '\r'), (values, between) => {
        const texts = values.map((value) => JSON.stringify(value));
        const bytes = encode(texts.join(between));
        const read = readBytes(bytes);
        expect(read.records.map(({ place }) => textAt(bytes, place))).toEqual(texts);
        expect(read.counts).toEqual({ bytes: bytes.length, lines: 1, blank: 0, records: texts.length, extra: texts.length - 1, quarantined: 0 });
      }),
    );
  });

  test('[PARSE-4] half an object followed by a whole one costs only the half, wherever it was cut', () => {
    const first = JSON.stringify(reply('a1', 'u1', 'm1', [{ type: 'text', text: 'brace } and "quote" and \\' }]));
    const second = JSON.stringify(prompt('u2', 'a1', 'next {"x":1} } "'));
    for (let cut = 1; cut < first.length; cut += 1) {
      // After one of these the second object could be the value that the first one wanted.
      if (':,['.includes(first.charAt(cut - 1))) continue;
      const bytes = encode(`${first.slice(0, cut)}${second}\n`);
      const read = readBytes(bytes);
      expect(read.records.map(({ place }) => [place.part, textAt(bytes, place)])).toEqual([[1, second]]);
      expect(read.quarantined.map(({ offset, length }) => [offset, length])).toEqual([[0, cut]]);
      expectAccounted(bytes, read);
    }
  });

  test.each(['{"a": 1, "message": {"role": "user"}', '{"a": [ {"role": "user"}'])('[PARSE-4] what stands inside a truncated object is no record: %s', (line) => {
    expect(readText(`${line}\n`)).toEqual({
      records: [],
      quarantined: [fault('truncated', 1, 0, 0, line.length)],
      counts: { bytes: line.length + 1, lines: 1, blank: 0, records: 0, extra: 0, quarantined: 1 },
    });
  });

  test('[PARSE-4] rubbish before, between and after objects is quarantined piece by piece', () => {
    const read = readText('[1]{"a":1}\n{"b":1}x{"c":1}\n{"d":1} 7\n');
    expect(read.records.map(({ value }) => value)).toEqual([{ a: 1 }, { b: 1 }, { c: 1 }, { d: 1 }]);
    expect(read.quarantined).toEqual([fault('not an object', 1, 0, 0, 3), fault('invalid JSON', 2, 1, 18, 1), fault('not an object', 3, 1, 35, 1)]);
  });
});

describe('places', () => {
  test('[PARSE-5] the bytes at a place are the text of the record, whatever it holds', () => {
    fc.assert(
      fc.property(fc.array(anyObject, { maxLength: 6 }), fc.constantFrom('\n', '\n\n'), fc.boolean(), (values, newline, bom) => {
        const texts = values.map((value) => JSON.stringify(value));
        const bytes = encode((bom ? '\uFEFF' : '') + texts.join(newline));
        const read = readBytes(bytes);
        expect(read.records.map(({ place }) => textAt(bytes, place))).toEqual(texts);
        expect(read.records.map(({ value }) => JSON.stringify(value))).toEqual(texts);
      }),
    );
  });

  test('[PARSE-5] unknown types, unknown fields and keys that name object internals are kept as they are', () => {
    const line = '{"type":"from-the-future","__proto__":{"type":"user"},"constructor":1,"x":1e2}';
    const [found] = readText(line).records;
    expect(Object.keys(found?.value ?? {})).toEqual(['type', '__proto__', 'constructor', 'x']);
    expect(Object.getPrototypeOf(found?.value)).toBe(Object.prototype);
    expect(found?.place).toEqual({ line: 1, part: 0, offset: 0, length: line.length });
  });
});

describe('any input', () => {
  test('[PARSE-6] random bytes never throw and are all accounted for', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), limit, (bytes, options) => { expectAccounted(bytes, readBytes(bytes, options)); }), { numRuns: 500 });
    fc.assert(fc.property(oddBytes, limit, (bytes, options) => { expectAccounted(bytes, readBytes(bytes, options)); }), { numRuns: 1000 });
  });

  test.each([
    ['closed', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 'too deep'],
    ['open', `{"a":${'['.repeat(100_000)}`, 'truncated'],
    ['objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`, 'too deep'],
    ['open objects', '{"a":'.repeat(100_000), 'truncated'],
    ['arrays', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'not an object'],
    ['open quotes', '{"'.repeat(100_000), 'truncated'],
    ['backslashes', `{"a":"${'\\'.repeat(100_001)}`, 'truncated'],
  ] as const)('[PARSE-6] 100,000 levels or repetitions are one quarantined line: %s', (_, line, reason) => {
    expect(readText(`${line}\n`).quarantined).toEqual([fault(reason, 1, 0, 0, line.length)]);
  });

  test('[PARSE-6] 100,000 objects on one line take time in proportion to their number', () => {
    const started = performance.now();
    const read = readText('{}'.repeat(100_000));
    expect(read.counts).toEqual({ bytes: 200_000, lines: 1, blank: 0, records: 100_000, extra: 99_999, quarantined: 0 });
    expect(read.records.at(-1)?.place).toEqual({ line: 1, part: 99_999, offset: 199_998, length: 2 });
    // Linear it takes a tenth of a second, measuring every place from the start of the line more than ten.
    expect(performance.now() - started).toBeLessThan(4000);
  });
});

describe('going on', () => {
  test('[PARSE-7] a second reader from the position of the first completes it, wherever the first stopped', () => {
    fc.assert(
      fc.property(oddBytes, fc.nat(), limit, (bytes, at, options) => {
        const first = collector(options);
        first.reader.feed(bytes.subarray(0, at % (bytes.length + 1)));
        const start = first.reader.position();
        const second = collector({ ...options, start });
        second.reader.feed(bytes.subarray(start.offset));
        second.reader.end();
        const [a, b] = [first.result(), second.result()];
        const whole = readBytes(bytes, options);
        expect([...a.records, ...b.records]).toEqual(whole.records);
        expect([...a.quarantined, ...b.quarantined]).toEqual(whole.quarantined);
        expect({ lines: a.counts.lines + b.counts.lines, blank: a.counts.blank + b.counts.blank }).toEqual({ lines: whole.counts.lines, blank: whole.counts.blank });
      }),
      { numRuns: 500 },
    );
  });

  test('[PARSE-7] the position is the end of the last complete line, and of the file once it has ended', () => {
    const { reader } = collector();
    reader.feed(encode('{"a":1}\n{"b"'));
    const before = reader.position();
    reader.end();
    expect([before, reader.position()]).toEqual([{ line: 2, offset: 8 }, { line: 3, offset: 12 }]);
  });

  test('[PARSE-7] a line too long to be read is still stepped over by its whole length', () => {
    const { reader } = collector({ maxLineBytes: 4 });
    for (const part of ['{"a":1', '23456', '789}\n{}\n']) reader.feed(encode(part));
    expect(reader.position()).toEqual({ line: 3, offset: 19 });
  });
});

describe('edges of files', () => {
  test('[PARSE-8] a byte order mark, carriage returns, blank lines and a missing newline lose nothing', () => {
    const bytes = encode('\uFEFF{"a":1}\r\n\r\n  \n{"b":2}\r\n{"c":3}');
    const read = readBytes(bytes);
    expect(read.records.map(({ value }) => value)).toEqual([{ a: 1 }, { b: 2 }, { c: 3 }]);
    expect(read.records.map(({ place }) => [place.line, JSON.parse(textAt(bytes, place) ?? '')])).toEqual([[1, { a: 1 }], [4, { b: 2 }], [5, { c: 3 }]]);
    expect(read.counts).toEqual({ bytes: bytes.length, lines: 5, blank: 2, records: 3, extra: 0, quarantined: 0 });
  });

  test('[PARSE-8] a file of nothing but a byte order mark is a blank line; inside a file the mark is no white space', () => {
    expect(readText('\uFEFF').counts).toEqual({ bytes: 3, lines: 1, blank: 1, records: 0, extra: 0, quarantined: 0 });
    expect(readText('{}\n\uFEFF{}\n').quarantined).toEqual([fault('invalid JSON', 2, 0, 3, 5)]);
  });
});
