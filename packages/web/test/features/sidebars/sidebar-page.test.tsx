// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SidebarPage } from '../../../src/features/sidebars/sidebar-page.tsx';
import { actAs, openStage, type Stage } from './stage.tsx';

let stage: Stage;
let user: UserEvent;

beforeEach(async () => {
  stage = await openStage();
  user = userEvent.setup();
});
afterEach(() => stage.close());

const show = async (ref = 'SB-1', path = `/sidebars/${ref}`): Promise<void> => {
  stage.render(<SidebarPage sidebarRef={ref} />, { path });
  await screen.findByRole('group', { name: `Actions for ${ref}` });
};

const moves = async (): Promise<readonly (string | null)[]> => {
  const group = screen.getByRole('group', { name: /^Actions for/u });
  const shown = within(group)
    .getAllByRole('button')
    .map(({ textContent }) => textContent);
  if (!shown.includes('More')) return shown;
  await user.click(within(group).getByRole('button', { name: 'More' }));
  const rest = (await screen.findAllByRole('menuitem')).map((item) => item.querySelector('.menu-words > span')?.textContent ?? item.textContent);
  await user.keyboard('{Escape}');
  return [...shown.filter((name) => name !== 'More'), ...rest];
};

/** Wherever it is: beside the title, or in the menu. */
const press = async (name: string): Promise<void> => {
  const group = screen.getByRole('group', { name: /^Actions for/u });
  const button = within(group).queryByRole('button', { name });
  if (button !== null) {
    await user.click(button);
    return;
  }
  await user.click(within(group).getByRole('button', { name: 'More' }));
  await user.click(await screen.findByRole('menuitem', { name }));
};

const statusOf = async (ref = 'SB-1'): Promise<string> => (await stage.live.ask('sidebar', { sidebarId: ref })).status;

const spawn = (task = 'Find the leak', more: object = {}): Promise<readonly string[]> =>
  stage.act('sidebar_spawn', { parentId: null, taskDescription: task, ...more });

