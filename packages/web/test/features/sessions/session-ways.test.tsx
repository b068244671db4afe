// @vitest-environment happy-dom
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { SessionPage } from '../../../src/features/sessions/session-page.tsx';
import { LiveProvider } from '../../../src/live/hooks.tsx';
import type { Live } from '../../../src/live/live.ts';
import { Frame } from '../../../src/shell/frame.tsx';
import { openTestPage, type TestPage } from '../../test-page.tsx';
import { put, said, thread } from './written-session.ts';

const SESSION = '5e552022-0000-4000-8000-000000000001';
const CLAIMED = 'a1111111111111111';
const UNCLAIMED = 'a2222222222222222';

let folder = '';
let page: TestPage;
const uuids = { result: '', thought: '' };
let daysWritten = 0;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'yarnboard-ways-'));
  const project = join(folder, 'projects', '-home-dev-loom');
  // Two days, of which the second is now: the session is live.
  const clock = { now: Date.now() - 30 * 3_600_000, made: 0 };
  const main = thread(clock, null, SESSION);
  main.asks('Weave a basket.');
  clock.now = Date.now() - 120_000;
  uuids.thought = main.says([{ type: 'thinking', thinking: 'Willow would hold longer.' }]);
  main.says([said('I bend.')]);
  for (let n = 0; n < 10; n += 1) main.uses('Bash', { command: `bend ${n}` }, { content: n === 8 ? 'zebra' : `bent ${n}` });
  uuids.result = uuidWith(main.lines, 'zebra');
  main.uses(
    'Edit',
    { ['file_path']: '/home/dev/loom/rim.ts', ['old_string']: 'reed', ['new_string']: 'willow' },
    { content: 'updated' },
    { toolUseResult: { structuredPatch: [{ oldStart: 41, oldLines: 2, newStart: 41, newLines: 2, lines: [' rim', '-reed', '+willow'] }] } },
  );
  const call = main.uses(
    'Task',
    { description: 'Find reed', prompt: 'Where is reed?', ['subagent_type']: 'Explore' },
    { content: 'In the shed.' },
    { toolUseResult: { status: 'completed', agentId: CLAIMED } },
  );
  const claimed = thread(clock, CLAIMED, SESSION);
  claimed.asks('Where is reed?');
  claimed.says([said('In the shed.')]);
  const unclaimed = thread(clock, UNCLAIMED, SESSION);
  unclaimed.asks('Warm up the loom, please.');
  unclaimed.says([said('It is warm.')]);
  main.add({ type: 'system', subtype: 'local_command', content: '<command-name>/context</command-name><command-args></command-args>' });
  main.add({ type: 'system', subtype: 'local_command', content: '<local-command-stdout>\u001B[31mfull\u001B[39m</local-command-stdout>' });
  main.says([said('Woven.')]);
  put(join(project, `${SESSION}.jsonl`), main.lines);
  daysWritten = new Set((main.lines as readonly { readonly timestamp: string }[]).map(({ timestamp }) => new Date(timestamp).toDateString())).size; // as written above
  const agentFile = (id: string): string => join(project, SESSION, 'subagents', `agent-${id}`);
  put(`${agentFile(CLAIMED)}.jsonl`, claimed.lines);
  put(`${agentFile(CLAIMED)}.meta.json`, [{ agentType: 'Explore', description: 'Find reed', toolUseId: call }]);
  put(`${agentFile(UNCLAIMED)}.jsonl`, unclaimed.lines);
  page = await openTestPage({ roots: [folder] });
});
beforeEach(() => history.replaceState(null, ''));
afterEach(cleanup);
afterAll(async () => {
  await page.close();
  rmSync(folder, { recursive: true, force: true });
});

const uuidWith = (lines: readonly object[], words: string): string =>
  /"uuid":"([^"]+)"/u.exec(lines.map((line) => JSON.stringify(line)).find((line) => line.includes(words)) ?? '')?.[1] ?? '';

