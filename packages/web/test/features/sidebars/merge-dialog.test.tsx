// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SidebarPage } from '../../../src/features/sidebars/sidebar-page.tsx';
import { actAs, confirm, openStage, type Stage } from './stage.tsx';

let stage: Stage;
let user: UserEvent;

beforeEach(async () => {
  stage = await openStage();
  user = userEvent.setup();
});
afterEach(() => stage.close());

const open = async (ref: string, move: string): Promise<HTMLElement> => {
  stage.render(<SidebarPage sidebarRef={ref} />, { path: `/sidebars/${ref}` });
  return choose(ref, move);
};

const choose = async (ref: string, move: string): Promise<HTMLElement> => {
  const moves = await screen.findByRole('group', { name: `Actions for ${ref}` });
  const beside = within(moves).queryByRole('button', { name: move });
  if (beside === null) {
    await user.click(within(moves).getByRole('button', { name: 'More' }));
    await user.click(await screen.findByRole('menuitem', { name: move }));
  } else await user.click(beside);
  return screen.findByRole('dialog');
};

/** The parts of the preview, each with its lines. */
const preview = (dialog: HTMLElement): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    [...dialog.querySelectorAll('.merge-preview-part')].map((part) => [
      part.querySelector('h3')?.textContent ?? '',
      [...part.querySelectorAll('blockquote, .merge-preview-words, li')].map((line) => line.textContent ?? ''),
    ]),
  );

