import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { SessionRules } from '../../../src/features/permissions/session-rules.tsx';
import { openTestPage, type TestPage } from '../../test-page.tsx';

const SESSION = '5e551000-0000-4000-8000-000000000001';
const folder = mkdtempSync(join(tmpdir(), 'yarnboard-rules-'));
const work = join(folder, 'work');
const file = join(work, '.claude', 'settings.local.json');
let page: TestPage;

beforeAll(async () => {
  mkdirSync(join(folder, 'projects', 'p'), { recursive: true });
  mkdirSync(join(work, '.claude'), { recursive: true });
  const record = {
    type: 'user',
    uuid: 'a',
    parentUuid: null,
    sessionId: SESSION,
    cwd: work,
    version: '2.1.0',
    timestamp: '2026-01-01T10:00:00.000Z',
  };
  writeFileSync(join(folder, 'projects', 'p', `${SESSION}.jsonl`), `${JSON.stringify({ ...record, message: { role: 'user', content: 'hi' } })}\n`);
  page = await openTestPage({ roots: [join(folder, 'projects')] });
});
afterEach(cleanup);
afterAll(async () => {
  await page.close();
  rmSync(folder, { recursive: true, force: true });
});

const rules = (): readonly (string | null)[] =>
  within(screen.getByRole('list', { name: 'In this project' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);

test('[PAGE-642] what the project keeps is listed in words, and revoked by its button', async () => {
  writeFileSync(file, JSON.stringify({ permissions: { allow: ['Bash(npm test:*)', 'WebFetch'], additionalDirectories: ['/loom'] } }));
  const user = userEvent.setup();
  page.render(<SessionRules sessionId={SESSION} onClose={() => {}} />);
  await screen.findByRole('list', { name: 'In this project' });
  expect(rules()).toEqual(['Run “npm test *”', 'Use WebFetch', 'Use files in /loom']);
  expect(screen.queryByRole('list', { name: 'Until the run ends' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Revoke Bash(npm test:*)' }));
  await waitFor(() => expect(rules()).toEqual(['Use WebFetch', 'Use files in /loom']));
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ permissions: { allow: ['WebFetch'], additionalDirectories: ['/loom'] } });
});

test('[PAGE-642] without rules the dialog says where they come from; a damaged file is said', async () => {
  writeFileSync(file, '{}');
  const { unmount } = page.render(<SessionRules sessionId={SESSION} onClose={() => {}} />);
  await screen.findByText('Nothing yet');
  unmount();
  writeFileSync(file, 'damaged');
  page.live.queries.clear();
  page.render(<SessionRules sessionId={SESSION} onClose={() => {}} />);
  await screen.findByText('Claude Code’s settings for this project can’t be read.');
  expect(screen.queryByText('Nothing yet')).toBeNull();
});
