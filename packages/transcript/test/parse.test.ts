import { Buffer } from 'node:buffer';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cpuTimeOf } from '../../../tests/cpu-time.ts';
import {
  anyObject,
  collector,
  fault,
  join,
  limit,
  oddBytes,
  readBytes,
  readText,
  readThrough,
  sizes,
  textAt,
  unaccounted,
  validFile,
} from './read-lines.ts';
import { encode, linesOf, prompt, reply, times } from './reading.ts';

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
        expect(unaccounted(bytes, readBytes(bytes, options))).toEqual([]);
      }),
      times(5),
    );
  });

  test('[PARSE-1] a file cut anywhere loses at most the record that was cut', () => {
    fc.assert(
      fc.property(validFile, fc.nat(), (file, at) => {
        const whole = readBytes(file);
        const bytes = file.subarray(0, at % (file.length + 1));
        const read = readBytes(bytes);
        expect(unaccounted(bytes, read)).toEqual([]);
        const kept = whole.records.filter(({ place }) => place.offset + place.length <= bytes.length);
        expect(read.records).toEqual(kept);
      }),
    );
  });
});

describe('lines that are parsed already', () => {
  test('[PARSE-10] they are taken as their bytes would be, among lines that are fed', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ value: anyObject, isParsed: fc.boolean() }), { maxLength: 8 }), limit, (lines, options) => {
        const texts = lines.map(({ value }) => encode(JSON.stringify(value)));
        const { reader, result } = collector(options);
        for (const [i, { isParsed }] of lines.entries()) {
          const bytes = texts[i] ?? new Uint8Array();
          // What its bytes say, as JSON has no `undefined` and no -0.
          const isTaken =
            isParsed && reader.take(JSON.parse(textAt(bytes, { line: 1, part: 0, offset: 0, length: bytes.length }) ?? ''), bytes.length);
          if (!isTaken) reader.feed(join([...bytes], '\n'));
        }
        reader.end();
        expect(result()).toEqual(readBytes(join(...texts.map((text) => [...text, 10])), options));
      }),
    );
  });

  test('[PARSE-10] one that nests too deep, is very long, or comes within a line is refused, and nothing is counted', () => {
    const deep = `{"a":${'['.repeat(600)}${']'.repeat(600)}}`;
    const { reader, result } = collector();
    expect([reader.take(JSON.parse(deep), deep.length), reader.take({ a: 'long' }, 2_000_001)]).toEqual([false, false]);
    reader.feed(encode('{"a"'));
    expect(reader.take({ b: 1 }, 7)).toBe(false);
    expect(result()).toMatchObject({ records: [], counts: { lines: 0, records: 0, quarantined: 0 } });
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
      times(10),
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
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), limit, (bytes, options) => {
        expect(unaccounted(bytes, readBytes(bytes, options))).toEqual([]);
      }),
      times(5),
    );
    fc.assert(
      fc.property(oddBytes, limit, (bytes, options) => {
        expect(unaccounted(bytes, readBytes(bytes, options))).toEqual([]);
      }),
      times(10),
    );
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
    const took = cpuTimeOf(() => {
      const read = readText('{}'.repeat(100_000));
      expect(read.counts).toEqual({ bytes: 200_000, lines: 1, blank: 0, records: 100_000, extra: 99_999, quarantined: 0 });
      expect(read.records.at(-1)?.place).toEqual({ line: 1, part: 99_999, offset: 199_998, length: 2 });
    });
    // Linear it takes a tenth of a second, measuring every place from the start of the line more than ten.
    expect(took).toBeLessThan(4000);
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
        expect({ lines: a.counts.lines + b.counts.lines, blank: a.counts.blank + b.counts.blank }).toEqual({
          lines: whole.counts.lines,
          blank: whole.counts.blank,
        });
      }),
      times(5),
    );
  });

  test('[PARSE-7] the position is the end of the last complete line, and of the file once it has ended', () => {
    const { reader } = collector();
    reader.feed(encode('{"a":1}\n{"b"'));
    const before = reader.position();
    reader.end();
    expect([before, reader.position()]).toEqual([
      { line: 2, offset: 8 },
      { line: 3, offset: 12 },
    ]);
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
    expect(read.records.map(({ place }) => [place.line, JSON.parse(textAt(bytes, place) ?? '')])).toEqual([
      [1, { a: 1 }],
      [4, { b: 2 }],
      [5, { c: 3 }],
    ]);
    expect(read.counts).toEqual({ bytes: bytes.length, lines: 5, blank: 2, records: 3, extra: 0, quarantined: 0 });
  });

  test('[PARSE-8] a file of nothing but a byte order mark is a blank line; inside a file the mark is no white space', () => {
    expect(readText('\uFEFF').counts).toEqual({ bytes: 3, lines: 1, blank: 1, records: 0, extra: 0, quarantined: 0 });
    expect(readText('{}\n\uFEFF{}\n').quarantined).toEqual([fault('invalid JSON', 2, 0, 3, 5)]);
  });
});
