import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test } from 'vitest';
import { dropOldest, keyFor, takeEnd } from '../../../src/features/sessions/flow-cache.ts';
import { pageInput, shapeOf, type FlowAddress, type Told } from '../../../src/features/sessions/flow-pages.ts';
import { toldOf } from './steps.ts';

const MAIN: FlowAddress = { sessionId: 's', thread: 'main', through: null };
const OTHER: FlowAddress = { ...MAIN, through: 'elsewhere' };

const queries = new QueryClient();
afterEach(() => queries.clear());

const put = (address: FlowAddress, page: number, told: Told, opening = 'o'): void => {
  queries.setQueryData(keyFor(pageInput(address, page), opening), told, { updatedAt: 1000 + page });
};
const at = (address: FlowAddress, page: number, opening = 'o'): Told | undefined => queries.getQueryData(keyFor(pageInput(address, page), opening));
const isStale = (address: FlowAddress, page: number): boolean => queries.getQueryState(keyFor(pageInput(address, page), 'o'))?.isInvalidated ?? false;

test('[PAGE-14] of pages out of sight the latest are kept, and those of another opening are not touched', () => {
  for (let page = 0; page < 50; page += 1) put(MAIN, page, toldOf(0, 0, 0));
  put(MAIN, 0, toldOf(0, 0, 0), 'another');
  dropOldest(queries, 'o');
  const kept = Array.from({ length: 50 }, (_, page) => page).filter((page) => at(MAIN, page) !== undefined);
  expect([kept, at(MAIN, 0, 'another') !== undefined]).toEqual([Array.from({ length: 20 }, (_, n) => 30 + n), true]);
});

test('[PAGE-13] a new end is taken into the pages of its branch; steps that are the same stay the same objects', () => {
  put(MAIN, 0, toldOf(0, 50, 60));
  put(MAIN, 1, toldOf(50, 60, 60));
  put(OTHER, 1, toldOf(50, 55, 55));
  const before = at(MAIN, 1)?.items ?? [];
  const pages = new Map([[1, before]]);
  takeEnd(queries, 'o', MAIN, { shape: shapeOf(toldOf(10, 60, 60)), pages }, toldOf(12, 62, 62));
  const after = at(MAIN, 1)?.items ?? [];
  expect(after.map(({ index }) => index)).toEqual(Array.from({ length: 12 }, (_, n) => 50 + n));
  expect(after.slice(0, 10).every((step, n) => step === before[n])).toBe(true);
  expect([at(OTHER, 1)?.items.length, isStale(MAIN, 0), isStale(MAIN, 1)]).toEqual([5, false, false]);
});

test('[PAGE-13] when the conversation went another way every page is asked for again', () => {
  put(MAIN, 0, toldOf(0, 50, 60));
  put(MAIN, 1, toldOf(50, 60, 60));
  const pages = new Map([[1, toldOf(50, 60, 60).items]]);
  takeEnd(queries, 'o', MAIN, { shape: shapeOf(toldOf(10, 60, 60)), pages }, toldOf(0, 40, 40));
  expect([isStale(MAIN, 0), isStale(MAIN, 1)]).toEqual([true, true]);
});
