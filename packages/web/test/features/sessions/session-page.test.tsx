// @vitest-environment happy-dom
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { SessionPage } from '../../../src/features/sessions/session-page.tsx';
import { openTestPage, type TestPage } from '../../test-page.tsx';
import { LONG, SESSION, SILENT, writeSession } from './written-session.ts';

let folder = '';
let page: TestPage;
beforeAll(async () => {
  folder = writeSession();
  page = await openTestPage({ roots: [folder] });
});
afterEach(cleanup);
afterAll(async () => {
  await page.close();
  rmSync(folder, { recursive: true, force: true });
});

const open = async (query = ''): Promise<void> => {
  page.render(<SessionPage sessionId={SESSION} />, { path: `/sessions/${SESSION}${query}` });
  await screen.findByRole('article', { name: /Prompt by Human, MSG-1$/u });
};
const step = (name: RegExp): HTMLElement => screen.getByRole('article', { name });
const text = (element: Element | null): string => element?.textContent?.replaceAll(/\s+/gu, ' ').trim() ?? '';

test('[PAGE-15] [PAGE-29] steps say who spoke, with their reference, and have the name of their record', async () => {
  await open();
  const prompt = step(/Prompt by Human, MSG-1$/u);
  expect(prompt.id).toMatch(/^message-5e551011-/u);
  expect(text(prompt)).toContain('Weave a basket; see MSG-1.');
  expect(
    within(prompt)
      .getAllByRole('link', { name: 'MSG-1' })
      .map((link) => link.getAttribute('href')),
  ).toEqual(['/refs/MSG-1', '/refs/MSG-1']);
  const reply = step(/Reply by Claude, MSG-2$/u);
  await waitFor(() => expect(within(reply).getByText('begin').localName).toBe('strong'));
  expect(text(reply.querySelector('.step-head'))).toMatch(/^ClaudeOpus 5\.5.*MSG-2/u);
});

test('[PAGE-16] thinking is folded until somebody opens it', async () => {
  const user = userEvent.setup();
  await open();
  expect(screen.queryByText('Willow or reed?')).toBeNull();
  await user.click(screen.getByText('Thinking'));
  await screen.findByText('Willow or reed?');
});

test('[PAGE-16] a compaction is a line that says what it was, with the summary it went on with', async () => {
  const user = userEvent.setup();
  await open();
  const marker = step(/^Compaction/u);
  expect(text(marker)).toContain('Compactedauto, 155,000 tokens before');
  await user.click(within(marker).getByText('Compaction summary'));
  await within(marker).findByText('The rim is woven.');
});

test('[PAGE-17] operations stand below the reply that caused them: what they did, how long, and what went wrong', async () => {
  await open();
  const lines = [...step(/Reply by Claude, MSG-2$/u).querySelectorAll('.operation-line')].map(text);
  expect(lines).toEqual([
    'Read: Read rim.ts1.0 s',
    'Edit: Edited rim.ts1.0 s',
    'Bash: Tests it · npm testfailed1.0 s',
    'mcp__loom__turn: loom: turn (3)1.0 s',
    expect.stringMatching(/^Task: Task and result/u),
  ]);
});

test('[PAGE-17] many operations are folded, and those that failed among them are counted', async () => {
  const user = userEvent.setup();
  await open();
  const more = await screen.findByRole('button', { name: '4 more operations, 1 failed' });
  await user.click(more);
  expect(screen.getAllByText(/^(?:Ran|Run) bend \d$/u)).toHaveLength(9);
});

test('[PAGE-20] an opened operation shows what it was given and what came of it, each in its form', async () => {
  const user = userEvent.setup();
  await open();
  const reply = within(step(/Reply by Claude, MSG-2$/u));
  await user.click(reply.getByRole('button', { name: /^Read: / }));
  await waitFor(() => expect(text(reply.getByRole('group', { name: 'Lines from 1' }))).toBe('const rim = 1; const reed = 2;'));
  await user.click(reply.getByRole('button', { name: /^Edit: / }));
  await waitFor(() => expect(reply.getAllByRole('row').map(text)).toEqual(['−rim = 1', '+rim = 2']));
  await user.click(reply.getByRole('button', { name: /^Bash: / }));
  expect(text(await reply.findByRole('group', { name: 'Command' }))).toBe('npm test');
  expect((await reply.findByText('broken')).className).toBe('terminal-ink-red');
  await user.click(reply.getByRole('button', { name: /^mcp__loom__turn: / }));
  await waitFor(() => expect(reply.getAllByRole('group', { name: 'Code, json' }).map(text)).toEqual(['{ "by": 3 }', '{ "turned": true }']));
});

