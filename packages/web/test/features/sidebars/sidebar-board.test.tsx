// @vitest-environment happy-dom
import { STATUSES } from '@yarnboard/domain';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SidebarBoard } from '../../../src/features/sidebars/sidebar-board.tsx';
import { StatusBadge } from '../../../src/shared/status-badge.tsx';
import { actAs, confirm, openStage, type Stage } from './stage.tsx';

let stage: Stage;

beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.close());

const column = (name: string): HTMLElement => screen.getByRole('region', { name: new RegExp(`^${name}`, 'u') });

const cardsIn = (name: string): readonly string[] =>
  within(column(name))
    .queryAllByRole('link', { name: /^SB-\d+: /u })
    .map((link) => link.getAttribute('aria-label') ?? '');

describe('states', () => {
  test('[PAGE-80] all ten are told apart by an icon and a word', () => {
    render(
      <>
        {STATUSES.map((status) => (
          <StatusBadge key={status} status={status} />
        ))}
      </>,
    );
    const badges = [...document.querySelectorAll('.badge')];
    expect(badges.map((badge) => badge.textContent)).toEqual([
      'Active',
      'Testing',
      'Paused',
      'Waiting',
      'Reviewing',
      'Spawning',
      'Consolidating',
      'Merged',
      'Archived',
      'Failed',
    ]);
    expect(new Set(badges.map((badge) => badge.querySelector('svg')?.getAttribute('class'))).size).toBe(10);
  });
});

