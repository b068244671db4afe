// @vitest-environment happy-dom
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { SessionPage } from '../../../src/features/sessions/session-page.tsx';
import { lastSeen } from '../../../src/features/sessions/last-seen.ts';
import { openTestPage, type TestPage } from '../../test-page.tsx';
import { put, said, SESSION, thread } from './written-session.ts';

let folder = '';
let page: TestPage;
const clock = { now: Date.parse('2026-01-01T10:00:00Z'), made: 0 };
const main = thread(clock, null);
const path = (): string => join(folder, 'projects', '-home-dev-loom', `${SESSION}.jsonl`);
const todos = (...states: readonly string[]) => ({ todos: states.map((status, n) => ({ content: `Step ${n + 1}`, status })) });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'yarnboard-outline-'));
  main.asks('Weave a basket');
  main.says([{ type: 'thinking', thinking: 'Willow or reed?' }, said('I begin.')]);
  main.uses('TodoWrite', todos('completed', 'in_progress', 'pending'), { content: 'ok' });
  main.uses('Bash', { command: 'bend' }, { content: 'broken', ['is_error']: true });
  main.says([said('The rim is done.')]);
  main.asks('Now a lid');
  main.says([said('A lid it is.')]);
  main.asks('And a handle');
  main.says([said('Done.')]);
  put(path(), main.lines);
  page = await openTestPage({ roots: [folder] });
});
beforeEach(() => {
  localStorage.clear();
  // Room for the outline beside the conversation.
  vi.spyOn(globalThis, 'matchMedia').mockImplementation(
    (query) => Object.assign(new EventTarget(), { matches: false, media: query }) as unknown as MediaQueryList,
  );
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
const articles = (name: RegExp): HTMLElement[] => screen.getAllByRole('article', { name });
const text = (element: Element | null): string => element?.textContent?.replaceAll(/\s+/gu, ' ').trim() ?? '';

test('[PAGE-610] the outline lists what was asked, and leads there', async () => {
  const user = userEvent.setup();
  await open();
  await user.keyboard('o');
  const outline = await screen.findByRole('complementary', { name: 'Outline' });
  await within(outline).findByRole('heading', { name: '3 prompts' });
  const prompts = within(within(outline).getByRole('list', { name: 'Prompts' })).getAllByRole('button');
  expect(prompts.map((one) => text(one.querySelector('.outline-words')))).toEqual(['Weave a basket', 'Now a lid', 'And a handle']);
  await user.click(within(outline).getByRole('button', { name: /Now a lid/u }));
  await waitFor(() => expect(page.paths.at(-1)).toMatch(/\?at=MSG-\d+$/u));
  await waitFor(() =>
    expect(
      within(outline)
        .getByRole('button', { name: /Now a lid/u })
        .getAttribute('aria-current'),
    ).toBe('true'),
  );
  await user.click(within(outline).getByRole('button', { name: /^Close outline/u }));
  expect(screen.queryByRole('complementary', { name: 'Outline' })).toBeNull();
});

test('[PAGE-612] the task list stands in the outline as it was left', async () => {
  const user = userEvent.setup();
  await open();
  await user.click(screen.getByRole('button', { name: 'Outline (o)' }));
  const tasks = await screen.findByRole('region', { name: 'Tasks' });
  expect(within(tasks).getAllByRole('listitem').map(text)).toEqual(['Done: Step 1', 'In progress: Step 2', 'To do: Step 3']);
  expect(text(tasks)).toContain('1 of 3 done');
  await user.click(within(tasks).getByTitle('Go to the last change'));
  await waitFor(() => expect(page.paths.at(-1)).toMatch(/\?at=MSG-\d+%23\d+$/u));
});

test('[PAGE-611] J and K go from prompt to prompt', async () => {
  const user = userEvent.setup();
  await open();
  const [first] = articles(/^Prompt by Human, MSG-1$/u);
  first?.focus();
  const focused = (): string => text(document.activeElement?.querySelector('.step') ?? null);
  await user.keyboard('J');
  await waitFor(() => expect(focused()).toContain('Now a lid'));
  await user.keyboard('J');
  await waitFor(() => expect(focused()).toContain('And a handle'));
  await user.keyboard('J');
  await user.keyboard('K');
  await waitFor(() => expect(focused()).toContain('Now a lid'));
});

test('[PAGE-614] the view hides thinking and tools, shows failures alone, and expands everything; the choice is kept', async () => {
  const user = userEvent.setup();
  const choose = async (name: string): Promise<void> => {
    await user.click(screen.getByRole('button', { name: /^View/u }));
    await user.click(await screen.findByRole('menuitemcheckbox', { name }));
    await user.keyboard('{Escape}');
  };
  await open();
  expect(screen.getByText('Thinking')).toBeDefined();
  await choose('Hide thinking');
  await waitFor(() => expect(screen.queryByText('Thinking')).toBeNull());
  await choose('Only failed tool calls');
  await waitFor(() => expect([...document.querySelectorAll('.operation-line')].map(text)).toEqual([expect.stringMatching(/^Bash: .*failed/u)]));
  await choose('Hide tool calls');
  await waitFor(() => expect(document.querySelectorAll('.operation-line')).toHaveLength(0));
  cleanup();
  await open();
  expect(screen.queryByText('Thinking')).toBeNull();
  expect(screen.getByRole('button', { name: 'View: 2' })).toBeDefined();
  await user.click(screen.getByRole('button', { name: /^View/u }));
  await user.click(await screen.findByRole('menuitem', { name: 'Show all' }));
  await waitFor(() => expect(screen.getByText('Thinking')).toBeDefined());
  await choose('Expand everything');
  await screen.findByText('Willow or reed?');
  await waitFor(() => expect(document.querySelectorAll('.operation-detail').length).toBeGreaterThan(0));
});

test('[PAGE-617] a message shows its raw record', async () => {
  const user = userEvent.setup();
  await open();
  const [first] = articles(/^Prompt by Human, MSG-1$/u);
  first?.focus();
  await user.click(await within(first ?? document.body).findByRole('button', { name: 'More' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Raw record' }));
  const dialog = await screen.findByRole('dialog', { name: 'Raw record' });
  await waitFor(() => expect(text(dialog)).toContain('"content": "Weave a basket"'));
  expect(within(dialog).getByRole('button', { name: 'Copy record' })).toBeDefined();
});

test('[PAGE-613] what is new since the last visit is below a line', async () => {
  await open();
  await waitFor(() => expect(lastSeen(`${SESSION} main`)).not.toBeNull());
  expect(screen.queryByText('New since your last visit')).toBeNull();
  cleanup();
  const known = main.lines.length;
  main.asks('And paint it');
  main.says([said('Painted.')]);
  appendFileSync(
    path(),
    main.lines
      .slice(known)
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
  );
  await open();
  await screen.findByText('And paint it');
  const line = await screen.findByText('New since your last visit');
  expect(text(line.closest('article'))).toContain('Done.');
});

test('[PAGE-623] tool calls are listed by reply, filtered by tool and failure, and lead to their place', async () => {
  const user = userEvent.setup();
  await open();
  await user.keyboard('o');
  const outline = await screen.findByRole('complementary', { name: 'Outline' });
  await user.click(within(outline).getByRole('radio', { name: 'Tool calls' }));
  const list = await within(outline).findByRole('list', { name: 'Tool calls' });
  const calls = (): readonly string[] => within(list).getAllByRole('button').map(text);
  expect(calls()).toEqual([expect.stringMatching(/^TodoWrite: /u), expect.stringMatching(/^Bash: .*failed$/u)]);
  await user.click(within(outline).getByRole('button', { name: '1 failed' }));
  expect(calls()).toHaveLength(1);
  await user.click(within(outline).getByRole('button', { name: '1 failed' }));
  await user.selectOptions(within(outline).getByRole('combobox', { name: 'Tool' }), 'TodoWrite');
  expect(calls()).toEqual([expect.stringMatching(/^TodoWrite: /u)]);
  await user.click(within(list).getAllByRole('button')[0] ?? document.body);
  await waitFor(() => expect(page.paths.at(-1)).toMatch(/\?at=[\w-]+$/u));
  await waitFor(() => expect(document.querySelector('.operation-shown')).not.toBeNull());
});
