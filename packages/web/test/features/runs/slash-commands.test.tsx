// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { useState } from 'react';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { PromptBox } from '../../../src/features/runs/prompt-box.tsx';
import { commandsFitting, pathTyped } from '../../../src/features/runs/slash-commands.tsx';
import { openTestPage, type TestPage } from '../../test-page.tsx';

let page: TestPage;
beforeAll(async () => {
  page = await openTestPage();
});
afterEach(cleanup);
afterAll(() => page.close());

const COMMANDS = ['compact', 'context', 'review', 'mcp:docs'];

const Box = ({ onSend }: { readonly onSend: (text: string) => void }) => {
  const [text, setText] = useState('');
  return <PromptBox label="Prompt" value={text} onChange={setText} onEnter={() => onSend(text)} hint="" commands={COMMANDS} />;
};
const open = (): { readonly box: HTMLTextAreaElement; readonly sent: readonly string[]; readonly user: ReturnType<typeof userEvent.setup> } => {
  const sent: string[] = [];
  page.render(<Box onSend={(text) => sent.push(text)} />);
  return { box: screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Prompt' }), sent, user: userEvent.setup() };
};
const offered = (): readonly string[] => {
  const list = screen.queryByRole('listbox', { name: 'Commands' });
  return list === null
    ? []
    : within(list)
        .getAllByRole('option')
        .map((one) => one.textContent);
};

test('[PAGE-417] a slash offers commands, those that begin like it first; the keys choose and take one', async () => {
  const { box, sent, user } = open();
  await user.type(box, '/co');
  expect(offered()).toEqual(['/compact', '/context', '/mcp:docs'].slice(0, 2));
  await user.keyboard('{ArrowDown}');
  expect(box.getAttribute('aria-activedescendant')).toBe(screen.getByRole('option', { selected: true }).id);
  await user.keyboard('{Enter}');
  expect([box.value, offered(), sent]).toEqual(['/context ', [], []]);
  await user.keyboard('all{Enter}');
  expect(sent).toEqual(['/context all']);
});

test('[PAGE-417] Escape closes the list; what is typed out is sent; a slash inside a prompt is one', async () => {
  const { box, sent, user } = open();
  await user.type(box, '/re{Escape}');
  expect(offered()).toEqual([]);
  await user.keyboard('view');
  expect(offered()).toEqual(['/review']);
  await user.keyboard('{Enter}');
  expect(sent).toEqual(['/review']);
  await user.clear(box);
  await user.type(box, 'read src/co');
  expect(offered()).toEqual([]);
  expect(commandsFitting([], '/')).toEqual([]);
});

test('[PAGE-429] a path is what stands behind an @ at the end of a prompt', () => {
  expect(['@', 'look at @src/ma', 'a\n@x', 'me@example', '@src done', 'no'].map(pathTyped)).toEqual(['', 'src/ma', 'x', null, null, null]);
});

test('[PAGE-429] an @ offers files of the directory the session works in; one in a folder is gone on to', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'yarnboard-files-'));
  const work = join(folder, 'work');
  mkdirSync(join(work, 'src', 'loom'), { recursive: true });
  mkdirSync(join(folder, 'projects', 'p'), { recursive: true });
  writeFileSync(join(work, 'src', 'loom', 'weave.ts'), '');
  writeFileSync(join(work, 'README.md'), '');
  const session = '33333333-3333-4333-8333-333333333333';
  const record = { type: 'user', uuid: 'a', parentUuid: null, sessionId: session, cwd: work, version: '2.1.0' };
  const said = { ...record, timestamp: '2026-01-01T10:00:00.000Z', message: { role: 'user', content: 'hi' } };
  writeFileSync(join(folder, 'projects', 'p', `${session}.jsonl`), `${JSON.stringify(said)}\n`);
  const there = await openTestPage({ roots: [join(folder, 'projects')] });
  const Files = () => {
    const [text, setText] = useState('');
    return <PromptBox label="Prompt" value={text} onChange={setText} onEnter={() => {}} hint="" sessionId={session} />;
  };
  there.render(<Files />);
  const user = userEvent.setup();
  const box = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Prompt' });
  await user.type(box, 'read @src');
  const names = async (): Promise<readonly string[]> =>
    within(await screen.findByRole('listbox', { name: 'Files' }))
      .getAllByRole('option')
      .map(({ textContent }) => textContent);
  await waitFor(async () => expect(await names()).toEqual(['@src/', '@src/loom/', '@src/loom/weave.ts']));
  await user.keyboard('{Enter}');
  expect(box.value).toBe('read @src/');
  await user.keyboard('loom/we');
  await waitFor(async () => expect(await names()).toEqual(['@src/loom/weave.ts']));
  await user.keyboard('{Tab}');
  expect(box.value).toBe('read @src/loom/weave.ts ');
  fireEvent.change(box, { target: { value: 'read @src' } });
  await waitFor(async () => expect(await names()).toEqual(['@src/', '@src/loom/', '@src/loom/weave.ts']));
  // Before the answer to the new words: files that don't match them are not offered.
  fireEvent.change(box, { target: { value: 'read @weave' } });
  expect(await names()).toEqual(['@src/loom/weave.ts']);
  await user.keyboard('{Enter}');
  expect(box.value).toBe('read @src/loom/weave.ts ');
  await there.close();
  rmSync(folder, { recursive: true, force: true });
});
