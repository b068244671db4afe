import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { lostChanges } from '../../../src/features/runs/changes.ts';
import { Composer } from '../../../src/features/runs/composer.tsx';
import { NewSessionDialog } from '../../../src/features/runs/new-session.tsx';
import { GiveBack, TakeOver } from '../../../src/features/runs/terminal-switch.tsx';
import { openTestPage, type TestPage } from '../../test-page.tsx';

const IDLE = '11111111-1111-4111-8111-111111111111';
const BUSY = '22222222-2222-4222-8222-222222222222';
const NO_IMAGES = { all: [], add: () => {}, drop: () => {}, clear: () => {}, isReading: false, refusal: null };
const folder = mkdtempSync(join(tmpdir(), 'yarnboard-composer-'));
const work = join(folder, 'work');
let page: TestPage;
let reading: TestPage;

const line = (sessionId: string, uuid: string, parentUuid: string | null, type: 'user' | 'assistant', at: number, content: unknown): string =>
  JSON.stringify({
    type,
    uuid,
    parentUuid,
    sessionId,
    cwd: work,
    version: '2.1.0',
    timestamp: new Date(at).toISOString(),
    message:
      type === 'user'
        ? { role: 'user', content }
        : { role: 'assistant', id: uuid, model: 'm', stop_reason: 'end_turn', content: [{ type: 'text', text: content }] },
  });

beforeAll(async () => {
  const root = join(folder, 'projects');
  mkdirSync(join(root, 'p'), { recursive: true });
  mkdirSync(work);
  const now = Date.now();
  writeFileSync(
    join(root, 'p', `${IDLE}.jsonl`),
    `${line(IDLE, 'a', null, 'user', now - 9_000_000, 'hi')}\n${line(IDLE, 'b', 'a', 'assistant', now - 8_000_000, 'hello')}\n`,
  );
  writeFileSync(join(root, 'p', `${BUSY}.jsonl`), `${line(BUSY, 'c', null, 'user', now - 2000, 'on it')}\n`);
  page = await openTestPage({ roots: [root], env: { YARNBOARD_AGENT_SDK: join(folder, 'no-sdk') } });
  reading = await openTestPage({ roots: [root], isOperator: false });
});
afterEach(cleanup);
afterAll(async () => {
  await page.close();
  await reading.close();
  rmSync(folder, { recursive: true, force: true });
});

