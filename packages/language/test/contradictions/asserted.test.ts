import { expect, test } from 'vitest';
import { claimOf } from '../../src/contradictions/claim.ts';
import { contradictionBetween } from '../../src/contradictions/conflicts.ts';

const between = (a: string, b: string) => contradictionBetween(claimOf(a), claimOf(b));
const kindOf = (a: string, b: string) => between(a, b)?.kind ?? null;

const OPEN = [
  'Does the uploader keep the original?',
  'If the uploader keeps the original, we pay twice.',
  'The uploader could keep the original.',
  'The uploader may keep the original.',
  'I wonder whether the uploader keeps the original.',
  'Let me check that the uploader keeps the original.',
  'Make sure the uploader keeps the original.',
  'We want the uploader to keep the original, so the plan is that it keeps the original.',
  'Nobody has confirmed that the uploader keeps the original.',
  '## The uploader keeps the original',
  '- [ ] The uploader keeps the original',
  '> The uploader keeps the original',
  '```\nThe uploader keeps the original\n```',
  'The ticket has the line "the uploader keeps the original" in it.',
];

test('[CONF-3] the plain sentence is contradicted', () => {
  expect(kindOf('The uploader keeps the original.', 'The uploader deletes the original.')).toBe('negation');
});

test.each(OPEN)('[CONF-17] %j claims nothing', (text) => {
  expect(between(text, 'The uploader deletes the original.')).toBeNull();
});

test('[CONF-17] May is a month, too', () => {
  expect(kindOf('The release of May keeps the original.', 'The release of May deletes the original.')).toBe('negation');
});

test('[CONF-17] the number of a label is its name', () => {
  expect(between('Error 1: the port is taken', 'Error 2: the port is taken')).toBeNull();
});

test.each([
  ['The importer is disabled.', 'The importer has been enabled.'],
  ['The importer is offline.', 'The importer is online again.'],
  ['The queue limit is 200 MB.', 'The queue limit was raised to 500 MB.'],
  ['The importer fails.', 'Since the upgrade the importer works.'],
  ['The bucket was public.', 'The bucket is private.'],
  ['The importer runs hourly.', 'Since Monday the importer runs every ten minutes.'],
])('[CONF-18] %j and %j: it has changed', (a, b) => {
  expect(kindOf(a, b)).toBe('changed');
  expect(kindOf(b, a)).toBe('changed');
});

test('[CONF-18] "still" makes it a conflict', () => {
  expect(kindOf('The importer is still disabled.', 'The importer has been enabled.')).toBe('negation');
});

test.each([
  ['Some labels are wrong.', 'Most labels are right.'],
  ['Two of the five workers are busy.', 'Three of the five workers are idle.'],
  ['In the first run the spikes come from bad images.', 'In the second run the spikes come from a restart of the optimizer.'],
  ['One cause of the 502s is the read timeout.', 'Another cause of the 502s is the memory limit.'],
  ['The firmware must verify the signature before writing.', 'The firmware verifies the signature after writing.'],
  ['Bit 3 enables the clock.', 'Bit 4 enables the clock.'],
  ['The warehouse has 14 gates.', 'Three gates of the warehouse are open.'],
  ['The raw layer holds JSON.', 'The curated layer holds Parquet.'],
  ['`invoice.total` is numeric.', '`invoice.note` is text.'],
])('[CONF-20] %j and %j hold together', (a, b) => {
  expect(between(a, b)).toBeNull();
});

test('[CONF-20] some and none do not', () => {
  expect(kindOf('Some labels are wrong.', 'No label is wrong.')).toBe('negation');
});

test('[CONF-5] frequencies, currents and voltages are compared in one unit', () => {
  expect(between('The bus clock is 168 MHz.', 'The bus clock is 168000 kHz.')).toBeNull();
  expect(kindOf('The bus clock is 168 MHz.', 'The bus clock is 84 MHz.')).toBe('value');
});

test('[CONF-7] a number that names the thing silences no other', () => {
  expect(kindOf('Migration 0041 alters 12 tables.', 'Migration 0041 only alters two tables.')).toBe('value');
});

test('[CONF-3] an order is told by before, first and afterwards alike', () => {
  expect(
    kindOf('The image is checked before it is written to flash.', 'The loader writes the image to flash first and checks it afterwards.'),
  ).toBeNull();
  expect(kindOf('The physics step runs before the animation.', 'The animation runs first, then the physics step.')).toBe('negation');
});