test('[PAGE-25] an opened operation on a file links to it in the editor', async () => {
  const user = userEvent.setup();
  await open();
  const reply = within(step(/Reply by Claude, MSG-2$/u));
  await user.click(reply.getByRole('button', { name: /^Edit: / }));
  const link = await reply.findByRole('link', { name: 'Open in editor' });
  expect(link.getAttribute('href')).toBe('vscode://file/home/dev/loom/rim.ts');
});

test('[PAGE-19] a long text says how long it is, and is shown whole when asked', async () => {
  const user = userEvent.setup();
  await open();
  const button = await screen.findByRole('button', { name: `Show all ${LONG.length.toLocaleString('en')} characters` });
  const words = button.closest('.step-text')?.querySelector('.markdown') ?? null;
  expect(text(words).length).toBeLessThan(5000);
  await user.click(button);
  await waitFor(() => expect(text(words?.parentElement?.querySelector('.markdown') ?? null)).toBe(LONG.trim()));
});

test('[PAGE-21] [PAGE-240] a sub-agent is a card with what it took, which opens its conversation beside the main one', async () => {
  const user = userEvent.setup();
  await open();
  const card = await screen.findByRole('button', { name: /^Explore.*Find reed/u });
  await waitFor(() => expect(text(card)).toMatch(/^Explore: Find reedcomplete2 messages/u));
  await user.click(card);
  const panel = await screen.findByRole('region', { name: /^Explore.*Find reed/u });
  await within(panel).findByRole('article', { name: /Reply by Explore/u });
  expect(page.paths.at(-1)).toBe(`/sessions/${SESSION}?thread=a0123456789abcdef`);
  await waitFor(() => expect(document.activeElement).toBe(within(panel).getByRole('heading', { name: /^Explore.*Find reed/u })));
  const trace = within(panel).getByRole('link', { name: 'Trace this sub-agent' }).getAttribute('href') ?? '';
  expect((await page.live.ask('trace', { ref: decodeURIComponent(trace.replace('/trace/', '')) })).root).toBe(`agent:a0123456789abcdef@${SESSION}`);
  await user.click(within(panel).getByRole('button', { name: 'Close sub-agent' }));
  expect(screen.queryByRole('region', { name: /^Explore/u })).toBeNull();
  expect(page.paths.at(-1)).toBe(`/sessions/${SESSION}`);
});

test('[PAGE-22] where the conversation went two ways the other one is a click away', async () => {
  const user = userEvent.setup();
  await open();
  await waitFor(() => expect(text(screen.getByRole('group', { name: 'Branches' }))).toBe('2 of 2'));
  await user.click(screen.getByRole('button', { name: 'Previous branch' }));
  await screen.findByText('A lid it is.');
  await waitFor(() => expect(text(screen.getByRole('group', { name: 'Branches' }))).toBe('1 of 2'));
  expect(page.paths.at(-1)).toMatch(/\?at=[\w-]+&through=[\w-]+$/u);
  await user.click(screen.getByRole('button', { name: 'Go to current branch' }));
  await screen.findByText('Done.');
});

test('[PAGE-22] branches are listed with their first words, and gone through by key', async () => {
  const user = userEvent.setup();
  await open();
  await user.click(await screen.findByRole('button', { name: 'Branch 2 of 2' }));
  const items = await screen.findAllByRole('menuitem');
  await waitFor(() => expect(items.map(text)).toEqual([expect.stringMatching(/Branch 1$/u), expect.stringMatching(/Branch 2, shown now$/u)]));
  await waitFor(() => expect(items.map(text).join(' ')).not.toContain('…'));
  expect(items.map((item) => item.getAttribute('aria-current'))).toEqual([null, 'true']);
  await user.click(items[0] ?? document.body);
  await screen.findByText('A lid it is.');
  (screen.getByRole('group', { name: 'Branches' }).closest('article') ?? document.body).focus();
  await user.keyboard('>');
  await screen.findByText('Done.');
});

