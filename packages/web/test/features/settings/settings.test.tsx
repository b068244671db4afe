// @vitest-environment happy-dom
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import Database from 'better-sqlite3';
import { afterEach, expect, test } from 'vitest';
import { Health } from '../../../src/features/settings/health.tsx';
import { Settings } from '../../../src/features/settings/settings.tsx';
import { openTestPage, type TestPage } from '../../test-page.tsx';
import { actAs, type Stage } from '../sidebars/stage.tsx';
import { call, makeTranscripts, OTHER, prompt, SESSION, type Transcripts } from '../home/transcripts.ts';

let page: TestPage;
let transcripts: Transcripts;
const open = async (options: { readonly isOperator?: boolean } = {}): Promise<void> => {
  transcripts = makeTranscripts();
  transcripts.add(SESSION, [prompt('p1', null, 'weave a basket'), call('u1', 'nobody', 'Bash', { command: 'ls' })]);
  page = await openTestPage({ roots: [transcripts.root], ...options });
};
afterEach(async () => {
  await page.close();
  transcripts.remove();
});

const region = (name: string): Promise<HTMLElement> => screen.findByRole('region', { name });

test('[PAGE-54] settings tell what is watched and change the theme', async () => {
  const user = userEvent.setup();
  await open();
  page.render(<Settings />);
  expect(within(await screen.findByRole('list', { name: 'Watched folders' })).getByText(transcripts.root)).toBeTruthy();
  await user.click(screen.getByRole('radio', { name: 'Dark' }));
  await waitFor(() => expect(document.documentElement.dataset['theme']).toBe('dark'));
  await user.click(screen.getByRole('radio', { name: 'Light' }));
  await waitFor(() => expect(document.documentElement.dataset['theme']).toBe('light'));
  expect((await region('Secrets')).textContent).toContain('masks API keys');
});

test('[PAGE-54] settings tell who one is, and let the token be forgotten', async () => {
  await open();
  page.render(<Settings />);
  await within(await region('Signed in as')).findByText('AGENT-operator');
  expect(screen.getByRole('button', { name: 'Sign out' })).toBeTruthy();
});

test('[PAGE-54] whoever only reads is told how to act', async () => {
  await open({ isOperator: false });
  page.render(<Settings />);
  expect((await region('Signed in as')).textContent).toContain('yarnboard open');
  expect(screen.queryByRole('button', { name: 'Sign out' })).toBeNull();
});

test('[PAGE-261] checks are off; the operator switches them on and allows types, and sees which folders they may read', async () => {
  const user = userEvent.setup();
  await open();
  page.render(<Settings />);
  const policy = await region('Policies: automatic checks');
  const on = await within(policy).findByRole('switch', { name: 'Check claims automatically' });
  expect(on.getAttribute('aria-checked')).toBe('false');
  expect(policy.textContent).toContain('"validation": { "roots": ["/path/to/project"] }');
  expect(policy.textContent).toContain('Risk: very low. Never run.');
  await user.click(on);
  await waitFor(() => expect(within(policy).getByRole('switch', { name: 'Check claims automatically' }).getAttribute('aria-checked')).toBe('true'));
  await user.click(within(policy).getByRole('switch', { name: 'File exists' }));
  await waitFor(() => expect(within(policy).getByRole('switch', { name: 'File exists' }).getAttribute('aria-checked')).toBe('true'));
});

test('[PAGE-261] whoever only reads changes nothing about checks, and is told no folders', async () => {
  await open({ isOperator: false });
  page.render(<Settings />);
  const policy = await region('Policies: automatic checks');
  expect((await within(policy).findByRole<HTMLButtonElement>('switch', { name: 'Check claims automatically' })).disabled).toBe(true);
  expect(policy.textContent).not.toContain('Checks can’t read any files yet');
});

test('[PAGE-55] health tells state, version, storage and troubles', async () => {
  await open({ isOperator: false });
  page.render(<Health />);
  const server = await region('Server');
  const facts = async (): Promise<Record<string, string>> => {
    await within(server).findByText('State');
    return Object.fromEntries(
      [...server.querySelectorAll('.fact')].map(({ children: [name, value] }) => [name?.textContent ?? '', value?.textContent ?? '']),
    );
  };
  await waitFor(async () => expect((await facts())['State']).toBe('Watching'));
  await waitFor(async () => {
    const { Version, Storage, ...rest } = await facts();
    expect([Version, rest['Log']?.startsWith('2 entries')]).toEqual(['Yarnboard 0.0.0-test', true]);
    expect(Storage).toMatch(/^\d.* [KM]B on disk \(\d+ B uncompressed\)$/u);
  });
  await within(await region('Problems')).findByText(/All files readable/u);
});

test('[FOLLOW-9] health says which background task fails, why and what to do', async () => {
  await open();
  page.render(<Health />);
  const home = (await within(await region('Server')).findByText('Home')).closest('.fact')?.querySelector('code')?.textContent ?? '';
  await page.server.drain();
  const index = new Database(join(home, 'board/search.db'));
  index.exec('ALTER TABLE progress RENAME TO elsewhere');
  transcripts.add(OTHER, [prompt('p2', null, 'weave a hat')]);
  const failing = await screen.findByRole('list', { name: 'Failing background tasks' });
  expect(failing.textContent).toMatch(/Search doesn’t find new entries: .*: no such table: progress/u);
  expect(failing.textContent).toContain('Yarnboard keeps retrying.');
  expect(within(failing).getByText('yarnboard stop').tagName).toBe('CODE');
  index.exec('ALTER TABLE elsewhere RENAME TO progress');
  index.close();
  await waitFor(() => expect(screen.queryByRole('list', { name: 'Failing background tasks' })).toBeNull());
});

