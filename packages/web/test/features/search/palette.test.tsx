// @vitest-environment happy-dom
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { speakerOf } from '../../../src/features/search/hit-line.tsx';
import { fitting } from '../../../src/features/search/palette-entries.ts';
import { Palette } from '../../../src/features/search/palette.tsx';
import { openTestPage, type TestPage } from '../../test-page.tsx';
import { elsewhere, makeTranscripts, OTHER, prompt, reply, SESSION, type Transcripts } from '../home/transcripts.ts';

/** Older than as many sessions as are looked through by title. */
const OLD = '4444abcd-0000-4000-8000-000000000004';

let page: TestPage;
let transcripts: Transcripts;
beforeAll(async () => {
  transcripts = makeTranscripts();
  transcripts.add(SESSION, [prompt('p1', null, 'Weave a basket of willow.'), reply('r1', 'p1', 'It is woven.')]);
  transcripts.add(OTHER, [prompt('p2', null, 'Paint the wall.')]);
  page = await openTestPage({ roots: [transcripts.root] });
  await page.live.send('sidebar_spawn', { parentId: null, taskDescription: 'Why does the loom stop?' });
  for (let n = 0; n < 200; n += 1) {
    const id = `33333333-0000-4000-8000-${String(n).padStart(12, '0')}`;
    transcripts.add(id, [elsewhere(prompt(`q${n}`, null, `Count to ${n}.`), { daysAgo: 1 })]);
  }
  transcripts.add(OLD, [elsewhere(prompt('p9', null, 'Dig a well.'), { daysAgo: 9 })]);
  await waitFor(() => page.live.ask('session', { id: OLD }));
  await page.server.drain();
});
afterEach(cleanup);
afterAll(async () => {
  await page.close();
  transcripts.remove();
});

const Around = () => {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)}>
        open it
      </button>
      {isOpen ? <Palette isOpen onClose={() => setIsOpen(false)} /> : null}
    </>
  );
};

const open = async (): Promise<ReturnType<typeof userEvent.setup>> => {
  const user = userEvent.setup();
  page.render(<Around />, { path: '/settings' });
  await user.click(screen.getByRole('button', { name: 'open it' }));
  await screen.findByRole('combobox');
  return user;
};

const groups = (): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    screen.getAllByRole('group').map((group) => [
      document.getElementById(group.getAttribute('aria-labelledby') ?? '')?.textContent ?? '',
      within(group)
        .getAllByRole('option')
        .map((option) => option.querySelector('.one-line')?.textContent ?? ''),
    ]),
  );

const chosen = (): string => screen.getByRole('option', { selected: true }).querySelector('.one-line')?.textContent ?? '';

test('[PAGE-68] it offers the latest sessions and sidebars, places and actions before anything is typed', async () => {
  await open();
  await waitFor(() =>
    expect(groups()).toEqual({
      Sessions: expect.arrayContaining(['Weave a basket of willow.', 'Paint the wall.']),
      Sidebars: ['Why does the loom stop?'],
      'Go to': ['Home', 'Sessions', 'Runs', 'Search', 'Sidebars', 'Archive', 'Episodes', 'GOLD', 'Agents', 'Usage', 'Health', 'Settings'],
      Actions: ['New sidebar', 'Verify log', 'Use dark theme', 'Use light theme', 'Use system theme'],
    }),
  );
});

