// @vitest-environment happy-dom
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { SessionList } from '../../../src/features/sessions/session-list.tsx';
import { openTestPage, type TestPage } from '../../test-page.tsx';
import { elsewhere, makeTranscripts, OTHER, prompt, reply, SESSION, type Transcripts } from '../home/transcripts.ts';

// There is no layout here; a list that has no height draws nothing.
vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600);
vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(800);
vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(60);

let page: TestPage | null = null;
let transcripts: Transcripts | null = null;
afterEach(async () => {
  await page?.close();
  transcripts?.remove();
});

const open = async (write: (transcripts: Transcripts) => void, path = '/sessions'): Promise<TestPage> => {
  transcripts = makeTranscripts();
  write(transcripts);
  page = await openTestPage({ roots: [transcripts.root] });
  page.render(<SessionList />, { path });
  return page;
};

const two = ({ add }: Transcripts): void => {
  add(SESSION, [prompt('p1', null, 'weave a basket')]);
  add(OTHER, [
    elsewhere(prompt('p2', null, 'paint a wall'), { daysAgo: 2, cwd: '/srv/house' }),
    elsewhere(reply('r2', 'p2', 'done'), { daysAgo: 2, cwd: '/srv/house' }),
  ]);
};

const rows = (): readonly HTMLElement[] => screen.queryAllByRole('listitem');
const titles = (): readonly string[] => rows().map(({ textContent }) => textContent);

test('[PAGE-52] all sessions are listed, the latest first; those at work are marked', async () => {
  await open(two);
  const latest = expect.stringMatching(/^weave a basketloomworking1 message(?:just now|\d+ min ago)$/u) as string;
  await waitFor(() => expect(titles()).toEqual([latest, 'paint a wallhouse2 messages$0.032 days ago']));
  expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([`/sessions/${SESSION}`, `/sessions/${OTHER}`]);
  expect(screen.getByText('2 sessions')).toBeTruthy();
});

test('[PAGE-52] words of a title, a project or an id narrow the list, and one that fits nothing says so', async () => {
  const user = userEvent.setup();
  await open(two);
  await waitFor(() => expect(titles()).toHaveLength(2));
  const box = screen.getByRole('searchbox', { name: 'Filter sessions' });
  await user.type(box, 'wall PAINT');
  await waitFor(() => expect(titles().map((title) => title.slice(0, 5))).toEqual(['paint']));
  expect(screen.getByRole('status').textContent).toBe('1 of 2 sessions');
  await user.type(box, ' never');
  await screen.findByText('No matching sessions');
  await user.clear(box);
  await waitFor(() => expect(titles()).toHaveLength(2));
});

test('[PAGE-52] what is typed can be looked for in everything that was said', async () => {
  const user = userEvent.setup();
  await open(two, '/sessions?project=%2Fsrv%2Fhouse');
  await waitFor(() => expect(titles()).toHaveLength(1));
  expect(screen.queryByRole('link', { name: 'Search all messages' })).toBeNull();
  await user.type(screen.getByRole('searchbox', { name: 'Filter sessions' }), 'paint a wall ');
  expect(screen.getByRole('link', { name: 'Search all messages' }).getAttribute('href')).toBe('/search?q=paint+a+wall&project=%2Fsrv%2Fhouse');
});

test('[PAGE-52] a project is chosen from those there are, and stands in the address', async () => {
  const user = userEvent.setup();
  const { paths } = await open(two);
  await screen.findByRole('option', { name: 'house (/srv/house)' });
  await user.selectOptions(screen.getByRole('combobox', { name: 'Project' }), 'house (/srv/house)');
  await waitFor(() => expect(titles().map((title) => title.slice(0, 5))).toEqual(['paint']));
  expect(paths.at(-1)).toBe('/sessions?project=%2Fsrv%2Fhouse');
  await user.selectOptions(screen.getByRole('combobox', { name: 'Project' }), 'All projects');
  await waitFor(() => expect(titles()).toHaveLength(2));
});

test('[PAGE-52] an address that names a project opens the list with it', async () => {
  await open(two, '/sessions?project=%2Fsrv%2Fhouse');
  await waitFor(() => expect(titles().map((title) => title.slice(0, 5))).toEqual(['paint']));
  expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Project' }).value).toBe('in:/srv/house');
});

test('[PAGE-160] what is typed is in the address, in place of what was there', async () => {
  const user = userEvent.setup();
  const { paths } = await open(two, '/sessions?project=%2Fsrv%2Fhouse');
  await waitFor(() => expect(titles()).toHaveLength(1));
  const before = paths.length;
  await user.type(screen.getByRole('searchbox', { name: 'Filter sessions' }), 'paint a');
  await waitFor(() => expect(paths.at(-1)).toBe('/sessions?project=%2Fsrv%2Fhouse&text=paint+a'));
  expect([paths.length, screen.getByRole<HTMLInputElement>('searchbox').value]).toEqual([before, 'paint a']);
});

