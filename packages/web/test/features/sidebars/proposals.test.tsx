// @vitest-environment happy-dom
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Home } from '../../../src/features/home/home.tsx';
import { SidebarPage } from '../../../src/features/sidebars/sidebar-page.tsx';
import type { Live } from '../../../src/live/live.ts';
import { actAs, confirm, openStage, type Stage } from './stage.tsx';

let stage: Stage;
let user: UserEvent;

beforeEach(async () => {
  stage = await openStage();
  user = userEvent.setup();
});
afterEach(() => stage.close());

const spawn = (more: object = {}): Promise<readonly string[]> =>
  stage.act('sidebar_spawn', { parentId: null, taskDescription: 'Find the leak', participants: ['weaver'], ...more });

const show = async (ref = 'SB-1', as: Live = stage.live): Promise<HTMLElement> => {
  stage.render(<SidebarPage sidebarRef={ref} />, { path: `/sidebars/${ref}`, as });
  return screen.findByRole('group', { name: `Actions for ${ref}` });
};

const pick = async (group: HTMLElement, name: string): Promise<HTMLElement> => {
  const button = within(group).queryByRole('button', { name });
  if (button === null) {
    await user.click(within(group).getByRole('button', { name: 'More' }));
    await user.click(await screen.findByRole('menuitem', { name }));
  } else await user.click(button);
  return screen.findByRole('dialog');
};

const statusOf = async (ref = 'SB-1'): Promise<string> => (await stage.live.ask('sidebar', { sidebarId: ref })).status;

test('[PAGE-212] a proposal is on Home, is declined there with a reason, and whoever made it is told', async () => {
  const weaver = await stage.enlist('weaver');
  await spawn();
  await actAs(weaver, 'sidebar_archive', { sidebarId: 'SB-1', note: 'it is dry' });
  stage.render(<Home />);
  const answer = await screen.findByRole('group', { name: 'Answer: weaver wants to archive SB-1: it is dry' });
  await user.click(within(answer).getByRole('button', { name: 'Decline…' }));
  await user.type(within(answer).getByLabelText('Why not?'), 'it is wet');
  await user.click(within(answer).getByRole('button', { name: 'Decline' }));
  await waitFor(() => expect(screen.queryByText(/weaver wants to archive/u)).toBeNull());
  expect(await statusOf()).toBe('ACTIVE');
  // The page shows it before the server has it.
  await waitFor(async () => {
    const { notices } = await weaver.ask('inbox', {});
    expect(notices.map(({ kind, level, text }) => [kind, level, text.endsWith('(it is wet)')])).toContainEqual(['proposal', 'warning', true]);
  });
});

test('[PAGE-212] the sidebar lists what is proposed; the coordinator accepts it there, and it is done', async () => {
  const weaver = await stage.enlist('weaver');
  await spawn();
  await actAs(weaver, 'sidebar_status_update', { sidebarId: 'SB-1', newStatus: 'FAILED', reason: 'no water' });
  await show();
  const list = await screen.findByRole('list', { name: 'Open proposals' });
  expect(list.textContent).toContain('weaver wants to give up SB-1: no water');
  await user.click(within(list).getByRole('button', { name: 'Accept' }));
  await screen.findByText('Failed', { selector: 'strong' });
  await waitFor(async () => expect(await statusOf()).toBe('FAILED'));
  await waitFor(() => expect(screen.queryByRole('list', { name: 'Open proposals' })).toBeNull());
});

test('[PAGE-212] an answer that the server refuses is taken back on the page, with the reason', async () => {
  const weaver = await stage.enlist('weaver');
  await spawn();
  await actAs(weaver, 'sidebar_archive', { sidebarId: 'SB-1' });
  await show();
  const list = await screen.findByRole('list', { name: 'Open proposals' });
  // A child that the page knows too: accepting would be refused.
  await stage.act('sidebar_spawn', { parentId: 'SB-1', taskDescription: 'a part of it' });
  await user.click(within(list).getByRole('button', { name: 'Accept' }));
  expect(await screen.findByText('Couldn’t accept the proposal')).toBeDefined();
  expect((await screen.findByRole('list', { name: 'Open proposals' })).textContent).toContain('weaver wants to archive SB-1');
  expect(await statusOf()).not.toBe('ARCHIVED');
});

