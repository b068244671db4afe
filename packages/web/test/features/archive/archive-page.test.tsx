// @vitest-environment happy-dom
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ArchivePage } from '../../../src/features/archive/archive-page.tsx';
import { connectAs } from '../home/connection.ts';
import { openStage, type Stage } from '../sidebars/stage.tsx';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
  const { act } = stage;
  await stage.enlist('ada');
  await act('sidebar_spawn', {
    parentId: null,
    taskDescription: 'Draw rivers over bridges',
    taskType: 'design',
    tags: ['map'],
    participants: ['ada'],
  });
  await act('scratchpad_entry_submitted', { sidebarId: 'SB-1', content: 'One pass draws <b>every</b> river.' });
  await act('scratchpad_entry_validated', { sidebarId: 'SB-1', entryId: 'FINDING-1', status: 'confirmed' });
  await act('sidebar_archive', { sidebarId: 'SB-1', note: 'Bridges matter more.' });
  await act('sidebar_spawn', { parentId: null, taskDescription: 'Authentication fails after the upgrade', taskType: 'debugging' });
  await act('sidebar_status_update', { sidebarId: 'SB-2', newStatus: 'FAILED', reason: 'out of time' });
  await act('sidebar_archive', { sidebarId: 'SB-2' });
  await act('sidebar_spawn', { parentId: null, taskDescription: 'Still at work on authentication' });
  const [said = ''] = await act('chat_message', { sidebarId: 'SB-3', content: 'The cookie is dropped by the proxy.' });
  await act('memory_archive', { refs: [said], reason: 'worth knowing', tags: ['cookies'] });
  await stage.server.drain();
});
afterEach(() => {
  cleanup();
  stage.live.queries.clear();
});
afterAll(() => stage.close());

const show = (path: string): void => void stage.render(<ArchivePage />, { path });
const cards = (): readonly string[] => screen.queryAllByRole('article').map((one) => one.getAttribute('aria-label') ?? '');
const RIVERS = 'SB-1: Draw rivers over bridges';
const LOGIN = 'SB-2: Authentication fails after the upgrade';

test('[PAGE-500] the archive lists what was closed, and nothing that is open, the latest first', async () => {
  show('/archive');
  await waitFor(() => expect(cards()).toEqual([LOGIN, RIVERS]));
  expect(screen.getByRole('status').textContent).toBe('2 archived sidebars, by date');
});

test('[PAGE-502] results come as one types, those to what was typed last, and the address keeps up', async () => {
  const user = userEvent.setup();
  show('/archive');
  await waitFor(() => expect(cards()).toHaveLength(2));
  await user.type(screen.getByRole('textbox', { name: 'Words' }), 'authentcation');
  await waitFor(() => expect(cards()).toEqual([LOGIN]));
  expect(stage.paths.at(-1)).toBe('/archive?q=authentcation');
  expect(screen.getByRole('status').textContent).toBe('1 archived sidebar matches, by relevance');
  stage.live.queries.setQueryData(['archive_search', { fuzzyText: 'auth' }, 'pages'], {
    pages: [{ items: [], nextCursor: null, total: 0, order: 'relevance', coverage: null, facets: null }],
    pageParams: [null],
  });
  expect(cards()).toEqual([LOGIN]);
});

test('[PAGE-503] a card says how it ended, who took part and why it was found, and what others wrote stays text', async () => {
  show('/archive?q=evry+rivr');
  await waitFor(() => expect(cards()).toEqual([RIVERS]));
  const card = within(screen.getByRole('article'));
  expect(card.queryByText('Active')).toBeNull();
  expect(card.getByText('Archived while active').closest('[title]')?.getAttribute('title')).toBe('Closed. You can cite and fork it.');
  for (const word of ['design', 'map']) expect(card.getAllByText(word).length).toBeGreaterThan(0);
  expect(card.getByText('Note: Bridges matter more.')).toBeTruthy();
  expect(card.getByText(/^Words in the \w+ · \d+%$/u)).toBeTruthy();
  expect(screen.getByRole('article').querySelectorAll('mark').length).toBeGreaterThan(0);
  expect(screen.getByRole('article').querySelector('b')).toBeNull();
  expect(card.getByRole('link', { name: 'Open SB-1' }).getAttribute('href')).toBe('/sidebars/SB-1');
  expect(card.getByRole('link', { name: 'Trace SB-1' }).getAttribute('href')).toBe('/trace/SB-1');
  const user = userEvent.setup();
  await user.click(card.getByRole('button', { name: 'Fork SB-1…' }));
  await screen.findByRole('dialog', { name: 'Fork SB-1' });
});