const open = async (query = ''): Promise<void> => {
  page.render(<SessionPage sessionId={SESSION} />, { path: `/sessions/${SESSION}${query}` });
  await shown();
};
/** All of it is read. */
const shown = async (): Promise<void> => {
  // What is being done is told in the head as well, in the same words.
  await waitFor(() => expect(screen.getAllByRole('article').some(({ textContent }) => textContent?.includes('Woven.') === true)).toBe(true));
  await waitFor(() => expect(screen.getAllByRole('article')[0]?.getAttribute('aria-setsize')).not.toBe('-1'));
};
const text = (element: Element | null): string => element?.textContent?.replaceAll(/\s+/gu, ' ').trim() ?? '';

test('[PAGE-151] an address of what is folded in a step opens it there, marked', async () => {
  await open(`?at=${uuids.result}`);
  const line = await screen.findByRole('button', { name: /^Bash: (?:Ran|Run) bend 8/u });
  await waitFor(() => expect([line.getAttribute('aria-current'), line.getAttribute('aria-expanded')]).toEqual(['true', 'true']));
  await screen.findByText('zebra');
  expect(document.querySelectorAll('.operation-detail')).toHaveLength(1);
});

test('[PAGE-151] what is found in what was thought opens it', async () => {
  const user = userEvent.setup();
  await open();
  expect(screen.queryByText('Willow would hold longer.')).toBeNull();
  await user.keyboard('f');
  await user.type(await screen.findByRole('searchbox', { name: 'Find in this session' }), 'longer');
  await screen.findByText('1 found');
  await user.keyboard('{Enter}');
  await screen.findByText('Willow would hold longer.');
  expect(page.paths.at(-1)).toBe(`/sessions/${SESSION}?at=${uuids.thought}`);
});

test('[PAGE-152] what is being done is shown as it changes', async () => {
  const asked: string[] = [];
  const ask: Live['ask'] = (name, input) => {
    asked.push(name);
    return page.live.ask(name, input);
  };
  page.live.queries.clear();
  page.render(
    <LiveProvider live={{ ...page.live, ask }}>
      <SessionPage sessionId={SESSION} />
    </LiveProvider>,
    { path: `/sessions/${SESSION}` },
  );
  await screen.findByText('Woven.');
  const looks = (): number => asked.filter((name) => name === 'activity').length;
  await waitFor(() => expect(looks()).toBeGreaterThan(0));
  const before = looks();
  const record = { type: 'system', subtype: 'informational', content: 'A thread broke.', uuid: crypto.randomUUID(), parentUuid: null };
  appendFileSync(
    join(folder, 'projects', '-home-dev-loom', `${SESSION}.jsonl`),
    `${JSON.stringify({ ...record, timestamp: new Date().toISOString(), sessionId: SESSION })}\n`,
  );
  // Long before the next look at all sessions.
  await waitFor(() => expect(looks()).toBeGreaterThan(before));
});

test('[PAGE-153] [PAGE-158] every sub-agent is listed in the head, with what it was asked, and leads to its conversation, which says the same', async () => {
  const user = userEvent.setup();
  await open();
  await user.click(await screen.findByRole('button', { name: '2 sub-agents' }));
  await screen.findByRole('menuitem', { name: /Warm up the loom/u });
  expect(screen.getAllByRole('menuitem').map(text)).toEqual([
    expect.stringMatching(/^Explore: Find reedcomplete634 tokens\$\d/u),
    expect.stringMatching(/^unknown: Warm up the loom, please\./u),
  ]);
  await user.click(screen.getByRole('menuitem', { name: /Warm up the loom/u }));
  const panel = await screen.findByRole('region', { name: /^unknown.*Warm up the loom, please\./u });
  await within(panel).findByText('It is warm.');
  expect(page.paths.at(-1)).toBe(`/sessions/${SESSION}?thread=${UNCLAIMED}`);
});

