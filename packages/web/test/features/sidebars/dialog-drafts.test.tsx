// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SpawnDialog } from '../../../src/features/sidebars/spawn-dialog.tsx';
import { SidebarPage } from '../../../src/features/sidebars/sidebar-page.tsx';
import { DRAFTS_KEY } from '../../../src/live/kept-drafts.ts';
import { LiveProvider } from '../../../src/live/hooks.tsx';
import type { Live } from '../../../src/live/live.ts';
import { connectAs } from '../home/connection.ts';
import { openStage, type Stage } from './stage.tsx';

let stage: Stage;
let user: UserEvent;
let lives: Live[];

beforeEach(async () => {
  sessionStorage.clear();
  stage = await openStage();
  user = userEvent.setup();
  lives = [];
});
afterEach(async () => {
  for (const live of lives) live.close();
  await stage.close();
});

const Branching = ({ at }: { readonly at: string | null }) => {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)}>
        Branch
      </button>
      <SpawnDialog isOpen={isOpen} onClose={() => setIsOpen(false)} parentId={at} about="here" />
    </>
  );
};

/** The page as a reload of the tab makes it: nothing of the last one is left but what the tab keeps. */
const reload = async (token: string): Promise<Live> => {
  const live = connectAs(stage.server.url, token);
  lives.push(live);
  await waitFor(() => expect(live.queries.getQueryData(['status', {}])).toBeDefined());
  return live;
};

const open = async (): Promise<HTMLElement> => {
  await user.click(await screen.findByRole('button', { name: 'Branch' }));
  return screen.findByRole('dialog');
};

const taskIn = (dialog: HTMLElement): string => within(dialog).getByLabelText<HTMLTextAreaElement>('Task').value;
const isSaid = (dialog: HTMLElement): boolean => within(dialog).queryByText('Draft restored.') !== null;

describe('what is written in a dialog', () => {
  test('[PAGE-178] is there again after Escape, for that place only, until it is begun afresh or cancelled', async () => {
    const first = stage.render(<Branching at={null} />);
    const dialog = await open();
    expect(isSaid(dialog)).toBe(false);
    await user.type(within(dialog).getByLabelText('Task'), 'Look at the pool');
    await user.keyboard('{Escape}');
    expect((await screen.findAllByText('Draft saved')).length).toBeGreaterThan(0);
    const again = await open();
    expect([taskIn(again), isSaid(again)]).toEqual(['Look at the pool', true]);
    await user.click(within(again).getByRole('button', { name: 'Discard draft' }));
    expect([taskIn(again), isSaid(again)]).toEqual(['', false]);
    await user.type(within(again).getByLabelText('Task'), 'Look at the cache');
    await user.click(within(again).getByRole('button', { name: 'Cancel' }));
    expect(taskIn(await open())).toBe('');
    await user.type(screen.getByLabelText('Task'), 'Look at the log');
    await user.keyboard('{Escape}');
    first.unmount();
    await stage.act('sidebar_spawn', { parentId: null, taskDescription: 'The whole' });
    stage.render(<Branching at="SB-1" />);
    expect(taskIn(await open())).toBe('');
  });

  test('[PAGE-178] outlives a reload, for whoever wrote it', async () => {
    const first = stage.render(<Branching at={null} />);
    await user.type(within(await open()).getByLabelText('Task'), 'Look at the pool');
    first.unmount();
    const mine = await reload(stage.server.token);
    const second = stage.render(
      <LiveProvider live={mine}>
        <Branching at={null} />
      </LiveProvider>,
    );
    const dialog = await open();
    expect([taskIn(dialog), isSaid(dialog)]).toEqual(['Look at the pool', true]);
    second.unmount();
    const weaver = await stage.enlist('weaver');
    await waitFor(() => expect(weaver.queries.getQueryData(['status', {}])).toBeDefined());
    stage.render(
      <LiveProvider live={weaver}>
        <Branching at={null} />
      </LiveProvider>,
    );
    expect(taskIn(await open())).toBe('');
  });

  test('[PAGE-178] is a draft no more once it is sent', async () => {
    stage.render(<Branching at={null} />);
    const dialog = await open();
    await user.type(within(dialog).getByLabelText('Task'), 'Look at the pool');
    expect(sessionStorage.getItem(DRAFTS_KEY)).toContain('Look at the pool');
    await user.click(within(dialog).getByRole('button', { name: 'Create sidebar' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sessionStorage.getItem(DRAFTS_KEY)).not.toContain('Look at the pool');
    expect(taskIn(await open())).toBe('');
  });

  test('[PAGE-178] is only what was changed: the rest is as it is by then', async () => {
    await stage.act('sidebar_spawn', { parentId: null, taskDescription: 'The whole' });
    stage.render(<SidebarPage sidebarRef="SB-1" />, { path: '/sidebars/SB-1' });
    await user.click(await screen.findByRole('button', { name: 'Details' }));
    await user.click(await screen.findByRole('button', { name: /Edit/u }));
    await user.type(await screen.findByLabelText('Success criteria'), 'It is known.');
    await user.keyboard('{Escape}');
    await stage.act('sidebar_update', { sidebarId: 'SB-1', taskDescription: 'All of it' });
    await user.click(await screen.findByRole('button', { name: /Edit/u }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit SB-1' }));
    await waitFor(() => expect(dialog.getByLabelText<HTMLTextAreaElement>('Task').value).toBe('All of it'));
    expect(dialog.getByLabelText<HTMLTextAreaElement>('Success criteria').value).toBe('It is known.');
  });
});

describe('the dialog that spawns', () => {
  test('[PAGE-182] asks for the others: who opens it takes part in any case', async () => {
    await stage.enlist('weaver');
    stage.render(<Branching at={null} />);
    const dialog = within(await open());
    await waitFor(() => expect(dialog.getAllByRole('checkbox')).toHaveLength(1));
    expect(dialog.getByRole('checkbox', { name: /weaver/u })).toBeDefined();
    expect(dialog.getByText('You’re always included.')).toBeDefined();
  });

  test('[PAGE-183] is submitted by Ctrl-Enter in any field', async () => {
    stage.render(<Branching at={null} />);
    const dialog = within(await open());
    await user.type(dialog.getByLabelText('Task'), 'Look at the pool');
    await user.type(dialog.getByLabelText('Success criteria'), 'It is known.{Control>}{Enter}{/Control}');
    await waitFor(() => expect(stage.paths.at(-1)).toBe('/sidebars/SB-1'));
    expect(await stage.live.ask('sidebar', { sidebarId: 'SB-1' })).toMatchObject({
      taskDescription: 'Look at the pool',
      successCriteria: 'It is known.',
    });
  });
});