test('[PAGE-68] messages are found while one types, misspelled ones too, and Enter opens the first', async () => {
  const user = await open();
  await user.keyboard('wilow');
  await waitFor(() => expect(groups()['Messages']).toEqual(['Weave a basket of willow.']));
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('1 message, for willow'));
  await waitFor(() => expect(chosen()).toBe('Weave a basket of willow.'));
  await user.keyboard('{Enter}');
  expect(page.paths.at(-1)).toBe(`/sessions/${SESSION}?at=MSG-1`);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('[PAGE-187] a session that is called what is typed stands above messages, before they are there and after', async () => {
  const user = await open();
  await user.keyboard('wall paint');
  await waitFor(() => expect(screen.getAllByRole('group').map((group) => within(group).getAllByRole('option').length)).toEqual([1, 1, 1]));
  expect(Object.keys(groups())).toEqual(['Sessions', 'Messages', 'Search']);
  await waitFor(() => expect(chosen()).toBe('Paint the wall.'));
  await user.keyboard('{Enter}');
  expect(page.paths.at(-1)).toBe(`/sessions/${OTHER}`);
});

test('[PAGE-187] the first eight characters of an id find its session, however old it is', async () => {
  const user = await open();
  await user.keyboard(OLD.slice(0, 8));
  await waitFor(() => expect(groups()['Sessions']).toEqual(['Dig a well.']));
  await user.keyboard('{Enter}');
  expect(page.paths.at(-1)).toBe(`/sessions/${OLD}`);
});

test('[PAGE-187] before anything is typed the latest sessions come first', async () => {
  await open();
  await waitFor(() => expect(Object.keys(groups())[0]).toBe('Sessions'));
  expect(groups()['Sessions']).not.toContain('Dig a well.');
  expect(groups()['Sessions']).toHaveLength(6);
});

test('[PAGE-187] what nobody said is called by what it is', () => {
  const of = (role: string | null, actor: string, agentId: string | null = null): string => speakerOf({ role, actor, agentId }).name;
  expect([of('prompt', 'human'), of('reply', 'agent'), of('reply', 'agent', 'a1'), of(null, 'system')]).toEqual([
    'Person',
    'Agent',
    'Sub-agent',
    'System',
  ]);
  expect([of('result', 'system'), of('result', 'system', 'a1'), of('output', 'system')]).toEqual(['Tool result', 'Tool result', 'Command output']);
});

test('[PAGE-68] sessions are found by title, sidebars by task, and arrows choose', async () => {
  const user = await open();
  await user.keyboard('loom');
  await waitFor(() => expect(groups()['Sidebars']).toEqual(['Why does the loom stop?']));
  await user.clear(screen.getByRole('combobox'));
  await user.keyboard('paint');
  await waitFor(() => expect([groups()['Messages'], groups()['Sessions']]).toEqual([['Paint the wall.'], ['Paint the wall.']]));
  await waitFor(() => expect(screen.getByRole('option', { selected: true })).toBe(screen.getAllByRole('option')[0]));
  await user.keyboard('{ArrowDown}{Enter}');
  expect(page.paths.at(-1)).toBe(`/sessions/${OTHER}?at=MSG-3`);
});

test('[PAGE-68] go straight to a reference', async () => {
  const user = await open();
  await user.keyboard('msg-2');
  await waitFor(() => expect(screen.getAllByRole('option')[0]?.textContent).toBe('Open MSG-2It is woven.'));
  await user.keyboard('{Enter}');
  expect(page.paths.at(-1)).toBe('/refs/MSG-2');
});

test('[PAGE-68] Ctrl-Enter shows all results, Escape closes it and gives the focus back', async () => {
  const user = await open();
  await user.keyboard('basket of{Control>}{Enter}{/Control}');
  expect(page.paths.at(-1)).toBe('/search?q=basket+of');
  cleanup();
  const again = await open();
  await again.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'open it' })));
});

test('[PAGE-68] things are done from it: the theme, the log, a sidebar', async () => {
  const user = await open();
  await user.keyboard('dark');
  await waitFor(() => expect(chosen()).toBe('Use dark theme'));
  await user.keyboard('{Enter}');
  await waitFor(() => expect(document.documentElement.dataset['theme']).toBe('dark'));
  await user.click(screen.getByRole('button', { name: 'open it' }));
  await user.keyboard('verify');
  await waitFor(() => expect(chosen()).toBe('Verify log'));
  await user.keyboard('{Enter}');
  await screen.findByText('Log verified');
  await user.click(screen.getByRole('button', { name: 'open it' }));
  await user.keyboard('spawn');
  await waitFor(() => expect(chosen()).toBe('New sidebar'));
  await user.keyboard('{Enter}');
  expect((await screen.findByRole('dialog')).textContent).toContain('New sidebar');
});

test('[PAGE-68] letters that are strewn over a text do not fit it', () => {
  const entries = [
    { label: 'Use dark theme', words: ['night'] },
    { label: 'Sidebars', words: ['board'] },
  ];
  expect(
    [fitting(entries, 'drk', 9), fitting(entries, 'boar', 9), fitting(entries, 'zebra', 9), fitting(entries, '', 1)].map((all) =>
      all.map(({ label }) => label),
    ),
  ).toEqual([['Use dark theme'], ['Sidebars'], [], ['Use dark theme']]);
});