test('[PAGE-400] [PAGE-413] nobody has it: it is continued; without the SDK the same is shown as a command, and what was written stays', async () => {
  const user = userEvent.setup();
  page.render(<Composer sessionId={IDLE} />);
  const box = await screen.findByRole('textbox', { name: 'Continue this session' });
  await user.type(box, 'go on{Enter}');
  await screen.findByText('Or start it in a terminal; Yarnboard follows it there:');
  expect(screen.getByText(`cd ${work} && yarnboard claude --resume ${IDLE} 'go on'`)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
  expect(box).toHaveProperty('value', 'go on');
});

test('[PAGE-410] never asking needs its own word each time', async () => {
  const user = userEvent.setup();
  page.render(<Composer sessionId={IDLE} />);
  await user.click(await screen.findByRole('button', { name: 'Options' }));
  await user.selectOptions(screen.getByRole('combobox', { name: 'Permissions' }), 'bypassPermissions');
  expect(screen.getByRole('button', { name: 'Continue' })).toHaveProperty('disabled', true);
  await user.click(screen.getByRole('checkbox', { name: /without asking me, starting in/u }));
  expect(screen.getByRole('button', { name: 'Continue' })).toHaveProperty('disabled', false);
  for (const mode of ['default', 'bypassPermissions']) await user.selectOptions(screen.getByRole('combobox', { name: 'Permissions' }), mode);
  expect(screen.getByRole('checkbox', { name: /without asking me/u })).toHaveProperty('checked', false);
  expect(screen.getByRole('button', { name: 'Continue' })).toHaveProperty('disabled', true);
  await user.selectOptions(screen.getByRole('combobox', { name: 'Permissions' }), 'default');
});

test('[PAGE-425] a mask in the box is pointed out before it is sent', async () => {
  page.render(<Composer sessionId={IDLE} />);
  const box = await screen.findByRole('textbox', { name: 'Continue this session' });
  fireEvent.change(box, { target: { value: 'log in with [masked anthropic-key …x7Qk]' } });
  expect(screen.getByText(/A secret is masked here/u)).toBeTruthy();
  fireEvent.change(box, { target: { value: 'log in' } });
  expect(screen.queryByText(/A secret is masked here/u)).toBeNull();
});

test('[PAGE-424] a change to a queued prompt is lost to the box only when it says something else and can be saved no more', () => {
  const change = { uuid: 'a', before: 'one', words: 'uno' };
  const queued = [{ uuid: 'a', text: 'one', images: 0, at: null }];
  expect(lostChanges([change], { state: 'running', queued })).toEqual([]);
  expect(lostChanges([change], { state: 'running', queued: [] })).toEqual([change]);
  expect(lostChanges([change], { state: 'ended', queued })).toEqual([change]);
  expect(lostChanges([change], null)).toEqual([change]);
  for (const words of ['one ', ' ']) expect(lostChanges([{ ...change, words }], null)).toEqual([]);
});

test('[PAGE-400] a program that was not started here is at work: nothing can be said to it', async () => {
  page.render(<Composer sessionId={BUSY} />);
  await screen.findByText(/is working here, started outside Yarnboard/u);
  expect(screen.queryByRole('textbox')).toBeNull();
});

test('[PAGE-406] whoever only reads is offered nothing', async () => {
  reading.render(<Composer sessionId={BUSY} />, { as: reading.live });
  await screen.findByText(/is working here/u);
  expect(screen.queryByRole('textbox')).toBeNull();
  expect(screen.queryByRole('button')).toBeNull();
});

test('[PAGE-412] a directory that is not there is said at its field', async () => {
  const user = userEvent.setup();
  page.render(<NewSessionDialog onClose={() => {}} />);
  const directory = await screen.findByRole('combobox', { name: 'Directory' });
  // The latest project stands there as soon as it is known.
  await waitFor(() => expect(directory).toHaveProperty('value', work));
  await user.clear(directory);
  await user.type(directory, join(folder, 'gone'));
  await user.type(screen.getByRole('textbox', { name: 'Prompt' }), 'hello');
  await user.click(screen.getByRole('button', { name: 'Start session' }));
  await waitFor(() => expect(directory.getAttribute('aria-invalid')).toBe('true'));
  expect(screen.getByRole('alert').textContent).toContain(`there is no directory "${join(folder, 'gone')}"`);
});

test('[PAGE-405] taking a session over says first what it cancels; giving it back shows the command where no terminal waits', async () => {
  const user = userEvent.setup();
  let done = 0;
  const outbox = { text: '', write: () => {}, outgoing: [], send: () => {}, refusal: null, clear: () => {}, images: NO_IMAGES };
  const holder = {
    sessionId: IDLE,
    holder: 'terminal' as const,
    tool: 'claude-code',
    directory: work,
    isTerminalWaiting: false,
    run: null,
    slashCommands: [],
    forks: [],
  };
  page.render(<TakeOver holder={holder} outbox={outbox} onDone={() => (done += 1)} />);
  await user.click(screen.getByRole('button', { name: 'Take over…' }));
  expect(screen.getByText(/this cancels its turn/u)).toBeTruthy();
  const sure = screen.getByRole('button', { name: 'Take over now' });
  expect(document.activeElement).toBe(sure);
  await user.click(sure);
  // Without the SDK the terminal keeps its session.
  await screen.findByRole('alert');
  cleanup();
  page.render(<GiveBack sessionId={IDLE} onDone={() => (done += 1)} />);
  await user.click(screen.getByRole('button', { name: 'Give back' }));
  await screen.findByText(`cd ${work} && claude --resume ${IDLE}`);
  expect(done).toBe(2);
});