test('[PAGE-170] health tells how many lines could not be read, and leads to their sessions', async () => {
  transcripts = makeTranscripts();
  transcripts.add(SESSION, [prompt('p1', null, 'weave a basket')]);
  transcripts.add(OTHER, [prompt('p2', null, 'weave a carpet')]);
  appendFileSync(join(transcripts.root, '-home-ada-loom', `${OTHER}.jsonl`), 'half a rec\n{"type":\n');
  page = await openTestPage({ roots: [transcripts.root] });
  page.render(<Health />);
  const troubles = await region('Problems');
  await within(troubles).findByText('2 unreadable lines in 1 session (kept as is)');
  const list = within(troubles).getByRole('list', { name: 'Sessions with unreadable lines' });
  expect(
    within(list)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual(['weave a carpet (2)']);
  expect(within(list).getByRole('link').getAttribute('href')).toBe(`/sessions/${OTHER}`);
});

test('[PAGE-170] health says so when every line could be read', async () => {
  await open();
  page.render(<Health />);
  expect(await within(await region('Problems')).findByText('All lines readable')).toBeTruthy();
});

test('[PAGE-56] the log is verified when it is wanted, and the verdict told', async () => {
  const user = userEvent.setup();
  await open({ isOperator: false });
  page.render(<Health />);
  const log = await region('Log');
  expect(page.live.queries.getQueryData(['verify', {}])).toBeUndefined();
  await user.click(within(log).getByRole('button', { name: 'Verify log' }));
  await within(log).findByText('Log verified: no tampering found.');
  expect(within(log).getByText('Entries').nextSibling?.textContent).toBe('2');
});

test('[PAGE-57] the library is checked when it is wanted, and what does not fit is listed', async () => {
  const user = userEvent.setup();
  await open();
  page.render(<Health />);
  const library = await region('Library');
  await user.click(within(library).getByRole('button', { name: 'Check library' }));
  await within(library).findByText(/2 messages and 1 operation checked/u);
  expect(
    within(library)
      .getAllByRole('listitem')
      .map((item) => item.textContent.replace(/\).*$/u, ')')),
  ).toEqual(['warningParent not found (1 time)', 'warningUse without result (1 time)']);
});

test('[PAGE-281] [PAGE-282] automatic merges are off until the operator allows a type, and each type says what it needs', async () => {
  const user = userEvent.setup();
  await open();
  page.render(<Settings />);
  const section = within(await region('Automatic merges'));
  const main = await section.findByRole('switch', { name: 'Merge routine results automatically' });
  expect(main.getAttribute('aria-checked')).toBe('false');
  expect(section.getAllByText('0 of 3 approvals in a row')).toHaveLength(5);
  expect(section.getByText('Nothing has merged automatically yet.')).toBeTruthy();
  await user.click(main);
  await section.findByText('Start with status_check and watch the history.');
  await user.click(section.getByRole('switch', { name: 'Status check' }));
  await waitFor(() => expect(section.getByRole('switch', { name: 'Status check' }).getAttribute('aria-checked')).toBe('true'));
});

test('[PAGE-360] a problem with an automatic merge is reported where it stands, and its type is suspended', async () => {
  const user = userEvent.setup();
  await open();
  const act: Stage['act'] = (name, input) => actAs(page.live, name, input);
  await act('sidebar_spawn', { parentId: null, taskDescription: 'Keep the shop running' });
  const [message = ''] = await act('chat_message', { sidebarId: 'SB-1', content: 'Have a look at the queue' });
  const prepare = async (sidebarId: string): Promise<void> => {
    await act('sidebar_child_spawn', { parentSidebarId: 'SB-1', subTaskDescription: 'Is the queue empty?', taskType: 'status_check' });
    await act('scratchpad_entry_submitted', { sidebarId, content: 'The queue is empty.', sourceRefs: [message] });
    await act('scratchpad_entry_validated', { sidebarId, entryId: 'FINDING-1', status: 'confirmed' });
    await act('sidebar_consolidate', { sidebarId });
    await act('sidebar_check_merge', { sidebarId });
  };
  await prepare('SB-2');
  await act('sidebar_merge', { sidebarId: 'SB-2' });
  await act('auto_merge_config', { autoMergeEnabled: true, allowedTaskTypes: ['status_check'], requiredApprovals: 1 });
  await prepare('SB-3');
  page.render(<Settings />);
  const section = within(await region('Automatic merges'));
  const merges = within(await section.findByRole('list', { name: 'Automatic merges' }));
  expect(merges.getByText('Worth a look')).toBeTruthy();
  await user.click(merges.getByText('Report a problem'));
  expect(merges.getByRole('button', { name: 'Report problem' })).toHaveProperty('disabled', true);
  await user.type(merges.getByLabelText('What went wrong?'), 'It was full');
  await user.click(merges.getByRole('button', { name: 'Report problem' }));
  await section.findByText('Suspended');
  expect(await section.findByText(/It was full/u)).toBeTruthy();
});