test('[PAGE-23] words are found in the session, and each place is gone to', async () => {
  const user = userEvent.setup();
  await open();
  await user.keyboard('f');
  await user.type(await screen.findByRole('searchbox', { name: 'Find in this session' }), 'shed');
  await screen.findByText(/^\d+ found$/u);
  await user.keyboard('{Enter}');
  await waitFor(() => expect(page.paths.at(-1)).toMatch(/\?at=[\w-]+/u));
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('searchbox')).toBeNull();
});

test('[PAGE-25] a step is copied by reference and by link, and branched off', async () => {
  const user = userEvent.setup();
  await open();
  const prompt = step(/Prompt by Human, MSG-1$/u);
  prompt.focus();
  await user.click(await within(prompt).findByRole('button', { name: 'More' }));
  await user.click(await screen.findByRole('menuitem', { name: /^Copy reference/u }));
  await waitFor(async () => expect(await navigator.clipboard.readText()).toBe('MSG-1'));
  await user.click(within(prompt).getByRole('button', { name: 'More' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Copy link' }));
  await waitFor(async () => expect(await navigator.clipboard.readText()).toMatch(new RegExp(`/sessions/${SESSION}\\?at=MSG-1$`, 'u')));
  await user.click(within(prompt).getByRole('button', { name: 'New sidebar from here' }));
  await screen.findByText(/From MSG-1 of “Weave a basket; see MSG-1.”/u);
});

test('[PAGE-554] a message is copied as Markdown and as plain text, all of it, however much is shown', async () => {
  const user = userEvent.setup();
  await open();
  const reply = step(/Reply by Claude, MSG-2$/u);
  reply.focus();
  await user.click(await within(reply).findByRole('button', { name: 'Copy message' }));
  await waitFor(async () => expect(await navigator.clipboard.readText()).toBe('I **begin** with the rim.'));
  await user.click(within(reply).getByRole('button', { name: 'More' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Copy as text' }));
  await waitFor(async () => expect(await navigator.clipboard.readText()).toBe('I begin with the rim.'));
  const cut = (await screen.findByRole('button', { name: `Show all ${LONG.length.toLocaleString('en')} characters` })).closest('article');
  cut?.focus();
  await user.click(await within(cut ?? reply).findByRole('button', { name: 'Copy message' }));
  await waitFor(async () => expect(await navigator.clipboard.readText()).toBe(LONG));
});

test('[PAGE-25] [LAUNCH-18] the session is taken up again by a command that is copied', async () => {
  const user = userEvent.setup();
  await open();
  await user.click(screen.getByRole('button', { name: 'More actions' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Copy resume command' }));
  await waitFor(async () => expect(await navigator.clipboard.readText()).toBe(`cd /home/dev/loom && claude --resume ${SESSION}`));
});

test('[PAGE-26] a session in which nothing was said says so, and why', async () => {
  page.render(<SessionPage sessionId={SILENT} />, { path: `/sessions/${SILENT}` });
  await screen.findByText('No messages');
  await waitFor(() => expect(screen.getByText('The session file has 1 record but no messages. It was opened and closed again.')).toBeTruthy());
});

test('[PAGE-26] a session that is not there, and a message that is not in it, say so', async () => {
  page.render(<SessionPage sessionId="nowhere" />, { path: '/sessions/nowhere' });
  await screen.findByText('Couldn’t load this session');
  cleanup();
  page.render(<SessionPage sessionId={SESSION} />, { path: `/sessions/${SESSION}?at=MSG-999` });
  await waitFor(() => expect(screen.getByText('there is no MSG-999 on this board')).toBeTruthy());
});

test('[PAGE-27] what the session is made of is counted, for whoever misses something', async () => {
  const user = userEvent.setup();
  await open();
  await user.click(screen.getByRole('button', { name: 'More actions' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Show counts' }));
  const counts = within(await screen.findByRole('region', { name: 'Counts' }));
  const shown = (): Readonly<Record<string, string>> =>
    Object.fromEntries(
      [...document.querySelectorAll('.session-counts-list > div')].map((pair) => [text(pair.querySelector('dt')), text(pair.querySelector('dd'))]),
    );
  await waitFor(() =>
    expect(shown()).toMatchObject({
      'Tool uses': '14',
      'Tool results': '14',
      'Sub-agents': '1',
      'Branch points': '1',
      Compactions: '1',
      Errors: '2',
      'Unreadable lines': '0',
    }),
  );
  await counts.findByText('No problems: every message has its parent, every operation its message.');
});