describe('moves', () => {
  test('[PAGE-84] the buttons are those of the table, also after somebody else has moved it', async () => {
    const weaver = await stage.enlist('weaver');
    await spawn('Find the leak', { participants: ['weaver'] });
    await show();
    expect(await moves()).toEqual(['Finish', 'Prepare merge', 'Pause', 'Wait', 'New child sidebar', 'Review', 'Mark as failed', 'Archive']);
    await actAs(weaver, 'sidebar_status_update', { sidebarId: 'SB-1', newStatus: 'REVIEWING' });
    await screen.findByText('Reviewing');
    expect(await moves()).toEqual(['Finish', 'Prepare merge', 'Back to work']);
  });

  test('[PAGE-193] the focus stays with the moves when the one that was made is gone', async () => {
    await spawn();
    await show();
    screen.getByRole('button', { name: 'More' }).focus();
    await user.keyboard('{Enter}');
    await user.click(await screen.findByRole('menuitem', { name: 'Pause' }));
    const dialog = await screen.findByRole('dialog', { name: 'Pause SB-1' });
    await user.type(within(dialog).getByLabelText('Why?'), 'lunch');
    await user.click(within(dialog).getByRole('button', { name: 'Pause' }));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Resume' })));
    await user.keyboard('{Enter}');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Finish' })));
  });

  test('[PAGE-84] a pause asks for a reason, and the way back tells what happened meanwhile', async () => {
    await spawn();
    await show();
    await press('Pause');
    const dialog = await screen.findByRole('dialog', { name: 'Pause SB-1' });
    await user.type(within(dialog).getByLabelText('Why?'), 'lunch');
    await user.type(within(dialog).getByLabelText('Resume when'), 'we are back');
    await user.click(within(dialog).getByRole('button', { name: 'Pause' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect((await screen.findByText('Paused', { selector: 'strong' })).parentElement?.textContent).toMatch(
      /Paused just now: lunch Resume when: we are back/u,
    );
    await spawn('Something new');
    await press('Resume');
    expect(await screen.findByText(/\(NORMAL\) spawned: Something new/u)).toBeDefined();
    await waitFor(async () => expect(await statusOf()).toBe('ACTIVE'));
    await user.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByText(/spawned: Something new/u)).toBeNull();
  });

  test('[PAGE-84] what would be refused is said before it is sent, and what is refused where it was tried', async () => {
    await spawn();
    await stage.act('sidebar_spawn', { parentId: 'SB-1', taskDescription: 'a part of it' });
    await show();
    await press('Mark as failed');
    const dialog = await screen.findByRole('dialog', { name: 'Mark SB-1 as failed' });
    expect((await within(dialog).findByRole('alert')).textContent).toContain('SB-1 has open children: SB-2 (active)');
    await user.type(within(dialog).getByLabelText('Why?'), 'no time');
    await user.click(within(dialog).getByRole('button', { name: 'Mark as failed' }));
    await waitFor(() => expect(within(dialog).getByRole('alert').textContent).toContain('Merge, archive or fail them first.'));
    expect(await statusOf()).toBe('ACTIVE');
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    await stage.act('sidebar_archive', { sidebarId: 'SB-2' });
    await press('Mark as failed');
    await user.type(await screen.findByLabelText('Why?'), 'no time');
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Mark as failed' }));
    expect((await screen.findByText('Failed', { selector: 'strong' })).parentElement?.textContent).toContain('no time');
    // The page shows it before the server has it.
    await waitFor(async () => expect(await statusOf()).toBe('FAILED'));
  });

  test('[PAGE-84] it waits for something, and is told when it is over', async () => {
    await spawn();
    await spawn('What it needs');
    await show();
    await press('Wait');
    const dialog = await screen.findByRole('dialog', { name: 'Set SB-1 to waiting' });
    await user.type(within(dialog).getByLabelText('Waiting for'), 'the answer');
    await user.type(within(dialog).getByLabelText('Depends on'), 'SB-2{Enter}');
    await user.selectOptions(within(dialog).getByLabelText('Deadline'), '1 day');
    await user.click(within(dialog).getByRole('button', { name: 'Wait' }));
    const notice = (await screen.findByText('Waiting', { selector: 'strong' })).parentElement;
    expect(notice?.textContent).toContain('for the answer');
    expect(within(notice ?? document.body).getByRole('link', { name: /SB-2/u })).toBeDefined();
    expect(notice?.textContent).toContain('Fails on');
    await stage.act('sidebar_archive', { sidebarId: 'SB-2' });
    await waitFor(() => expect(screen.queryByText('Waiting', { selector: 'strong' })).toBeNull());
  });

  test('[PAGE-93] a child is spawned, and the parent waits for it', async () => {
    await spawn();
    await show();
    await press('New child sidebar');
    const dialog = await screen.findByRole('dialog', { name: 'New sidebar from here' });
    await user.type(within(dialog).getByLabelText('Task'), 'a part of it');
    await user.click(within(dialog).getByRole('switch', { name: 'Pause SB-1 until it’s done' }));
    await user.click(within(dialog).getByRole('button', { name: 'Create sidebar' }));
    await waitFor(() => expect(stage.paths.at(-1)).toBe('/sidebars/SB-2'));
    expect(await stage.live.ask('sidebar', { sidebarId: 'SB-2' })).toMatchObject({ parentContextId: 'SB-1', taskDescription: 'a part of it' });
    await waitFor(async () => expect(await statusOf()).toBe('WAITING'));
  });

  test('[PAGE-94] archiving says what it does; what is archived says so, and is forked', async () => {
    await spawn();
    await stage.act('scratchpad_entry_submitted', { sidebarId: 'SB-1', content: 'It leaks.' });
    await show();
    await press('Archive');
    const dialog = await screen.findByRole('dialog', { name: 'Archive SB-1' });
    expect(within(dialog).getByText(/1 finding stays pending/u)).toBeDefined();
    await user.type(within(dialog).getByLabelText('Note'), 'not now');
    await user.type(within(dialog).getByLabelText('Tags'), 'later');
    await user.click(within(dialog).getByRole('button', { name: 'Archive' }));
    expect((await screen.findByText('Archived', { selector: 'strong' })).parentElement?.textContent).toContain('(manual): not now');
    expect(screen.getByText('SB-1 is archived. Fork it to continue.')).toBeDefined();
    await press('Fork');
    const fork = await screen.findByRole('dialog', { name: 'Fork SB-1' });
    expect(within(fork).getByLabelText<HTMLTextAreaElement>('Task').value).toBe('Find the leak');
    await user.type(within(fork).getByLabelText('Why fork it?'), 'now');
    await user.click(within(fork).getByRole('button', { name: 'Fork' }));
    await waitFor(() => expect(stage.paths.at(-1)).toBe('/sidebars/SB-2'));
    expect(await stage.live.ask('sidebar', { sidebarId: 'SB-2' })).toMatchObject({
      forkedFrom: 'SB-1',
      forkReason: 'now',
      taskDescription: 'Find the leak',
    });
    expect(await stage.live.ask('sidebar_archived', { sidebarId: 'SB-1' })).toMatchObject({ tags: ['later', 'leak'] });
  });
});

describe('what is known of it', () => {
  // The details are beside the conversation where there is room, which a window of 1024 pixels does not have.
  const openDetails = async (): Promise<HTMLElement> => {
    await user.click(screen.getByRole('button', { name: 'Details' }));
    return screen.findByRole('dialog', { name: /^About/u });
  };

  test('[PAGE-95] people are recruited, sent away, and leave; who coordinates and curates is said', async () => {
    await stage.enlist('weaver');
    await stage.enlist('scout');
    await spawn('Find the leak', { curatorAgent: 'scout' });
    await show();
    const details = await openDetails();
    await user.click(within(details).getByRole('button', { name: 'Recruit' }));
    const recruit = await screen.findByRole('dialog', { name: 'Recruit for SB-1' });
    await user.click(within(recruit).getByRole('radio', { name: 'By name' }));
    await user.selectOptions(within(recruit).getByLabelText('Agent or person'), 'weaver');
    await user.click(within(recruit).getByRole('button', { name: 'Recruit' }));
    await user.click(await screen.findByRole('button', { name: 'Done' }));
    await within(details).findByRole('button', { name: 'Remove weaver' });
    await waitFor(() =>
      expect([...details.querySelectorAll('.details-person')].map((person) => person.textContent)).toEqual([
        expect.stringMatching(/^operator \(you\), online.*coordinator/u),
        expect.stringMatching(/^weaver, (?:online|offline)/u),
        expect.stringMatching(/^scout, (?:online|offline).*curator/u),
      ]),
    );
    await user.click(within(details).getByRole('button', { name: 'Remove weaver' }));
    await waitFor(() => expect(within(details).queryByText('weaver')).toBeNull());
    await user.click(within(details).getByRole('button', { name: 'Leave SB-1' }));
    expect((await within(details).findByRole('alert')).textContent).toContain('is the last participant of SB-1');
  });

  test('[PAGE-95] priority, task and team are changed where they stand', async () => {
    await stage.enlist('weaver');
    await spawn();
    await show();
    const details = await openDetails();
    await user.selectOptions(within(details).getByLabelText('Priority'), 'Critical');
    await waitFor(async () => expect((await stage.live.ask('sidebar', { sidebarId: 'SB-1' })).priority).toBe('CRITICAL'));
    await user.click(within(details).getByRole('button', { name: 'Edit sidebar' }));
    const edit = await screen.findByRole('dialog', { name: 'Edit SB-1' });
    await user.type(within(edit).getByLabelText('Success criteria'), 'it is found');
    await user.selectOptions(within(edit).getByLabelText('Curator'), 'weaver');
    await user.click(within(edit).getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Edit SB-1' })).toBeNull());
    await waitFor(async () =>
      expect(await stage.live.ask('sidebar', { sidebarId: 'SB-1' })).toMatchObject({
        taskDescription: 'Find the leak',
        successCriteria: 'it is found',
        curatorAgent: 'AGENT-weaver',
        coordinatorAgent: 'AGENT-operator',
      }),
    );
  });

  test('[PAGE-96] [PAGE-201] results of a test are reported above the conversation and stand beside those of the other tests of its group', async () => {
    await spawn('Try one', { testing: true, testGroup: 'parsers' });
    await spawn('Try another', { testing: true, testGroup: 'parsers' });
    await stage.act('sidebar_test_result', { sidebarId: 'SB-2', testDescription: 'fast?', result: 'twice as fast' });
    await show();
    await user.click(await screen.findByRole('button', { name: 'Report result' }));
    const report = await screen.findByRole('dialog', { name: 'Report test result for SB-1' });
    await user.type(within(report).getByLabelText('What did you try?'), 'small?');
    await user.type(within(report).getByLabelText('Result'), 'very');
    await user.type(within(report).getByLabelText('Conclusions'), 'it is small{Enter}it is neat');
    await user.click(within(report).getByRole('button', { name: 'Report result' }));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Report test result for SB-1' })).toBeNull());
    const details = await openDetails();
    expect(await within(details).findByRole('heading', { name: 'Tests in “parsers”' })).toBeDefined();
    expect((await within(details).findByText('fast?')).parentElement?.textContent).toBe('fast?: twice as fast');
    expect((await within(details).findByText('small?')).parentElement?.textContent).toBe('small?: very');
    expect(await within(details).findByText('it is small · it is neat')).toBeDefined();
  });

  test('[PAGE-83] an escalation is said with whom it waits for, until they do something', async () => {
    const weaver = await stage.enlist('weaver');
    await spawn('Find the leak', { participants: ['weaver'] });
    await actAs(weaver, 'sidebar_escalate', { sidebarId: 'SB-1', reason: 'nobody here may decide it' });
    await show();
    expect((await screen.findByText('Escalated', { selector: 'strong' })).parentElement?.textContent).toMatch(
      /Escalated by weaver just now: nobody here may decide it\s*Open until the operator responds/u,
    );
    await user.type(screen.getByRole('textbox'), 'Decided.{Enter}');
    await waitFor(() => expect(screen.queryByText('Escalated', { selector: 'strong' })).toBeNull());
  });

  test('[PAGE-33] one that is not there says so', async () => {
    stage.render(<SidebarPage sidebarRef="SB-77" />);
    expect(await screen.findByText('SB-77 not found')).toBeDefined();
  });
});