describe('the board', () => {
  test('[PAGE-80] shows every sidebar by its state, as it changes, and how much is in it', async () => {
    const weaver = await stage.enlist('weaver');
    await stage.act('sidebar_spawn', { parentId: null, taskDescription: 'Find the leak', participants: ['weaver'], priority: 'HIGH' });
    await stage.act('sidebar_spawn', { parentId: null, taskDescription: 'Try it', testing: true });
    await stage.act('sidebar_spawn', { parentId: 'SB-1', taskDescription: 'Look closer' });
    await confirm(stage, 'SB-1', ['The pool leaks.']);
    await actAs(weaver, 'scratchpad_entry_submitted', { sidebarId: 'SB-1', content: 'It is slow.' });
    stage.render(<SidebarBoard />);
    await screen.findByRole('link', { name: 'SB-1: Find the leak' });
    await waitFor(() =>
      expect([cardsIn('Active'), cardsIn('Testing'), cardsIn('Paused')]).toEqual([
        ['SB-1: Find the leak', 'SB-3: Look closer'].toSorted(),
        ['SB-2: Try it'],
        [],
      ]),
    );
    const card = screen.getByRole('link', { name: 'SB-1: Find the leak' }).closest('article');
    expect(card?.textContent).toContain('High');
    const counts = (): readonly (string | null)[] =>
      [...(card?.querySelectorAll('.sidebar-card-count') ?? [])].map((count) => count.getAttribute('title'));
    await waitFor(() => expect(counts()).toEqual(['1 confirmed finding', '1 pending finding']));
    expect(within(column('Active')).getByRole('link', { name: 'SB-1' }).getAttribute('href')).toBe('/sidebars/SB-1');
    expect(column('Paused').className).toContain('board-column-empty');
    await actAs(weaver, 'sidebar_pause', { sidebarId: 'SB-1', reason: 'lunch' });
    await waitFor(() => expect(cardsIn('Paused')).toEqual(['SB-1: Find the leak']));
    await waitFor(() => expect(cardsIn('Active')).toEqual(['SB-3: Look closer']));
  });

  test('[PAGE-81] is narrowed by words, status, participant, type, priority, forks and what is mine, and the address tells how', async () => {
    const user = userEvent.setup();
    const weaver = await stage.enlist('weaver');
    await stage.act('sidebar_spawn', { parentId: null, taskDescription: 'Find the leak', taskType: 'debugging', tags: ['pool'] });
    await actAs(weaver, 'sidebar_spawn', { parentId: null, taskDescription: 'Write the guide', coordinatorAgent: 'weaver' });
    stage.render(<SidebarBoard />);
    await screen.findByRole('link', { name: 'SB-1: Find the leak' });
    await user.type(screen.getByLabelText('Filter sidebars by text'), 'POOL leak');
    await waitFor(() => expect(cardsIn('Active')).toEqual(['SB-1: Find the leak']));
    await waitFor(() => expect(stage.paths.at(-1)).toBe('/?q=POOL+leak'));
    await user.click(screen.getByRole('button', { name: 'Clear filters' }));
    await user.selectOptions(screen.getByLabelText('Status'), 'Paused');
    expect(await screen.findByText('No matching sidebars')).toBeDefined();
    expect(stage.paths.at(-1)).toBe('/?status=paused');
    await user.selectOptions(screen.getByLabelText('Status'), 'Active');
    await waitFor(() => expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual(['Active2']));
    await user.click(screen.getByRole('button', { name: 'Clear filters' }));
    await user.selectOptions(screen.getByLabelText('Participant'), 'AGENT-weaver');
    await waitFor(() => expect(cardsIn('Active')).toEqual(['SB-2: Write the guide']));
    await user.selectOptions(screen.getByLabelText('Task type'), 'debugging');
    expect(await screen.findByText('No matching sidebars')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Clear filters' }));
    await user.selectOptions(screen.getByLabelText('Priority'), 'High');
    expect(await screen.findByText('No matching sidebars')).toBeDefined();
    expect(stage.paths.at(-1)).toBe('/?priority=high');
    await user.click(screen.getByRole('button', { name: 'Clear filters' }));
    expect(screen.queryByLabelText('Forks')).toBeNull();
    await stage.act('sidebar_archive', { sidebarId: 'SB-1' });
    await stage.act('sidebar_fork', { originalSidebarId: 'SB-1', forkReason: 'again' });
    await user.selectOptions(await screen.findByLabelText('Forks'), 'Only forks');
    await waitFor(() => expect(cardsIn('Active')).toEqual(['SB-3: Find the leak']));
    await user.selectOptions(screen.getByLabelText('Forks'), 'No forks');
    await waitFor(() => expect(cardsIn('Active')).toEqual(['SB-2: Write the guide']));
    await user.click(screen.getByRole('button', { name: 'Clear filters' }));
    await user.click(screen.getByRole('switch', { name: 'Mine' }));
    await waitFor(() => expect(cardsIn('Active')).toEqual(['SB-3: Find the leak']));
  });

  test('[PAGE-193] whoever shows all again is back where they can narrow it', async () => {
    const user = userEvent.setup();
    await stage.act('sidebar_spawn', { parentId: null, taskDescription: 'Find the leak' });
    stage.render(<SidebarBoard />, { path: '/sidebars?status=active' });
    await screen.findByRole('link', { name: 'SB-1: Find the leak' });
    screen.getByRole('button', { name: 'Clear filters' }).focus();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Filter sidebars by text')));
  });

  test('[PAGE-82] draws the cards that are in sight and no more', async () => {
    for (let n = 1; n <= 120; n += 1) await stage.act('sidebar_spawn', { parentId: null, taskDescription: `Question ${n}` });
    stage.render(<SidebarBoard />);
    await screen.findByRole('link', { name: 'SB-120: Question 120' });
    await waitFor(() => expect(column('Active').querySelector('h2')?.textContent).toBe('Active120'));
    expect(cardsIn('Active').length).toBeLessThan(40);
    expect(column('Active').querySelector('li')?.getAttribute('aria-setsize')).toBe('120');
  });

  test('[PAGE-93] begins with an explanation, and a sidebar that inherits nothing is spawned from it', async () => {
    const user = userEvent.setup();
    await stage.enlist('weaver');
    stage.render(<SidebarBoard />);
    expect(await screen.findByText('No sidebars yet')).toBeDefined();
    await user.click(screen.getAllByRole('button', { name: 'New sidebar' })[0] ?? document.body);
    const dialog = await screen.findByRole('dialog', { name: 'New sidebar' });
    await waitFor(() => expect(document.activeElement).toBe(within(dialog).getByLabelText('Task')));
    await user.keyboard('Find the leak');
    await user.type(within(dialog).getByLabelText('Success criteria'), 'it is found');
    await user.click(within(dialog).getByRole('checkbox', { name: /weaver/u }));
    await user.selectOptions(within(dialog).getByLabelText('Priority'), 'HIGH');
    await user.type(within(dialog).getByLabelText('Task type'), 'debugging');
    await user.click(within(dialog).getByText('Coordinator, curator, access, tags, test'));
    await user.selectOptions(within(dialog).getByLabelText('Curator'), 'AGENT-weaver');
    await user.type(within(dialog).getByLabelText('Tags'), 'pool, slow,pool');
    await user.click(within(dialog).getByRole('switch', { name: 'Test' }));
    await user.type(within(dialog).getByLabelText('Test group'), 'leaks');
    await user.click(within(dialog).getByRole('button', { name: 'Create sidebar' }));
    await waitFor(() => expect(stage.paths.at(-1)).toBe('/sidebars/SB-1'));
    expect(await stage.live.ask('sidebar', { sidebarId: 'SB-1' })).toMatchObject({
      taskDescription: 'Find the leak',
      successCriteria: 'it is found',
      participants: ['AGENT-operator', 'AGENT-weaver'],
      priority: 'HIGH',
      taskType: 'debugging',
      coordinatorAgent: 'AGENT-operator',
      curatorAgent: 'AGENT-weaver',
      tags: ['pool', 'slow'],
      status: 'TESTING',
      testGroup: 'leaks',
      parentContextId: null,
    });
  });
});
