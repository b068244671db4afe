// @vitest-environment happy-dom
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { InsideInput } from '@yarnboard/protocol';
import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ReferencePage } from '../../../src/features/search/reference-page.tsx';
import { SessionPage } from '../../../src/features/sessions/session-page.tsx';
import { SidebarRelatives } from '../../../src/features/sidebars/sidebar-relatives.tsx';
import { LiveProvider, useSidebar } from '../../../src/live/hooks.tsx';
import { connectAs } from '../home/connection.ts';
import { openStage, type Stage } from '../sidebars/stage.tsx';
import { SESSION, writeSession } from './written-session.ts';

let folder = '';
let stage: Stage;
beforeAll(async () => {
  folder = writeSession();
  stage = await openStage({ roots: [folder] });
});
afterEach(cleanup);
afterAll(async () => {
  await stage.close();
  rmSync(folder, { recursive: true, force: true });
});

const text = (element: Element | null): string => element?.textContent?.replaceAll(/\s+/gu, ' ').trim() ?? '';
const show = (query = ''): void => void stage.render(<SessionPage sessionId={SESSION} />, { path: `/sessions/${SESSION}${query}` });
const open = async (query = ''): Promise<void> => {
  show(query);
  await screen.findByRole('article', { name: /Prompt by Human, MSG-1$/u });
};
const spawn = async (parentId: string | null, taskDescription: string): Promise<string> =>
  (await stage.act('sidebar_spawn', { parentId, taskDescription }))[0] ?? '';
/** Gives the MSG-n of what it left. */
const merge = async (sidebarId: string, finding: string, more: Partial<InsideInput<'sidebar_merge'>> = {}): Promise<string> => {
  await stage.act('scratchpad_entry_submitted', { sidebarId, content: finding });
  await stage.act('scratchpad_entry_validated', { sidebarId, entryId: 'FINDING-1', status: 'confirmed' });
  await stage.act('sidebar_consolidate', { sidebarId, summary: 'Reed it is.' });
  await stage.act('sidebar_check_merge', { sidebarId });
  return (await stage.act('sidebar_merge', { sidebarId, ...more })).find((ref) => ref.startsWith('MSG-')) ?? '';
};
const step = (name: RegExp): HTMLElement => screen.getByRole('article', { name });

test('[PAGE-165] a message shows the sidebars that branched off it, as they stand now', async () => {
  const reed = await spawn('MSG-2', 'Why reed?');
  await open();
  const chips = await within(step(/MSG-2$/u)).findByRole('list', { name: 'Sidebars from this message' });
  const link = within(chips).getByRole('link', { name: `Active ${reed} Why reed?` });
  expect(link.getAttribute('href')).toBe(`/sidebars/${reed}`);
  await stage.act('sidebar_pause', { sidebarId: reed, reason: 'rain' });
  await within(chips).findByRole('link', { name: `Paused ${reed} Why reed?` });
  const willow = await spawn('MSG-2', 'Why not willow?');
  await within(chips).findByRole('link', { name: `Active ${willow} Why not willow?` });
  expect(screen.getAllByRole('list', { name: 'Sidebars from this message' })).toEqual([chips]);
});

test('[PAGE-165] of many only the first are shown until somebody asks', async () => {
  for (let n = 1; n <= 8; n += 1) await spawn('MSG-1', `Question ${n}`);
  await open();
  const chips = await within(step(/Prompt by Human, MSG-1$/u)).findByRole('list', { name: 'Sidebars from this message' });
  await waitFor(() => expect(within(chips).getAllByRole('link')).toHaveLength(5));
  await userEvent.setup().click(await within(chips).findByRole('button', { name: '3 more' }));
  expect(within(chips).getAllByRole('link')).toHaveLength(8);
});