describe('merging', () => {
  test('[PAGE-90] shows exactly what would go into the parent, and what would not with the reason', async () => {
    await stage.enlist('weaver');
    await stage.act('sidebar_spawn', { parentId: null, taskDescription: 'The whole' });
    await stage.act('sidebar_spawn', { parentId: 'SB-1', taskDescription: 'A part', participants: ['weaver'] });
    await confirm(stage, 'SB-2', ['It leaks.', 'It is slow.', 'It is old.']);
    await stage.act('scratchpad_entry_submitted', { sidebarId: 'SB-2', content: 'It leaks at noon.', supersedes: 'FINDING-1' });
    await stage.act('scratchpad_entry_validated', { sidebarId: 'SB-2', entryId: 'FINDING-4', status: 'confirmed' });
    await stage.act('scratchpad_entry_submitted', { sidebarId: 'SB-2', content: 'It is blue.' });
    await stage.act('scratchpad_entry_validated', { sidebarId: 'SB-2', entryId: 'FINDING-5', status: 'rejected', validationNotes: 'it is green' });
    await stage.act('scratchpad_entry_submitted', { sidebarId: 'SB-2', content: 'Nobody knows.' });
    await stage.act('gold_created', {
      sidebarId: 'SB-2',
      sourceRefs: ['SCRATCH-2:FINDING-4'],
      keyInsight: 'Pools leak.',
      reusePattern: 'Look at the pool.',
      triggerConditions: ['leak'],
    });
    await stage.act('sidebar_status_update', { sidebarId: 'SB-2', newStatus: 'REVIEWING' });
    const dialog = await open('SB-2', 'Prepare merge');
    await user.click(within(dialog).getByRole('checkbox', { name: /It is old/u }));
    await user.type(within(dialog).getByLabelText('Summary'), 'the pool');
    await user.type(within(dialog).getByLabelText('Recommendations'), 'mend it');
    expect(preview(dialog)).toEqual({
      'Will be added toSB-1 The whole': ['Sidebar SB-2 completed: the pool', 'Recommendationsmend it'],
      'Includes 2 findings': [
        'Finding 2It is slow.by operator, confirmed by operator, no evidence',
        'Finding 4It leaks at noon.by operator, confirmed by operator, no evidence',
      ],
      '5 excluded': [
        'Finding 1 superseded by SCRATCH-2:FINDING-4It leaks.',
        'Finding 3 excluded by youIt is old.',
        'Finding 5 rejected: it is greenIt is blue.',
        'Finding 6 not yet reviewedNobody knows.',
        'GOLD-1 is not confirmedPools leak.',
      ],
      Reviews: ['Waiting for operator (curator) to review it.'],
    });
    await user.click(within(dialog).getByRole('button', { name: 'Prepare merge' }));
    const next = await screen.findByRole('dialog', { name: 'Merge SB-2' });
    expect((await within(next).findByRole('alert')).textContent).toContain('has not checked this merge yet');
    await user.type(within(next).getByLabelText('Notes'), 'looked at it');
    await user.click(within(next).getByRole('button', { name: 'Approve' }));
    await waitFor(() => expect(preview(next)['Reviews']).toEqual(['Prepared by operator.', 'operator, as curator: approvedlooked at it']));
    await user.click(within(next).getByRole('button', { name: 'Approve and merge' }));
    expect((await screen.findByText('Merged', { selector: 'strong' })).parentElement?.textContent).toContain('SB-1');
    await waitFor(async () =>
      expect((await stage.live.ask('sidebar_memory', { sidebarId: 'SB-1' })).items).toMatchObject([
        { content: 'Sidebar SB-2 completed: the pool', citations: ['SB-2', 'SCRATCH-2:FINDING-2', 'SCRATCH-2:FINDING-4'] },
      ]),
    );
  });

  test('[PAGE-91] what happened since it was looked at is shown, and nothing is approved until it was seen', async () => {
    const weaver = await stage.enlist('weaver');
    await stage.act('sidebar_spawn', { parentId: null, taskDescription: 'The whole' });
    await stage.act('sidebar_spawn', { parentId: 'SB-1', taskDescription: 'A part', participants: ['weaver'] });
    await confirm(stage, 'SB-2', ['It leaks.']);
    await stage.act('sidebar_consolidate', { sidebarId: 'SB-2' });
    await stage.act('sidebar_check_merge', { sidebarId: 'SB-2' });
    const dialog = await open('SB-2', 'Merge');
    await actAs(weaver, 'chat_message', { sidebarId: 'SB-2', content: 'Wait, it is more than that.' });
    await within(dialog).findByText(/SB-2 changed since you opened this/u);
    await user.click(within(dialog).getByRole('button', { name: 'Approve and merge' }));
    expect((await within(dialog).findByRole('alert')).textContent).toContain('SB-2 has changed since');
    expect((await stage.live.ask('sidebar', { sidebarId: 'SB-2' })).status).toBe('CONSOLIDATING');
    await user.click(within(dialog).getByRole('button', { name: 'Continue' }));
    await user.click(within(dialog).getByRole('button', { name: 'Approve and merge' }));
    await screen.findByText('Merged', { selector: 'strong' });
  });

  test('[PAGE-90] a package is found unfit, changed and sent back to work', async () => {
    await stage.act('sidebar_spawn', { parentId: null, taskDescription: 'The whole' });
    await stage.act('sidebar_spawn', { parentId: 'SB-1', taskDescription: 'A part' });
    await confirm(stage, 'SB-2', ['It leaks.', 'It is slow.']);
    await stage.act('sidebar_consolidate', { sidebarId: 'SB-2' });
    const dialog = await open('SB-2', 'Merge');
    await user.click(within(dialog).getByRole('button', { name: 'Request changes' }));
    expect((await within(dialog).findByText(/^A request for changes needs a reason\./u)).closest('[role=alert]')).not.toBeNull();
    await user.type(within(dialog).getByLabelText('Notes'), 'too much');
    await user.click(within(dialog).getByRole('button', { name: 'Request changes' }));
    await waitFor(() => expect(preview(dialog)['Reviews']?.at(-1)).toBe('operator, as curator: changes requestedtoo much'));
    await user.click(within(dialog).getByRole('button', { name: 'Edit' }));
    const again = await screen.findByRole('dialog', { name: 'Prepare merge of SB-2' });
    await user.click(within(again).getByRole('checkbox', { name: /It is slow/u }));
    await user.click(within(again).getByRole('button', { name: 'Prepare merge' }));
    const next = await screen.findByRole('dialog', { name: 'Merge SB-2' });
    await waitFor(() => expect(Object.keys(preview(next))).toContain('Includes 1 finding'));
    await user.click(within(next).getByRole('button', { name: 'Send back' }));
    await user.type(await screen.findByLabelText('What’s missing?'), 'a test');
    await user.click(screen.getByRole('button', { name: 'Send back' }));
    await waitFor(async () => expect((await stage.live.ask('sidebar', { sidebarId: 'SB-2' })).status).toBe('ACTIVE'));
  });

  test('[PAGE-92] a root is told where it goes', async () => {
    await stage.act('sidebar_spawn', { parentId: null, taskDescription: 'The target' });
    await stage.act('sidebar_spawn', { parentId: null, taskDescription: 'A root' });
    await confirm(stage, 'SB-2', ['It leaks.']);
    await stage.act('sidebar_consolidate', { sidebarId: 'SB-2', summary: 'the pool' });
    await stage.act('sidebar_check_merge', { sidebarId: 'SB-2' });
    const dialog = await open('SB-2', 'Merge');
    await waitFor(() => expect(preview(dialog)['Will be added']).toEqual(['Sidebar SB-2 completed: the pool']));
    expect((await within(dialog).findByRole('alert')).textContent).toContain('SB-2 has no parent');
    await user.selectOptions(within(dialog).getByLabelText('Merge into'), 'SB-1');
    await waitFor(() => expect(within(dialog).queryByRole('alert')).toBeNull());
    await waitFor(() => expect(Object.keys(preview(dialog))).toContain('Will be added toSB-1 The target'));
    await user.click(within(dialog).getByRole('button', { name: 'Approve and merge' }));
    expect((await screen.findByText('Merged', { selector: 'strong' })).parentElement?.textContent).toContain('SB-1');
  });

  test('[PAGE-181] the check is in sight, and approving can be pressed only when nothing speaks against it', async () => {
    await stage.act('sidebar_spawn', { parentId: null, taskDescription: 'The whole' });
    await stage.act('sidebar_spawn', { parentId: 'SB-1', taskDescription: 'A part' });
    await confirm(stage, 'SB-2', ['It leaks.']);
    const first = await open('SB-2', 'Prepare merge');
    expect(stepsIn(first)).toEqual(['[Prepare]', 'Review', 'Approve and merge']);
    await user.click(within(first).getByRole('button', { name: 'Prepare merge' }));
    const dialog = await screen.findByRole('dialog', { name: 'Merge SB-2' });
    const approve = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Approve and merge' });
    expect(stepsIn(dialog)).toEqual(['Prepare, done', '[Review]', 'Approve and merge']);
    expect(approve.disabled).toBe(true);
    expect(within(dialog).getByRole('alert').parentElement).toBe(approve.parentElement);
    const check = within(dialog).getByRole('group', { name: 'Your review' });
    expect(check.compareDocumentPosition(within(dialog).getByRole('region', { name: 'Merge preview' }))).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    await user.click(within(check).getByRole('button', { name: 'Approve' }));
    await waitFor(() => expect(document.activeElement).toBe(approve));
    await waitFor(() => expect([stepsIn(dialog), approve.disabled]).toEqual([['Prepare, done', 'Review, done', '[Approve and merge]'], false]));
    await user.keyboard('{Enter}');
    await screen.findByText('Merged', { selector: 'strong' });
  });

  test('[PAGE-181] what is still to be judged is said once, with a link to it', async () => {
    await stage.act('sidebar_spawn', { parentId: null, taskDescription: 'The whole' });
    await stage.act('scratchpad_entry_submitted', { sidebarId: 'SB-1', content: 'Nobody knows.' });
    const dialog = await open('SB-1', 'Prepare merge');
    expect(within(dialog).getAllByText(/pending/u)).toHaveLength(1);
    expect(within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Prepare merge' }).disabled).toBe(true);
    const alert = within(within(dialog).getByRole('alert'));
    expect(alert.getByRole('link', { name: 'SCRATCH-1:FINDING-1' }).getAttribute('href')).toBe('/refs/SCRATCH-1%3AFINDING-1');
    await user.click(alert.getByRole('link', { name: 'Review findings' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(stage.paths.at(-1)).toBe('/sidebars/SB-1?tab=scratchpad');
  });

  test('[PAGE-180] children at work are named on the page and at the first step, with what is to be done', async () => {
    await stage.act('sidebar_spawn', { parentId: null, taskDescription: 'The whole' });
    for (const size of [10, 20, 30]) {
      await stage.act('scratchpad_entry_submitted', { sidebarId: 'SB-1', content: `The connection pool holds ${size} connections.` });
    }
    stage.render(<SidebarPage sidebarRef="SB-1" />, { path: '/sidebars/SB-1' });
    const notice = (await screen.findByText(/A child sidebar is still open/u)).closest('.notice');
    expect(standingIn(notice)).toEqual(['SB-2 /sidebars/SB-2']);
    for (const n of [1, 2, 3]) {
      const status = n === 1 ? 'confirmed' : 'rejected';
      await stage.act('scratchpad_entry_validated', { sidebarId: 'SB-1', entryId: `FINDING-${n}`, status, validationNotes: 'measured' });
    }
    await screen.findByText(/Nothing left to resolve – you can archive it/u);
    const dialog = await choose('SB-1', 'Prepare merge');
    expect(standingIn(dialog)).toEqual(['SB-2 /sidebars/SB-2']);
    expect(within(dialog).queryByText(/open children/u)).toBeNull();
    await stage.act('sidebar_archive', { sidebarId: 'SB-2' });
    await waitFor(() => expect(standingIn(document.body)).toEqual([]));
  });
});

const stepsIn = (dialog: HTMLElement): readonly string[] =>
  within(within(dialog).getByRole('list', { name: 'Steps of a merge' }))
    .getAllByRole('listitem')
    .map((step) => {
      const word = (step.textContent ?? '').replace(/^\d/u, '');
      return step.getAttribute('aria-current') === 'step' ? `[${word}]` : word;
    });

const standingIn = (place: Element | null): readonly string[] =>
  [...(place?.querySelectorAll('.standing-children a') ?? [])].map(
    (link) => `${link.querySelector('.context-link-ref')?.textContent ?? ''} ${link.getAttribute('href') ?? ''}`,
  );

test('[PAGE-280] says why a sidebar with a type does not merge automatically', async () => {
  await stage.act('sidebar_spawn', { parentId: null, taskDescription: 'The whole' });
  await stage.act('sidebar_spawn', { parentId: 'SB-1', taskDescription: 'Is it up?', taskType: 'status_check' });
  await confirm(stage, 'SB-2', ['The mirror is up.']);
  await stage.act('sidebar_consolidate', { sidebarId: 'SB-2' });
  const dialog = await open('SB-2', 'Merge');
  await within(dialog).findByText(/Needs your approval: 5 reasons/u);
  expect(within(dialog).getByText(/Automatic merges are off\./u)).toBeTruthy();
  expect(
    within(dialog)
      .getByText(/no source that stands/u)
      .querySelector('a')?.textContent,
  ).toBe('Finding 1');
});
