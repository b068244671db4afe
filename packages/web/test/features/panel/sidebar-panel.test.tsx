// @vitest-environment happy-dom
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { SessionPage } from '../../../src/features/sessions/session-page.tsx';
import { Panel, WithPanel } from '../../../src/shell/panel.tsx';
import { useBeside } from '../../../src/shared/beside.ts';
import { openStage, type Stage } from '../sidebars/stage.tsx';
import { SESSION, writeSession } from '../sessions/written-session.ts';

let folder = '';
let stage: Stage;
const refs: string[] = [];
beforeAll(async () => {
  folder = writeSession();
  stage = await openStage({ roots: [folder] });
  for (const task of ['Why reed?', 'Why willow?', 'Why wire?'])
    refs.push((await stage.act('sidebar_spawn', { parentId: 'MSG-2', taskDescription: task }))[0] ?? '');
});
beforeEach(() => localStorage.clear());
afterEach(cleanup);
afterAll(async () => {
  await stage.close();
  rmSync(folder, { recursive: true, force: true });
});

const Shown = () => {
  const beside = useBeside();
  return beside === null ? null : <Panel beside={beside} />;
};

const open = async (query = ''): Promise<void> => {
  stage.render(
    <WithPanel>
      <SessionPage sessionId={SESSION} />
      <Shown />
    </WithPanel>,
    { path: `/sessions/${SESSION}${query}` },
  );
  await screen.findByRole('article', { name: /Prompt by Human, MSG-1$/u });
};
const panel = (name: string): Promise<HTMLElement> => screen.findByRole('region', { name });
const here = (): string => stage.paths.at(-1) ?? '';

test('[PAGE-600] a sidebar of a message opens beside it: its tabs and moves, and the session goes on', async () => {
  const user = userEvent.setup();
  await open();
  await user.click(await screen.findByRole('link', { name: `Active ${refs[0]} Why reed?` }));
  const shown = await panel(`Sidebar ${refs[0]}`);
  await within(shown).findByRole('heading', { name: 'Why reed?', level: 2 });
  expect(here()).toBe(`/sessions/${SESSION}?panel=${refs[0]}`);
  await user.click(await within(shown).findByRole('tab', { name: /^Scratchpad/u }));
  await waitFor(() => expect(here()).toBe(`/sessions/${SESSION}?panel=${refs[0]}%3Ftab%3Dscratchpad`));
  expect(within(shown).getByRole('tab', { name: /^Scratchpad/u, selected: true })).toBeDefined();
  // What happens to it is seen there.
  await stage.act('sidebar_pause', { sidebarId: refs[0] ?? '', reason: 'rain' });
  await within(shown).findAllByText('Paused');
  await stage.act('sidebar_resume', { sidebarId: refs[0] ?? '' });
  expect(screen.getByRole('article', { name: /Prompt by Human, MSG-1$/u })).toBeDefined();
});

test('[PAGE-600] its address opens it, and one that nobody has says so', async () => {
  await open(`?panel=${refs[1]}%3Ftab%3Dcheckpoints`);
  const shown = await panel(`Sidebar ${refs[1]}`);
  await within(shown).findByRole('tab', { name: /^Checkpoints/u, selected: true });
  expect(within(shown).getByRole('link', { name: 'Open as a page' }).getAttribute('href')).toBe(`/sidebars/${refs[1]}?tab=checkpoints`);
  cleanup();
  await open('?panel=SB-999');
  await within(await panel('Sidebar SB-999')).findByText('SB-999 not found');
});

test('[PAGE-600] what leads elsewhere opens in the view, another sidebar in the panel', async () => {
  const user = userEvent.setup();
  const child = (await stage.act('sidebar_child_spawn', { parentSidebarId: refs[2] ?? '', subTaskDescription: 'And how?' }))[0] ?? '';
  await open(`?panel=${child}`);
  const shown = await panel(`Sidebar ${child}`);
  const trail = await within(shown).findByRole('navigation', { name: 'Where the sidebar is from' });
  await user.click(within(trail).getByRole('link', { name: new RegExp(`^${refs[2]}`, 'u') }));
  await panel(`Sidebar ${refs[2]}`);
  expect(here()).toBe(`/sessions/${SESSION}?panel=${refs[2]}`);
  await user.click(within(await panel(`Sidebar ${refs[2]}`)).getByRole('link', { name: 'Sidebars' }));
  await waitFor(() => expect(here()).toBe('/sidebars'));
});