test('[PAGE-503] whoever only reads is offered no fork', async () => {
  const reader = connectAs(stage.server.url, null);
  stage.render(<ArchivePage />, { path: '/archive', as: reader });
  await waitFor(() => expect(cards()).toHaveLength(2));
  expect(screen.queryByRole('button', { name: /^Fork/u })).toBeNull();
  expect(screen.getAllByRole('link', { name: /^Trace/u })).toHaveLength(2);
  cleanup();
  reader.close();
});

test('[PAGE-501] what cannot be a sidebar is not asked for, and the field says what to type', async () => {
  const user = userEvent.setup();
  show('/archive');
  await waitFor(() => expect(cards()).toHaveLength(2));
  await user.click(screen.getByRole('button', { name: 'More filters' }));
  const field = screen.getByRole('textbox', { name: 'Sidebar' });
  await user.type(field, 'two{Enter}');
  expect(screen.getByRole('alert').textContent).toBe('Type a sidebar as SB-3.');
  expect(cards()).toHaveLength(2);
  await user.clear(field);
  await user.type(field, 'SB-2{Enter}');
  await waitFor(() => expect(cards()).toEqual([LOGIN]));
  expect(stage.paths.at(-1)).toBe('/archive?sidebar=SB-2');
  await user.click(screen.getByRole('button', { name: 'Clear filters' }));
  await waitFor(() => expect(cards()).toHaveLength(2));
});

test('[PAGE-501] one that is not there, and dates the wrong way round, are told in words, and the filters stay', async () => {
  show('/archive?sidebar=SB-99');
  expect((await screen.findByRole('alert')).textContent).toMatch(/Couldn’t search the archive.*SB-99/u);
  expect(screen.getByRole('button', { name: 'Clear filters' })).toBeTruthy();
  cleanup();
  show('/archive?since=2026-02-01&until=2026-01-01');
  expect((await screen.findByRole('alert')).textContent).toMatch(/earlier date first/u);
});

test('[PAGE-503] where nothing fits, looser matches are one click away', async () => {
  const user = userEvent.setup();
  show('/archive?q=authxntxcatxon');
  await user.click(await screen.findByRole('button', { name: 'Accept looser matches' }));
  await waitFor(() => expect(cards()).toEqual([LOGIN]));
  expect(stage.paths.at(-1)).toBe('/archive?q=authxntxcatxon&alike=60&near=30');
});

test('[PAGE-504] episodes are listed with what kept them and how they stand, and are made final there', async () => {
  const user = userEvent.setup();
  show('/archive');
  await waitFor(() => expect(cards()).toHaveLength(2));
  await user.click(screen.getByRole('tab', { name: 'Episodes' }));
  await waitFor(() => expect(cards().length).toBeGreaterThan(1));
  expect(stage.paths.at(-1)).toBe('/archive?tab=episodes');
  await user.selectOptions(screen.getByRole('combobox', { name: 'Kept by' }), 'Kept by hand');
  await waitFor(() => expect(cards()).toEqual(['SB-3:EPISODE-1']));
  const card = within(screen.getByRole('article'));
  expect(card.getByText('The cookie is dropped by the proxy.')).toBeTruthy();
  expect(card.getByText('worth knowing')).toBeTruthy();
  expect(card.getByText('by hand')).toBeTruthy();
  expect(card.getByRole('link', { name: 'Trace SB-3:EPISODE-1' })).toBeTruthy();
  await user.click(screen.getByRole('radio', { name: 'Provisional' }));
  await waitFor(() => expect(screen.getByRole('status').textContent).toMatch(/episode/u));
  // Whoever comes back to the other tab finds it as it was left.
  await user.click(screen.getByRole('tab', { name: 'Sidebars' }));
  await waitFor(() => expect(cards()).toEqual([LOGIN, RIVERS]));
  await user.click(screen.getByRole('tab', { name: 'Episodes' }));
  expect(stage.paths.at(-1)).toBe('/archive?tab=episodes&trigger=manual&standing=provisional');
});

test('[PAGE-502] what is archived meanwhile appears', async () => {
  show('/archive?q=weaving');
  await screen.findByText('No archived sidebar matches');
  const [ref = ''] = await stage.act('sidebar_spawn', { parentId: null, taskDescription: 'Weaving of willow' });
  await stage.act('sidebar_archive', { sidebarId: ref });
  await waitFor(() => expect(cards()).toEqual([`${ref}: Weaving of willow`]));
});