test('[PAGE-213] whoever may only propose something is told so on the button and before sending it, and sees it at once', async () => {
  const weaver = await stage.enlist('weaver');
  await spawn();
  const group = await show('SB-1', weaver);
  const dialog = await pick(group, 'Propose archiving');
  expect(dialog.textContent).toContain('operator, the coordinator, decides.');
  await user.type(within(dialog).getByLabelText('Note'), 'it is dry');
  await user.click(within(dialog).getByRole('button', { name: 'Send proposal' }));
  const list = await screen.findByRole('list', { name: 'Open proposals' });
  expect(list.textContent).toContain('You proposed to archive SB-1: it is dry');
  expect(list.textContent).toContain('Waiting for operator to answer.');
  expect(within(list).queryByRole('button')).toBeNull();
  await waitFor(async () => expect((await stage.live.ask('inbox', {})).toAnswer).toHaveLength(1));
  expect(await statusOf()).toBe('ACTIVE');
});

test('[PAGE-213] an outsider asks to join, unless anyone can', async () => {
  const weaver = await stage.enlist('weaver');
  await spawn({ participants: [] });
  await show('SB-1', weaver);
  const [ask] = await screen.findAllByRole('button', { name: 'Ask to join' });
  if (ask === undefined) throw new Error('there is no button');
  await user.click(ask);
  expect(await screen.findByText('You asked to join. operator decides.')).toBeDefined();
  await stage.act('sidebar_update', { sidebarId: 'SB-1', open: true });
  await stage.act('proposal_answer', { sidebarId: 'SB-1', proposalId: 'PROPOSAL-1', accept: false });
  expect((await screen.findAllByRole('button', { name: 'Join' })).length).toBeGreaterThan(0);
});

test('[PAGE-214] whoever coordinates and curates finishes in one step what the preview shows; others have no such button', async () => {
  const weaver = await stage.enlist('weaver');
  await stage.act('sidebar_spawn', { parentId: null, taskDescription: 'The whole' });
  await stage.act('sidebar_spawn', { parentId: 'SB-1', taskDescription: 'A part', participants: ['weaver'] });
  await stage.act('sidebar_spawn', { parentId: 'SB-1', taskDescription: 'Another', participants: ['weaver'], curatorAgent: 'weaver' });
  await confirm(stage, 'SB-2', ['It leaks.']);
  const dialog = await pick(await show('SB-2'), 'Finish');
  expect(dialog.textContent).toContain('Will be added to');
  expect(dialog.textContent).toContain('Includes 1 finding');
  await user.click(within(dialog).getByRole('button', { name: 'Finish and merge' }));
  await screen.findByText('Merged', { selector: 'strong' });
  await waitFor(async () =>
    expect((await stage.live.ask('sidebar_memory', { sidebarId: 'SB-1' })).items).toMatchObject([{ citations: ['SB-2', 'SCRATCH-2:FINDING-1'] }]),
  );
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  cleanup();
  expect(within(await show('SB-3')).queryByRole('button', { name: 'Finish' })).toBeNull();
  cleanup();
  expect(within(await show('SB-3', weaver)).queryByRole('button', { name: 'Finish' })).toBeNull();
});

test('[PAGE-215] the operator reopens what ended by mistake, with a reason, and is led to where it goes on', async () => {
  await stage.enlist('weaver');
  await spawn();
  await stage.act('sidebar_archive', { sidebarId: 'SB-1' });
  const dialog = await pick(await show(), 'Reopen');
  await user.type(within(dialog).getByLabelText('Why reopen it?'), 'it leaks again');
  await user.click(within(dialog).getByRole('button', { name: 'Reopen' }));
  await waitFor(() => expect(stage.paths.at(-1)).toBe('/sidebars/SB-2'));
  const { forkedFrom, participants } = await stage.live.ask('sidebar', { sidebarId: 'SB-2' });
  expect([forkedFrom, participants.toSorted()]).toEqual(['SB-1', ['AGENT-operator', 'AGENT-weaver']]);
});

test('[PAGE-216] whether anyone can join is said, and changed where the sidebar is edited', async () => {
  await spawn({ participants: [] });
  await show();
  await user.click(screen.getByRole('button', { name: 'Details' }));
  expect(await screen.findByText('operator is asked first')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Edit sidebar' }));
  const dialog = await screen.findByRole('dialog', { name: 'Edit SB-1' });
  await user.click(within(dialog).getByRole('switch', { name: /^Anyone can join/u }));
  await user.click(within(dialog).getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByText('operator is asked first')).toBeNull());
  await waitFor(async () => expect((await stage.live.ask('sidebar', { sidebarId: 'SB-1' })).open).toBe(true));
});
