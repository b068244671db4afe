// @vitest-environment happy-dom
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { appendFileSync, cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDrawingDesk } from '../../../src/features/graph/drawing-desk.ts';
import type { StartDrawer } from '../../../src/features/graph/drawing.ts';
import { GraphPage } from '../../../src/features/graph/graph-page.tsx';
import { openTestPage, type TestPage } from '../../test-page.tsx';

// There is no layout here; a list that has no height draws nothing.
vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(2000);
vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(800);

/** The desk of the worker, in this thread. */
const startHere: StartDrawer = (hear) => ({
  order: createDrawingDesk({ post: (answer) => act(() => hear(answer)), later: (work) => void setTimeout(work, 0) }),
  close: () => {},
});

const DEMO = resolve(import.meta.dirname, '../../../../cli/demo');
const BRANCHED = 'a2e96c1e-9d3f-4c12-920b-ffd7daae32a3';
const AGENTS = 'c4db4f1e-8c63-480f-b76e-470b9d881d95';

let page: TestPage;
let folder: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'yarnboard-graph-'));
  cpSync(DEMO, folder, { recursive: true });
  page = await openTestPage({ roots: [folder] });
});
afterEach(async () => {
  await page.close();
  rmSync(folder, { recursive: true, force: true });
});

const show = async (sessionId: string): Promise<void> => {
  page.render(<GraphPage sessionId={sessionId} start={startHere} />, { path: `/sessions/${sessionId}/graph` });
  await screen.findAllByRole('treeitem');
};

const outline = (): readonly string[] =>
  screen.getAllByRole('treeitem').map((item) => `${item.getAttribute('aria-level') ?? ''} ${item.querySelector('.one-line')?.textContent ?? ''}`);

test('[PAGE-33] the way back from a graph leads over its session to its project and to all of them', async () => {
  await show(BRANCHED);
  const way = screen.getByRole('navigation', { name: 'Breadcrumbs' });
  await waitFor(() =>
    expect([...way.querySelectorAll('li')].map((crumb) => [crumb.textContent, crumb.querySelector('a')?.getAttribute('href') ?? null])).toEqual([
      ['Sessions', '/sessions'],
      ['proj', '/sessions?project=%2Fhome%2Fdev%2Fproj'],
      ['Conversation', `/sessions/${BRANCHED}`],
      ['Graph', null],
    ]),
  );
});

const focused = (): string => document.activeElement?.querySelector('.one-line')?.textContent ?? '';

test('[PAGE-71] [PAGE-75] a branching session is shown as an outline, with what was said', async () => {
  await show(BRANCHED);
  await waitFor(() =>
    expect(outline()).toEqual([
      '1 First.',
      '2 First.',
      "2 I'll read the README first.",
      '1 Read README.md',
      '2 Read README.md',
      '3 Read README.md',
      '3 Read README.md',
      '3 Say hello and list files · echo hello-from-bash && ls',
      '3 Say hello and list files · echo hello-from-bash && ls',
      '3 Now writing a file.',
      '3 Wrote notes.txt',
      '3 Wrote notes.txt',
      '3 Edited README.md',
      '3 Edited README.md',
      '3 All done: read, ran, wrote and edited.',
      '1 Branch from the first assistant message.',
      '2 Branch from the first assistant message.',
      '2 Second plain reply after resuming.',
    ]),
  );
  await waitFor(() => expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('First.'));
  expect(screen.getByText('Graph with 14 cards')).toBeTruthy();
  expect(screen.getByRole('radio', { name: 'Messages' }).getAttribute('aria-checked')).toBe('true');
  expect(screen.getAllByRole('treeitem').filter((item) => item.getAttribute('aria-expanded') === 'true')).toHaveLength(4);
});

test('[PAGE-71] [PAGE-75] the outline is used by keyboard: arrows go, open and fold, Enter goes to the message', async () => {
  const user = userEvent.setup();
  await show(AGENTS);
  await user.click(screen.getByRole('radio', { name: 'Turns' }));
  await waitFor(() => expect(screen.getByText('Graph with 6 cards')).toBeTruthy());
  await waitFor(() => expect(outline()[0]).toBe('1 Split the work between two agents.'));
  screen.getAllByRole('treeitem')[0]?.focus();
  await user.keyboard('{ArrowDown}');
  await waitFor(() => expect(focused()).toBe('general-purpose'));
  await user.keyboard('{ArrowRight}');
  await waitFor(() => expect(document.activeElement?.getAttribute('aria-expanded')).toBe('true'));
  await user.keyboard('{ArrowRight}');
  await waitFor(() => expect(document.activeElement?.getAttribute('aria-level')).toBe('2'));
  await user.keyboard('{ArrowLeft}');
  await waitFor(() => expect(focused()).toBe('general-purpose'));
  await user.keyboard('{ArrowLeft}');
  await waitFor(() => expect(document.activeElement?.getAttribute('aria-expanded')).toBe('false'));
  await user.keyboard('{Home}{Enter}');
  expect(page.paths.at(-1)).toMatch(new RegExp(`^/sessions/${AGENTS}\\?at=[0-9a-f-]{36}$`, 'u'));
});

test('[PAGE-77] the graph grows as its session does', async () => {
  await show(BRANCHED);
  const file = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((path) => path.endsWith(`${BRANCHED}.jsonl`)) ?? '';
  const { activePath } = await page.live.ask('session', { id: BRANCHED });
  const uuid = '5a5a5a5a-0000-4000-8000-000000000001';
  const record = { parentUuid: activePath.leafUuid, isSidechain: false, type: 'user', message: { role: 'user', content: 'And one more.' }, uuid };
  appendFileSync(
    join(folder, file),
    `${JSON.stringify({ ...record, timestamp: '2026-11-16T02:33:51.624Z', cwd: '/home/dev/proj', sessionId: BRANCHED, version: '2.1.325' })}\n`,
  );
  await waitFor(() => expect(outline()).toContain('1 And one more.'));
  expect(screen.getByText('Graph with 15 cards')).toBeTruthy();
});

test('[PAGE-700] cards do not wait for what is told of the session as a whole', async () => {
  const { live } = page;
  const { ask } = live;
  let tell = (): void => {};
  const isTold = new Promise<void>((resolve) => {
    tell = resolve;
  });
  // The server's own answer, later.
  const slow: typeof ask = async (name, input, ...rest) => {
    if (name === 'session' && !('trail' in input)) await isTold;
    return ask(name, input, ...rest);
  };
  Object.assign(live, { ask: slow });
  await show(BRANCHED);
  expect(await screen.findByText('Graph with 14 cards')).toBeTruthy();
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(`Session ${BRANCHED.slice(0, 8)}`);
  tell();
  await waitFor(() => expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('First.'));
  expect(screen.getByText('Graph with 14 cards')).toBeTruthy();
});

test('[PAGE-71] a session that is not there says so', async () => {
  page.render(<GraphPage sessionId="nowhere" start={startHere} />);
  expect((await screen.findByRole('alert')).textContent).toContain('Couldn’t load this session');
});