test('[PAGE-166] [PAGE-168] what was merged is shown at the message, with its words, its findings and its reference', async () => {
  const sidebar = await spawn('MSG-2', 'How does it bend?');
  await open();
  const ref = await merge(sidebar, 'It bends when it is wet.');
  const card = await within(step(/MSG-2$/u)).findByRole('region', { name: `Merged from ${sidebar}, ${ref}` });
  await waitFor(() => expect(text(card)).toContain(`Sidebar ${sidebar} completed: Reed it is.`));
  expect(card.id).toBe(ref);
  expect(text(within(card).getByRole('list', { name: 'Findings' }))).toBe('Finding 1It bends when it is wet.');
  // Its words are plain until what draws them is loaded; then references in them are links.
  await waitFor(() =>
    expect(
      within(card)
        .getAllByRole('link')
        .map((link) => link.getAttribute('href')),
    ).toEqual([`/sidebars/${sidebar}`, `/refs/${ref}`, `/refs/${sidebar}`, `/refs/SCRATCH-${sidebar.slice('SB-'.length)}%3AFINDING-1`]),
  );
  cleanup();
  stage.render(<ReferencePage reference={ref} />, { path: `/refs/${ref}` });
  await waitFor(() => expect(stage.paths.at(-1)).toBe(`/sessions/${SESSION}?at=${ref}`));
  cleanup();
  await open(`?at=${ref}`);
  const sought = await screen.findByRole('region', { name: `Merged from ${sidebar}, ${ref}` });
  await waitFor(() => expect(sought.dataset['sought']).toBe('true'));
  await waitFor(() => expect(sought.closest('[data-index]')?.className).toContain('flow-step-current'));
});

test('[PAGE-168] a sidebar that was merged leads to what it left', async () => {
  const sidebar = await spawn('MSG-2', 'Where does it go?');
  const ref = await merge(sidebar, 'Into the basket.');
  stage.render(<Relatives of={sidebar} />);
  const into = (await screen.findByText('Merged into')).closest('div') ?? document.body;
  expect(
    within(into)
      .getAllByRole('link')
      .map((link) => link.getAttribute('href')),
  ).toEqual([`/sessions/${SESSION}?at=${ref}`, `/refs/${ref}`]);
});

const Relatives = ({ of }: { readonly of: string }) => {
  const row = useSidebar(of);
  return row.kind === 'there' ? <SidebarRelatives sidebar={row.sidebar} /> : null;
};

test('[PAGE-167] all sidebars of a session are listed, each with the way to it and to its message', async () => {
  const user = userEvent.setup();
  const sidebar = await spawn('MSG-2', 'Which of all?');
  await open();
  const count = [...stage.live.replica.board().sidebars.entries()].length;
  await user.click(await screen.findByRole('button', { name: `${count} sidebars` }));
  const dialog = await screen.findByRole('dialog', { name: 'Sidebars in this session' });
  const items = within(within(dialog).getByRole('list', { name: 'Sidebars' })).getAllByRole('listitem');
  expect(items).toHaveLength(count);
  const [newest = dialog] = items;
  expect(
    within(newest)
      .getAllByRole('link')
      .map((link) => link.getAttribute('href')),
  ).toEqual([`/sidebars/${sidebar}`, expect.stringMatching(new RegExp(`^/sessions/${SESSION}\\?at=5e551011-`, 'u'))]);
  await user.click(within(newest).getByRole('link', { name: 'Go to parent message' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(step(/MSG-2$/u).className).toContain('flow-step-current'));
});

test('[PAGE-167] what was merged from elsewhere is in the list, and its address opens it', async () => {
  const sidebar = await spawn(null, 'From nowhere');
  const ref = await merge(sidebar, 'It was there all along.', { parentId: SESSION });
  show(`?at=${ref}`);
  const dialog = await screen.findByRole('dialog', { name: 'Sidebars in this session' });
  const card = within(dialog).getByRole('region', { name: `Merged from ${sidebar}, ${ref}` });
  await waitFor(() => expect(text(card)).toContain(`Sidebar ${sidebar} completed: Reed it is.`));
});

test('[PAGE-165] a sidebar is shown however many came after it on the board', async () => {
  const early = await spawn('MSG-2', 'An early one');
  // More than the board tells at first.
  for (let n = 1; n <= 14; n += 1) await spawn(null, `Riddle ${n} ${'why '.repeat(45_000)}`);
  const live = connectAs(stage.server.url, stage.server.token);
  stage.render(
    <LiveProvider live={live}>
      <SessionPage sessionId={SESSION} />
    </LiveProvider>,
    { path: `/sessions/${SESSION}` },
  );
  await screen.findByRole('link', { name: `Active ${early} An early one` });
  expect(live.reach.get()).toMatchObject({ kind: 'loaded', olderCursor: expect.any(String) });
  live.close();
});