test('[PAGE-158] the card of the sub-agent that is open is marked', async () => {
  const user = userEvent.setup();
  await open();
  const card = await screen.findByRole('button', { name: /^Explore.*Find reed/u });
  expect(card.getAttribute('aria-current')).toBeNull();
  await user.click(card);
  await screen.findByRole('region', { name: /^Explore.*Find reed/u });
  await waitFor(() => expect(card.getAttribute('aria-current')).toBe('true'));
});

test('[PAGE-154] steps tell the time of their day, and all of it on hover; a line says which day begins', async () => {
  await open();
  const days = [...document.querySelectorAll('.flow-day')].map(text);
  // Two, and one more where midnight fell into the second.
  expect(days).toEqual(Array.from({ length: daysWritten }, () => expect.stringMatching(/^\w{3} \d+ \w{3} \d{4}$/u) as string));
  const times = [...document.querySelectorAll('.step-head time')].map((time) => [text(time), time.getAttribute('title')]);
  expect(times[0]).toEqual([expect.stringMatching(/^\d\d:\d\d$/u), expect.stringMatching(/\d{4}/u)]);
});

test('[PAGE-155] a command of the CLI and what it printed are shown as in a terminal, without tags', async () => {
  await open();
  expect([text(await screen.findByText('/context')), (await screen.findByText('full')).className]).toEqual(['/context', 'terminal-ink-red']);
  expect(document.body.textContent).not.toContain('command-name');
});

test('[PAGE-157] an edit has the line numbers of its file', async () => {
  const user = userEvent.setup();
  await open();
  await user.click(await screen.findByRole('button', { name: /more operations/u }));
  await user.click(await screen.findByRole('button', { name: /^Edit: / }));
  await waitFor(() => expect(screen.getAllByRole('row').map(text)).toEqual(['4141rim', '42−reed', '42+willow']));
});

test('[PAGE-159] keys work from anywhere, but where something is typed', async () => {
  const user = userEvent.setup();
  await open();
  const focused = (): string => document.activeElement?.getAttribute('aria-label') ?? '';
  await user.keyboard('{Home}');
  await waitFor(() => expect(focused()).toMatch(/^Prompt by Human/u));
  await user.keyboard('f');
  await user.type(await screen.findByRole('searchbox', { name: 'Find in this session' }), 'jk');
  expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('jk');
  screen.getByRole('button', { name: 'More actions' }).focus();
  await user.keyboard('j');
  await waitFor(() => expect(focused()).toMatch(/^Reply by Claude/u));
});

test('[PAGE-159] the link that skips what stands around leads into the conversation', async () => {
  const user = userEvent.setup();
  page.render(
    <Frame banners={null}>
      <SessionPage sessionId={SESSION} />
    </Frame>,
    { path: `/sessions/${SESSION}` },
  );
  await shown();
  await user.click(screen.getByRole('link', { name: 'Skip to content' }));
  expect(document.activeElement?.localName).toBe('article');
});

test('[PAGE-160] whoever comes back to a session is at the step where he was, and nothing of that is in the address', async () => {
  history.replaceState({ 'step in main': uuids.thought }, '');
  const asked: unknown[] = [];
  const ask: Live['ask'] = (name, input) => {
    asked.push(input);
    return page.live.ask(name, input);
  };
  page.live.queries.clear();
  page.render(
    <LiveProvider live={{ ...page.live, ask }}>
      <SessionPage sessionId={SESSION} />
    </LiveProvider>,
    { path: `/sessions/${SESSION}` },
  );
  await screen.findByText('Woven.');
  expect(asked).toContainEqual({ id: SESSION, at: uuids.thought, limit: 50, quick: 'true' });
  expect(document.querySelector('.flow-step-current')).toBeNull();
  expect(page.paths.at(-1)).toBe(`/sessions/${SESSION}`);
});