test('[PAGE-160] whoever comes back to the list is where he had scrolled', async () => {
  history.replaceState({ sessions: 1800 }, '');
  await open(({ add }) => {
    for (let n = 0; n < 60; n += 1)
      add(`33333333-0000-4000-8000-${String(n).padStart(12, '0')}`, [elsewhere(prompt(`p${n}`, null, `straw ${n},`), { daysAgo: n })]);
  });
  await waitFor(() => expect(titles().some((title) => title.startsWith('straw 33,'))).toBe(true));
  expect(titles().some((title) => title.startsWith('straw 0,'))).toBe(false);
  history.replaceState(null, '');
});

test('[PAGE-53] of many sessions those in sight are drawn; words find one that is far down', async () => {
  const user = userEvent.setup();
  const { live } = await open(({ add }) => {
    for (let n = 0; n < 450; n += 1) {
      const id = `33333333-0000-4000-8000-${String(n).padStart(12, '0')}`;
      add(id, [elsewhere(prompt(`p${n}`, null, n === 449 ? 'the needle' : `straw ${n}`), { daysAgo: n })]);
    }
  });
  await waitFor(() => expect(titles().length).toBeGreaterThan(5));
  expect(titles().length).toBeLessThan(60);
  const asked = (): number =>
    live.queries.getQueryData<{ readonly pages: readonly unknown[] }>(['sessions', 'pages', null, '', '', '', ''])?.pages.length ?? 0;
  expect(asked()).toBe(1);
  await user.type(screen.getByRole('searchbox', { name: 'Filter sessions' }), 'needle');
  await waitFor(() => expect(titles().map((title) => title.slice(0, 10))).toEqual(['the needle']));
  expect(asked()).toBe(3);
});

test('[PAGE-52] without any session the list says what to do', async () => {
  await open(() => {});
  expect((await screen.findByText('No sessions yet')).parentElement?.textContent).toContain('claude');
});

const ofCodex = (root: string): void => {
  const file = join(root, 'codex/sessions/2026/11/16', `rollout-2026-11-16T00-00-00-${CODEX}.jsonl`);
  const at = new Date(Date.now() - 86_400_000).toISOString();
  mkdirSync(dirname(file), { recursive: true });
  const lines = [
    { type: 'session_meta', payload: { id: CODEX, cwd: '/srv/house', ['cli_version']: '0.98.0', originator: 'codex_exec' } },
    { type: 'event_msg', payload: { type: 'user_message', message: 'build a shed' } },
    { type: 'event_msg', payload: { type: 'agent_message', message: 'built' } },
  ];
  writeFileSync(file, lines.map((line) => `${JSON.stringify({ timestamp: at, ...line })}\n`).join(''));
};

test('[PAGE-220] sessions have the sign of their program, and the name of every other than the usual one', async () => {
  await open((made) => {
    two(made);
    ofCodex(made.root);
  });
  await waitFor(() => expect(titles().map((title) => title.slice(0, 17))).toEqual(['weave a basketloo', 'build a shedhouse', 'paint a wallhouse']));
  expect(rows().map((row) => row.textContent.includes('Codex'))).toEqual([false, true, false]);
  expect(screen.getAllByRole('img', { name: 'Claude Code' })).toHaveLength(2);
});

test('[PAGE-221] sessions of one program are chosen, which the address says; where there is one only, there is no choice', async () => {
  const user = userEvent.setup();
  const { paths } = await open((made) => {
    made.add(SESSION, [prompt('p1', null, 'weave a basket'), reply('r1', 'p1', 'woven')]);
    ofCodex(made.root);
  }, '/sessions?tool=codex');
  await waitFor(() => expect(titles().map((title) => title.slice(0, 5))).toEqual(['build']));
  const choice = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Coding agent' });
  expect(choice.value).toBe('codex');
  await screen.findByRole('option', { name: 'Claude Code' });
  await user.selectOptions(choice, 'Claude Code');
  await waitFor(() => expect(titles().map((title) => title.slice(0, 5))).toEqual(['weave']));
  expect(paths.at(-1)).toBe('/sessions?tool=claude-code');
  await user.type(screen.getByRole('searchbox', { name: 'Filter sessions' }), 'weave');
  expect(screen.getByRole('link', { name: 'Search all messages' }).getAttribute('href')).toBe('/search?q=weave&sessionTool=claude-code');
  await user.clear(screen.getByRole('searchbox', { name: 'Filter sessions' }));
  await user.selectOptions(choice, 'All coding agents');
  await waitFor(() => expect(titles()).toHaveLength(2));
});

test('[PAGE-221] a board of one program offers no choice of programs', async () => {
  await open(two);
  await waitFor(() => expect(titles()).toHaveLength(2));
  expect(screen.queryByRole('combobox', { name: 'Coding agent' })).toBeNull();
});

const CODEX = '01a1e1a9-0000-7000-8000-000000000001';
