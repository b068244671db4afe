import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatDay, formatInstant, parseInstant } from '../src/time.ts';
import { times } from './reading.ts';

// `Date` is the oracle: the package itself may not use it.
const YEAR_0 = Date.parse('0000-01-01T00:00:00.000Z');
const YEAR_9999 = Date.parse('9999-12-31T23:59:59.999Z');
const instants = fc.oneof(
  fc.integer({ min: YEAR_0, max: YEAR_9999 }),
  fc.integer({ min: Date.parse('2024-01-01T00:00:00Z'), max: Date.parse('2030-01-01T00:00:00Z') }),
  fc.constantFrom(
    YEAR_0,
    YEAR_9999,
    -1,
    0,
    1,
    Date.parse('2000-02-29T23:59:59.999Z'),
    Date.parse('1900-02-28T23:59:59.999Z'),
    Date.parse('2100-03-01T00:00:00Z'),
  ),
);
const pad = (value: number): string => String(value).padStart(2, '0');

test('[ENTRY-4] an instant of the years 0 to 9999 is written as Date writes it and read back', () => {
  fc.assert(
    fc.property(instants, (instant) => {
      const written = new Date(instant).toISOString();
      expect([formatInstant(instant), parseInstant(written), formatDay(instant)]).toEqual([written, instant, written.slice(0, 10)]);
    }),
    times(20),
  );
});

test('[ENTRY-4] every day of 400 years is the day that Date says', () => {
  const first = Date.parse('1800-01-01T00:00:00Z');
  const wrong = Array.from({ length: 146_097 }, (_, day) => first + day * 86_400_000).filter((instant) => {
    const written = new Date(instant).toISOString();
    return formatInstant(instant) !== written || parseInstant(written) !== instant;
  });
  expect(wrong).toEqual([]);
  expect(formatDay(first + 146_096 * 86_400_000)).toBe('2199-12-31');
});

test('[ENTRY-4] fractions of any length count to the millisecond and no further', () => {
  fc.assert(
    fc.property(instants, fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 25 }), (instant, digits) => {
      const seconds = new Date(instant).toISOString().slice(0, 19);
      const fraction = digits.join('');
      expect(parseInstant(`${seconds}.${fraction}Z`)).toBe(Date.parse(`${seconds}.${fraction.padEnd(3, '0').slice(0, 3)}Z`));
    }),
  );
  expect(parseInstant('2026-11-15T02:35:39.99999999999999999999Z')).toBe(Date.parse('2026-11-15T02:35:39.999Z'));
});

test('[ENTRY-4] offsets are taken off, with or without a colon', () => {
  fc.assert(
    fc.property(
      instants,
      fc.constantFrom('+', '-'),
      fc.integer({ min: 0, max: 23 }),
      fc.integer({ min: 0, max: 59 }),
      (instant, sign, hours, minutes) => {
        const local = new Date(instant).toISOString().slice(0, -1);
        const wanted = instant - (sign === '+' ? 1 : -1) * (hours * 60 + minutes) * 60_000;
        const texts = [`${local}${sign}${pad(hours)}:${pad(minutes)}`, `${local}${sign}${pad(hours)}${pad(minutes)}`];
        expect(texts.map(parseInstant)).toEqual([wanted, wanted]);
        expect(parseInstant(`${local}${sign}${pad(hours)}`)).toBe(instant - (sign === '+' ? 1 : -1) * hours * 3_600_000);
      },
    ),
  );
});

test('[ENTRY-4] an instant without offset is UTC, and one without fraction is a whole second', () => {
  const wanted = Date.parse('2026-11-15T02:35:39.000Z');
  expect(['2026-11-15T02:35:39', '2026-11-15 02:35:39Z', '2026-11-15T02:35:39Z', '2026-11-15T02:35:39.0'].map(parseInstant)).toEqual([
    wanted,
    wanted,
    wanted,
    wanted,
  ]);
});

test.each([
  '',
  'yesterday',
  '2026-11-15',
  '2026-11-15T02:35',
  '2026-11-15T02:35:3',
  '2026-13-15T02:35:39Z',
  '2026-00-15T02:35:39Z',
  '2026-11-32T02:35:39Z',
  '2026-11-00T02:35:39Z',
  '2026-11-15T25:35:39Z',
  '2026-11-15T24:35:39Z',
  '2026-11-15T02:60:39Z',
  '2026-11-15T02:35:61Z',
  '2026/11/15T02:35:39Z',
  '2O26-11-15T02:35:39Z',
  '2026-11-15x02:35:39Z',
  '2026-11-15T02:35:39Zulu',
  '2026-11-15T02:35:39 or so',
  '2026-11-15T02:35:39.5.5Z',
  '2026-11-15T02:35:39+5:30',
  '2026-11-15T02:35:39+24:00',
  '2026-11-15T02:35:39+05:60',
  '2026-11-15T02:35:39+05:3',
  '2026-11-15T02:35:39+05:300',
  '2026-11-15T02:35:39+05300',
  '1794690339000',
])('[ENTRY-4] %j is no instant', (text) => {
  expect(parseInstant(text)).toBeNaN();
});

test('[ENTRY-4] any text gives an instant that can be written, or NaN, which is written as null', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(parseInstant(text)).toBeNaN();
    }),
  );
  expect([formatInstant(Number.NaN), formatInstant(Number.POSITIVE_INFINITY)]).toEqual([null, null]);
});

test('[ENTRY-4] a text with one character changed is NaN or an instant that survives a round trip', () => {
  const char = fc.constantFrom(...'0123456789-:.TZ+ '.split(''));
  fc.assert(
    fc.property(instants, fc.nat({ max: 23 }), char, (instant, at, changed) => {
      const text = new Date(instant).toISOString();
      const read = parseInstant(text.slice(0, at) + changed + text.slice(at + 1));
      const written = formatInstant(read);
      expect(written === null ? Number.NaN : parseInstant(written)).toBe(read);
    }),
    times(10),
  );
});
