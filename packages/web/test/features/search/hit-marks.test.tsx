// @vitest-environment happy-dom
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { Palette } from '../../../src/features/search/palette.tsx';
import { SearchPage } from '../../../src/features/search/search-page.tsx';
import { openStage, type Stage } from '../scratchpad/stage.tsx';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
  const submit = (content: string, supersedes?: string): Promise<string> =>
    stage.act('scratchpad_entry_submitted', { sidebarId: 'SB-1', content, ...(supersedes === undefined ? {} : { supersedes }) });
  const judge = (entryId: string, status: 'confirmed' | 'rejected'): Promise<string> =>
    stage.act('scratchpad_entry_validated', { sidebarId: 'SB-1', entryId, status, validationNotes: 'looked at' });
  await submit('The willow limit is 2 rods.');
  await judge('FINDING-1', 'confirmed');
  await submit('The willow limit is 4 rods, measured.', 'FINDING-1');
  await judge('FINDING-2', 'confirmed');
  await submit('The willow limit is the weather.');
  await judge('FINDING-3', 'rejected');
  await submit('The willow limit may be a habit.');
  await stage.server.drain();
});
afterEach(() => {
  cleanup();
  stage.live.queries.clear();
});
afterAll(() => stage.close());

const MARK = /superseded by Finding 2|superseded|rejected|provisional/u;
/** What is found, by the first words that tell it from the others, with how it stands. */
const marksIn = (hits: readonly HTMLElement[], text: string): ReadonlyMap<string, string> =>
  new Map(
    hits.flatMap((hit): readonly (readonly [string, string])[] => {
      const words = hit.querySelector(text)?.textContent ?? '';
      return words.startsWith('The willow limit') ? [[words, MARK.exec(hit.querySelector('.hit-source')?.textContent ?? '')?.[0] ?? '']] : [];
    }),
  );
const ALL = new Map([
  ['The willow limit is 2 rods.', 'superseded by Finding 2'],
  ['The willow limit is 4 rods, measured.', ''],
  ['The willow limit is the weather.', 'rejected'],
  ['The willow limit may be a habit.', 'provisional'],
]);
const CURRENT = new Map([...ALL].filter(([, mark]) => mark === '' || mark === 'provisional'));

test('[PAGE-243] results say what is superseded and by what, rejected or provisional; the newer one is a click away', async () => {
  stage.render(<SearchPage />, { path: '/search?q=willow+limit&mode=words' });
  await waitFor(() => expect(marksIn(screen.queryAllByRole('listitem'), '.search-hit-text')).toEqual(ALL));
  const link = screen.getByRole('link', { name: 'Open Finding 2 instead' });
  expect(link.getAttribute('href')).toBe('/refs/SCRATCH-1%3AFINDING-2');
});

test('[PAGE-244] on the search page, "Current only" leaves out what was superseded or rejected, and stands in the address', async () => {
  const user = userEvent.setup();
  stage.render(<SearchPage />, { path: '/search?q=willow+limit&mode=words' });
  await user.click(await screen.findByRole('switch', { name: 'Current only' }));
  await waitFor(() => expect(marksIn(screen.queryAllByRole('listitem'), '.search-hit-text')).toEqual(CURRENT));
  expect(stage.paths.at(-1)).toBe('/search?q=willow+limit&mode=words&standing=1');
  await user.click(screen.getByRole('button', { name: 'Clear filters' }));
  await waitFor(() => expect(marksIn(screen.queryAllByRole('listitem'), '.search-hit-text')).toEqual(ALL));
});

test('[PAGE-243] [PAGE-244] Ctrl K marks its hits alike, leaves out the same, and takes the choice to the search page', async () => {
  const user = userEvent.setup();
  stage.render(<Palette isOpen onClose={() => undefined} />);
  await user.type(await screen.findByRole('combobox'), 'willow limit');
  const hits = (): readonly HTMLElement[] => {
    const group = screen
      .queryAllByRole('group')
      .find((one) => one.getAttribute('aria-labelledby') !== null && one.querySelector('.palette-hit') !== null);
    return group === undefined ? [] : within(group).getAllByRole('option');
  };
  await waitFor(() => expect(marksIn(hits(), '.one-line')).toEqual(ALL));
  await user.click(screen.getByRole('button', { name: 'Current only' }));
  expect(screen.getByRole('button', { name: 'Current only' }).getAttribute('aria-pressed')).toBe('true');
  await waitFor(() => expect(marksIn(hits(), '.one-line')).toEqual(CURRENT));
  await user.click(screen.getByRole('combobox'));
  await user.keyboard('{Control>}{Enter}{/Control}');
  expect(stage.paths.at(-1)).toBe('/search?q=willow+limit&standing=1');
});
