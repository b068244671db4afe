// @vitest-environment happy-dom
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ChangesPage } from '../../../src/features/changes/changes-page.tsx';
import { FilePage } from '../../../src/features/changes/file-page.tsx';
import { openTestPage, type TestPage } from '../../test-page.tsx';
import { put, said, thread } from '../sessions/written-session.ts';

const SESSION = 'c4a4ce50-0000-4000-8000-00000000000a';
const QUIET = 'c4a4ce50-0000-4000-8000-00000000000b';
const LOOM = '/home/dev/loom/src/loom.ts';
let folder = '';
let page: TestPage;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'yarnboard-changes-'));
  const project = join(folder, 'projects', '-home-dev-loom');
  const clock = { now: Date.parse('2026-01-01T10:00:00Z'), made: 0 };
  const main = thread(clock, null, SESSION);
  main.asks('Weave.');
  const patch = { toolUseResult: { structuredPatch: [{ oldStart: 4, oldLines: 1, newStart: 4, newLines: 1, lines: ['-one', '+uno'] }] } };
  main.uses('Edit', { ['file_path']: LOOM, ['old_string']: 'one', ['new_string']: 'uno' }, { content: 'ok' }, patch);
  main.uses('Edit', { ['file_path']: '/home/dev/loom/a.ts', ['old_string']: 'x', ['new_string']: 'y' }, { content: 'not found', ['is_error']: true });
  main.uses(
    'Write',
    { ['file_path']: '/home/dev/loom/long.txt', content: Array.from({ length: 20_000 }, (_, n) => `line ${n}`).join('\n') },
    { content: 'ok' },
  );
  main.uses('Bash', { command: 'sed -i s/a/b/ x' }, { content: 'ok' });
  main.uses('Bash', { command: 'git commit -am Weave' }, { content: '[main 1a2b3c4] Weave' });
  main.uses('Bash', { command: 'gh pr create --fill' }, { content: 'https://github.com/ada/loom/pull/12' });
  main.says([said('Done.')]);
  put(join(project, `${SESSION}.jsonl`), main.lines);
  const quiet = thread(clock, null, QUIET);
  quiet.asks('Hello.');
  quiet.says([said('Hello.')]);
  put(join(project, `${QUIET}.jsonl`), quiet.lines);
  page = await openTestPage({ roots: [folder] });
});
afterEach(cleanup);
afterAll(async () => {
  await page.close();
  rmSync(folder, { recursive: true, force: true });
});

const text = (element: Element | null): string => element?.textContent?.replaceAll(/\s+/gu, ' ').trim() ?? '';

test('[PAGE-550] a session has its files with lines added and removed, and says what nobody can tell', async () => {
  page.render(<ChangesPage sessionId={SESSION} />, { path: `/sessions/${SESSION}/changes` });
  const files = await screen.findByRole('navigation', { name: 'Changed files' });
  expect(within(files).getAllByRole('link').map(text)).toEqual([
    'All files3',
    expect.stringMatching(/^long\.txt.*\+20,000/u),
    expect.stringMatching(/^a\.ts.*failed$/u),
    expect.stringMatching(/^loom\.ts\/home\/dev\/loom\/src\+1 −1/u),
  ]);
  expect(screen.getByText('2 edits in 3 files')).toBeDefined();
  expect(screen.getByText('3 shell commands may have changed more')).toBeDefined();
});

test('[PAGE-551] [PAGE-240] an edit shows its lines with their numbers, how it ended, and leads to its message, its history, its trace and the editor', async () => {
  page.render(<ChangesPage sessionId={SESSION} />, { path: `/sessions/${SESSION}/changes` });
  const card = within(await screen.findByRole('article', { name: LOOM }));
  expect(card.getAllByRole('row').map(text)).toEqual(['4−one', '4+uno']);
  expect(card.getByRole('link', { name: /^Go to message MSG-\d+#1$/u }).getAttribute('href')).toMatch(
    new RegExp(`^/sessions/${SESSION}\\?at=MSG-\\d+%231$`, 'u'),
  );
  expect(card.getByRole('link', { name: `History of ${LOOM}` }).getAttribute('href')).toBe(`/files?path=${encodeURIComponent(LOOM)}`);
  expect(card.getByRole('link', { name: `Trace ${LOOM}` }).getAttribute('href')).toBe(`/trace/${encodeURIComponent(LOOM)}`);
  expect(card.getByRole('link', { name: `Open ${LOOM} in editor` }).getAttribute('href')).toBe(`vscode://file${LOOM}`);
  expect(within(screen.getByRole('article', { name: '/home/dev/loom/a.ts' })).getByText('failed')).toBeDefined();
});

test('[PAGE-551] one file is shown alone, by its link and by its address', async () => {
  const user = userEvent.setup();
  page.render(<ChangesPage sessionId={SESSION} />, { path: `/sessions/${SESSION}/changes` });
  const files = within(await screen.findByRole('navigation', { name: 'Changed files' }));
  await user.click(files.getByRole('link', { name: /^loom\.ts/u }));
  await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(1));
  expect(page.paths.at(-1)).toBe(`/sessions/${SESSION}/changes?file=${encodeURIComponent(LOOM)}`);
  expect(files.getByRole('link', { name: /^loom\.ts/u }).getAttribute('aria-current')).toBe('true');
});

test('[PAGE-552] a diff of 20,000 lines comes in parts', async () => {
  const user = userEvent.setup();
  page.render(<ChangesPage sessionId={SESSION} />, { path: `/sessions/${SESSION}/changes?file=long.txt` });
  const card = within(await screen.findByRole('article', { name: '/home/dev/loom/long.txt' }));
  expect(card.getAllByRole('row')).toHaveLength(120);
  await user.click(card.getByRole('button', { name: 'Show 1,000 more of 20,000 lines' }));
  await waitFor(() => expect(card.getAllByRole('row')).toHaveLength(1120));
  expect(text(card.getAllByRole('row').at(-1) ?? null)).toBe('+line 1119');
});

test('[PAGE-555] commits and pull requests are listed, each with the way to its message', async () => {
  page.render(<ChangesPage sessionId={SESSION} />, { path: `/sessions/${SESSION}/changes` });
  const git = within(await screen.findByRole('region', { name: 'Git' }));
  expect(git.getAllByRole('listitem').map((item) => text(item).replace(/MSG-.*$/u, ''))).toEqual(['1a2b3c4Weave', 'Pull request 12']);
  expect(git.getByRole('link', { name: 'Pull request 12' }).getAttribute('href')).toBe('https://github.com/ada/loom/pull/12');
  expect(git.getByRole('link', { name: /^Message of commit 1a2b3c4, MSG-/u }).getAttribute('href')).toMatch(/\?at=MSG-/u);
});

test('[PAGE-550] a session without edits says what this place is for', async () => {
  page.render(<ChangesPage sessionId={QUIET} />, { path: `/sessions/${QUIET}/changes` });
  expect(await screen.findByText('No edits')).toBeDefined();
});

test('[PAGE-553] a file has its edits in every session; one that nobody touched says so', async () => {
  page.render(<FilePage />, { path: `/files?path=${encodeURIComponent('src/loom.ts')}` });
  const card = within(await screen.findByRole('article', { name: 'Weave.' }));
  expect(card.getAllByRole('row').map(text)).toEqual(['4−one', '4+uno']);
  cleanup();
  page.render(<FilePage />, { path: '/files?path=nowhere.ts' });
  expect(await screen.findByText('No history')).toBeDefined();
  cleanup();
  page.render(<FilePage />, { path: '/files' });
  expect(await screen.findByText('No file chosen')).toBeDefined();
});
