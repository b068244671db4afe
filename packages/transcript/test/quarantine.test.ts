import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyObject, fault, join, readBytes, readText, textAt, unaccounted } from './read-lines.ts';
import { encode, prompt, reply } from './reading.ts';

const nested = (levels: number): string => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;

describe('quarantine', () => {
  test('[PARSE-3] every reason comes with line, offset and length, between lines that are read', () => {
    const deep = `{"a":${'['.repeat(600)}${']'.repeat(600)}}`;
    const bytes = join(
      '{"a":1}\n',
      '{"a":}\n',
      '[1,{"b":2}]\n',
      '{"a":"b\n',
      `${deep}\n`,
      [0x7b, 0xff, 0xfe, 10],
      `"${'x'.repeat(3000)}"\n`,
      '{"z":1}\n',
    );
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
    const bytes = encode(`${nested(512)}\n${nested(513)}\n${nested(512)}${nested(513)}{"b":1}\n`);
    const read = readBytes(bytes);
    expect(read.records.map(({ place }) => [place.line, place.part])).toEqual([
      [1, 0],
      [3, 0],
      [3, 2],
    ]);
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
      // After one of these the second object could be the value that the first one wanted; after a comma only in a list, and this has none.
      if (':['.includes(first.charAt(cut - 1))) continue;
      const bytes = encode(`${first.slice(0, cut)}${second}\n`);
      const read = readBytes(bytes);
      expect(read.records.map(({ place }) => [place.part, textAt(bytes, place)])).toEqual([[1, second]]);
      expect(read.quarantined.map(({ offset, length }) => [offset, length])).toEqual([[0, cut]]);
      expect(unaccounted(bytes, read)).toEqual([]);
    }
  });

  test('[PARSE-4] half an object followed by several whole ones costs only the half', () => {
    const [one, two] = [JSON.stringify(prompt('u1', null, 'one')), JSON.stringify(prompt('u2', 'u1', 'two'))];
    const bytes = encode(`${one.slice(0, 30)}${one}${two}\n`);
    const read = readBytes(bytes);
    expect(read.records.map(({ place }) => textAt(bytes, place))).toEqual([one, two]);
    expect(unaccounted(bytes, read)).toEqual([]);
  });

  test.each(['{"a": 1, "message": {"role": "user"}', '{"a": [ {"role": "user"}', '{"a": [1, {"role": "user"}'])(
    '[PARSE-4] what stands inside a truncated object is no record: %s',
    (line) => {
      expect(readText(`${line}\n`)).toEqual({
        records: [],
        quarantined: [fault('truncated', 1, 0, 0, line.length)],
        counts: { bytes: line.length + 1, lines: 1, blank: 0, records: 0, extra: 0, quarantined: 1 },
      });
    },
  );

  test('[PARSE-4] rubbish before, between and after objects is quarantined piece by piece', () => {
    const read = readText('[1]{"a":1}\n{"b":1}x{"c":1}\n{"d":1} 7\n');
    expect(read.records.map(({ value }) => value)).toEqual([{ a: 1 }, { b: 1 }, { c: 1 }, { d: 1 }]);
    expect(read.quarantined).toEqual([fault('not an object', 1, 0, 0, 3), fault('invalid JSON', 2, 1, 18, 1), fault('not an object', 3, 1, 35, 1)]);
  });
});