test('[PAGE-601] [ and ] go through the sidebars of the session, Escape closes and gives the focus back', async () => {
  const user = userEvent.setup();
  await open();
  const article = screen.getByRole('article', { name: /Prompt by Human, MSG-1$/u });
  article.focus();
  await user.keyboard(']');
  await panel(`Sidebar ${refs[0]}`);
  await user.keyboard(']');
  await panel(`Sidebar ${refs[1]}`);
  await user.keyboard('[[[[');
  await waitFor(() => expect(here()).toMatch(/panel=SB-\d+$/u));
  await waitFor(() => expect(here()).not.toBe(`/sessions/${SESSION}?panel=${refs[1]}`));
  await user.keyboard('{Escape}');
  await waitFor(() => expect(here()).toBe(`/sessions/${SESSION}`));
  expect(screen.queryByRole('region', { name: /^Sidebar SB/u })).toBeNull();
  await waitFor(() => expect(document.activeElement).toBe(article));
});

test('[PAGE-601] keys that are typed into the panel are typed', async () => {
  const user = userEvent.setup();
  await open(`?panel=${refs[0]}`);
  const box = await within(await panel(`Sidebar ${refs[0]}`)).findByRole('textbox');
  await user.type(box, '[[a]]?');
  expect((box as HTMLTextAreaElement).value).toBe('[a]]?');
  expect(here()).toBe(`/sessions/${SESSION}?panel=${refs[0]}`);
});

test('[PAGE-601] the edge is moved with the arrow keys, and the width is kept', async () => {
  const user = userEvent.setup();
  await open(`?panel=${refs[0]}`);
  const edge = await screen.findByRole('separator', { name: 'Width of the panel' });
  const before = Number(edge.getAttribute('aria-valuenow'));
  edge.focus();
  await user.keyboard('{ArrowLeft}{ArrowLeft}{ArrowRight}');
  expect(Number(edge.getAttribute('aria-valuenow'))).toBe(before + 24);
  cleanup();
  await open(`?panel=${refs[0]}`);
  expect(Number((await screen.findByRole('separator', { name: 'Width of the panel' })).getAttribute('aria-valuenow'))).toBe(before + 24);
});

test('[PAGE-602] the list has the sidebars of the session by status, live, and each opens in its place', async () => {
  const user = userEvent.setup();
  await open('?panel=all');
  const list = await panel('Sidebars of this session');
  const active = await within(list).findByRole('region', { name: 'Active' });
  expect(within(active).getAllByRole('link')).toHaveLength(3);
  await stage.act('sidebar_pause', { sidebarId: refs[1] ?? '', reason: 'rain' });
  const paused = await within(list).findByRole('region', { name: 'Paused' });
  await user.click(within(paused).getByRole('link', { name: /Why willow\?/u }));
  await panel(`Sidebar ${refs[1]}`);
  await user.click(screen.getByRole('button', { name: 'All sidebars of the session' }));
  await panel('Sidebars of this session');
});

test('[PAGE-602] a sidebar that is started from the session opens in the panel', async () => {
  const user = userEvent.setup();
  await open();
  await user.click(screen.getByRole('button', { name: 'More actions' }));
  await user.click(await screen.findByRole('menuitem', { name: 'New sidebar from latest message…' }));
  const dialog = await screen.findByRole('dialog', { name: 'New sidebar from here' });
  await user.type(within(dialog).getByRole('textbox', { name: 'Task' }), 'What about wicker?');
  await user.click(within(dialog).getByRole('button', { name: 'Create sidebar' }));
  await waitFor(() => expect(here()).toMatch(new RegExp(`^/sessions/${SESSION}\\?panel=SB-\\d+$`, 'u')));
  await screen.findByRole('heading', { name: 'What about wicker?', level: 2 });
});
