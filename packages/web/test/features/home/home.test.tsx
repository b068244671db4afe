// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { DemoOffer } from '../../../src/features/home/demo-offer.tsx';
import { Home } from '../../../src/features/home/home.tsx';
import { Notifier } from '../../../src/features/home/notifier.tsx';
import { ImportProgress } from '../../../src/features/home/import-progress.tsx';
import { PermissionRequests } from '../../../src/features/permissions/permission-requests.tsx';
import { TabCountProvider } from '../../../src/ui/tab-count.tsx';
import { askedOf } from '../permissions/asked.ts';
import { connectAs } from './connection.ts';
import { openTestPage, type TestPage, type TestPageOptions } from '../../test-page.tsx';
import { call, elsewhere, makeTranscripts, OTHER, prompt, reply, SESSION, type Transcripts } from './transcripts.ts';

let page: TestPage | null = null;
let transcripts: Transcripts | null = null;
afterEach(async () => {
  await page?.close();
  transcripts?.remove();
  localStorage.clear();
  [page, transcripts] = [null, null];
});

const open = async (write: (transcripts: Transcripts) => void, options: Omit<TestPageOptions, 'roots'> = {}): Promise<TestPage & Transcripts> => {
  transcripts = makeTranscripts();
  write(transcripts);
  page = await openTestPage({ roots: [transcripts.root], ...options });
  return { ...page, ...transcripts };
};

const region = (name: string): Promise<HTMLElement> => screen.findByRole('region', { name });
const said = async (name: string, text: string | RegExp): Promise<HTMLElement> => within(await region(name)).findByText(text);

test('[PAGE-40] a session at work is shown with what it does and its sub-agents, as its file grows', async () => {
  const { render, add } = await open(({ add: first }) => first(SESSION, [prompt('p1', null, 'weave a basket')]));
  render(<Home />);
  await said('Running now', 'weave a basket');
  await said('Running now', 'working');
  add(SESSION, [call('u1', 'p1', 'Task', { ['subagent_type']: 'Explore', description: 'count the reeds', prompt: 'count the reeds' })]);
  add(SESSION, [prompt('x1', null, 'count the reeds', { isSidechain: true, agentId: 'a1' })], 'a1');
  add(SESSION, [call('x2', 'x1', 'Grep', { pattern: 'reed' }, { isSidechain: true, agentId: 'a1' })], 'a1');
  await said('Running now', 'Delegating to Explore: count the reeds');
  await said('Running now', 'Searching for reed');
  expect(within(await screen.findByRole('list', { name: 'Running sub-agents' })).getByText('Explore')).toBeTruthy();
  add(SESSION, [prompt('i1', 'u1', '[Request interrupted by user]')]);
  await said('Running now', 'idle');
  await waitFor(() => expect(screen.queryByRole('list', { name: 'Running sub-agents' })).toBeNull());
});

test('[PAGE-184] what waits and what runs comes first, then the latest sessions, the sidebars and what was spent; what is empty is one line', async () => {
  const { render, live } = await open(({ add }) => {
    add(OTHER, [elsewhere(prompt('p2', null, 'paint a wall'), { daysAgo: 2 }), elsewhere(reply('r2', 'p2', 'painted'), { daysAgo: 2 })]);
  });
  render(<Home />);
  const headings = (): readonly string[] => screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent);
  await screen.findByText('You’re all caught up.');
  await waitFor(() => expect(headings()).toEqual(['Recent sessions', 'Sidebars', 'Cost and activity']));
  expect(screen.getByText(/^No sessions running/u).parentElement).toBe(screen.getByText('You’re all caught up.').parentElement);
  await live.send('sidebar_spawn', { parentId: null, taskDescription: 'Why is it slow?', curatorAgent: 'operator' });
  await live.send('scratchpad_entry_submitted', { sidebarId: 'SB-1', content: 'Reeds are short.' });
  await waitFor(() => expect(headings()).toEqual(['To review1', 'Recent sessions', 'Sidebars', 'Cost and activity']));
  expect(screen.queryByText('You’re all caught up.')).toBeNull();
});

test('[PAGE-185] a turn that is over is the user’s, with the last words of the model and how to go on; one at work is not', async () => {
  const user = userEvent.setup();
  const { render, add } = await open(({ add: first }) => {
    first(SESSION, [prompt('p1', null, 'weave a basket'), reply('r1', 'p1', 'It is woven. Shall I paint it?')]);
    first(OTHER, [prompt('p2', null, 'paint a wall')]);
  });
  render(
    <TabCountProvider>
      <Notifier />
      <Home />
    </TabCountProvider>,
  );
  await said('Claude is waiting', 'It is woven. Shall I paint it?');
  const yours = await region('Claude is waiting');
  expect(
    within(yours)
      .getAllByRole('link')
      .map((link) => link.textContent),
  ).toEqual(['weave a basket']);
  await said('Recent sessions', 'waiting for you');
  await user.click(within(yours).getByRole('button', { name: 'Copy resume command' }));
  await waitFor(async () => expect(await navigator.clipboard.readText()).toBe(`cd /home/ada/loom && claude --resume ${SESSION}`));
  await said('Running now', 'paint a wall');
  expect(within(await region('Running now')).queryByText('weave a basket')).toBeNull();
  await waitFor(() => expect(document.title).toBe('(1) Home · Yarnboard'));
  add(SESSION, [prompt('p3', 'r1', 'yes, blue')]);
  await said('Running now', 'weave a basket');
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Claude is waiting' })).toBeNull());
  await waitFor(() => expect(document.title).toBe('Home · Yarnboard'));
});

test('[PAGE-186] a conflict that is settled, or whose sidebar has ended, does not wait any more', async () => {
  const { render, live, server } = await open(({ add }) => add(SESSION, [prompt('p1', null, 'weave a basket')]));
  const added = await live.send('agent_register', { agentId: 'weaver' });
  const weaver = connectAs(server.url, added.kind === 'done' ? added.result.token : '');
  for (const sidebarId of ['SB-1', 'SB-2']) {
    await live.send('sidebar_spawn', { parentId: null, taskDescription: `Why is ${sidebarId} slow?`, participants: ['weaver'] });
    await live.send('scratchpad_entry_submitted', { sidebarId, content: 'The retry limit is 3.' });
    await weaver.send('scratchpad_entry_submitted', { sidebarId, content: 'The retry limit is 5.' });
  }
  await weaver.send('chat_message', { sidebarId: 'SB-2', content: '@operator it was the loom' });
  weaver.close();
  render(<Home />);
  const user = userEvent.setup();
  const section = await region('To review');
  await user.click(await within(section).findByRole('button', { name: /^Show all/u }));
  const told = (): readonly (string | null)[] =>
    within(section)
      .getAllByRole('link', { name: /Conflict found/u })
      .map((link) => link.getAttribute('href'));
  await waitFor(() => expect(told()).toEqual(['/sidebars/SB-2?tab=scratchpad', '/sidebars/SB-1?tab=scratchpad']));
  await live.send('conflict_resolve', { sidebarId: 'SB-1', conflictId: 'CONFLICT-1', notes: 'It is 5 since May.' });
  await waitFor(() => expect(told()).toEqual(['/sidebars/SB-2?tab=scratchpad']));
  await live.send('sidebar_archive', { sidebarId: 'SB-2' });
  await waitFor(() => expect(screen.queryByText('Conflict found')).toBeNull());
  await waitFor(() => {
    const mention = screen.getByRole('link', { name: /it was the loom/u });
    expect([mention.textContent.includes('Unread'), mention.textContent.includes('sidebar ended')]).toEqual([false, true]);
  });
});

test('[PAGE-41] however much is said, it is asked for once a second at most', async () => {
  const { render, add, live } = await open(({ add: first }) => first(SESSION, [prompt('p1', null, 'weave a basket')]));
  render(<Home />);
  await said('Running now', 'weave a basket');
  const asked: number[] = [];
  const stop = live.queries.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'fetch' && event.query.queryKey[0] === 'activity') asked.push(Date.now());
  });
  for (let n = 0; asked.length < 4; n += 1) {
    add(SESSION, [call(`u${n}`, n === 0 ? 'p1' : `u${n - 1}`, 'Read', { ['file_path']: `/reed-${n}` })]);
    await said('Running now', /Reading/u);
    await live.ask('status', {});
  }
  stop();
  // The first may follow what was asked before any of this was said.
  for (const [at, time] of asked.slice(1, -1).entries()) expect((asked[at + 2] ?? 0) - time).toBeGreaterThan(900);
});

test('[PAGE-43] sidebars are counted where they stand, as they come', async () => {
  const { render, live } = await open(({ add }) => add(SESSION, [prompt('p1', null, 'weave a basket')]));
  render(<Home />);
  await said('Sidebars', 'No sidebars yet');
  await live.send('sidebar_spawn', { parentId: null, taskDescription: 'Why is it slow?' });
  await live.send('sidebar_spawn', { parentId: null, taskDescription: 'Is it slow?' });
  await live.send('sidebar_spawn', { parentId: null, taskDescription: 'Try it', testing: true });
  const section = await region('Sidebars');
  await waitFor(() =>
    expect(
      within(section)
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual(['2Active', '1Testing']),
  );
  expect(within(section).getByRole('link', { name: '2 Active' }).getAttribute('href')).toBe('/sidebars?status=active');
});

test('[PAGE-45] what waits is listed, unread until it is opened or marked as read', async () => {
  const user = userEvent.setup();
  const { render, live, paths } = await open(({ add }) => add(SESSION, [prompt('p1', null, 'weave a basket')]));
  await live.send('agent_register', { agentId: 'weaver' });
  await live.send('sidebar_spawn', { parentId: null, taskDescription: 'Why is it slow?', curatorAgent: 'operator' });
  await live.send('scratchpad_entry_submitted', { sidebarId: 'SB-1', content: 'Reeds are short.' });
  await live.send('scratchpad_entry_submitted', { sidebarId: 'SB-1', content: 'The loom is cold.' });
  render(<Home />);
  await said('To review', 'Reeds are short.');
  const section = await region('To review');
  const links = (): readonly string[] =>
    within(section)
      .getAllByRole('link')
      .map((link) => link.textContent);
  const [first] = within(section).getAllByRole('link');
  expect(links().every((text) => text.includes('Unread: '))).toBe(true);
  if (first === undefined) throw new Error('nothing waits');
  await user.click(first);
  expect(paths.at(-1)).toBe('/sidebars/SB-1?tab=scratchpad');
  await waitFor(() => expect(links().filter((text) => text.includes('Unread: '))).toHaveLength(links().length - 1));
  await user.click(within(section).getByRole('button', { name: 'Mark all as read' }));
  await waitFor(() => expect(links().some((text) => text.includes('Unread: '))).toBe(false));
  expect(links().some((text) => text.includes('Reeds are short.'))).toBe(true);
});

test('[PAGE-45] marking all as read acknowledges what was only told', async () => {
  const user = userEvent.setup();
  const { render, live, server } = await open(({ add }) => add(SESSION, [prompt('p1', null, 'weave a basket')]));
  const added = await live.send('agent_register', { agentId: 'weaver' });
  const token = added.kind === 'done' ? added.result.token : '';
  await live.send('sidebar_spawn', { parentId: null, taskDescription: 'Why is it slow?', participants: ['weaver'] });
  const weaver = connectAs(server.url, token);
  await weaver.send('chat_message', { sidebarId: 'SB-1', content: '@operator please have a look' });
  weaver.close();
  render(<Home />);
  await said('To review', '@operator please have a look');
  await user.click(within(await region('To review')).getByRole('button', { name: 'Mark all as read' }));
  await waitFor(() => expect(screen.queryByText('@operator please have a look')).toBeNull());
});

test('[PAGE-44] whoever only reads is told how to see what waits', async () => {
  const { render } = await open(({ add }) => add(SESSION, [prompt('p1', null, 'weave a basket')]), { isOperator: false });
  render(<Home />);
  expect((await screen.findByText(/^Read-only/u)).textContent).toContain('yarnboard open');
  expect(screen.queryByText('You’re all caught up.')).toBeNull();
});

const today = (): string => new Date().toISOString().slice(0, 10);

test('[PAGE-48] [PAGE-184] the latest sessions are listed with their projects, and what was spent stands at the top', async () => {
  const begunOn = today();
  const { render } = await open(({ add }) => {
    add(SESSION, [prompt('p1', null, 'weave a basket'), reply('r1', 'p1', 'woven')]);
    add(OTHER, [
      elsewhere(prompt('p2', null, 'paint a wall'), { daysAgo: 2, cwd: '/srv/house' }),
      elsewhere(reply('r2', 'p2', 'painted'), { daysAgo: 2, cwd: '/srv/house' }),
    ]);
  });
  render(<Home />);
  const house = await screen.findByRole('link', { name: /^paint a wall/u });
  expect(house.textContent).toBe('paint a wallhouse2 messages$0.032 days ago');
  expect(house.getAttribute('href')).toBe(`/sessions/${OTHER}`);
  const list = house.closest('ul') ?? document.body;
  await waitFor(() => expect(within(list).getByRole('link', { name: /^weave a basket/u }).textContent).toContain('waiting for you'));
  const spent = (await screen.findByRole('link', { name: /in 7 days$/u })).textContent;
  // After midnight what was written before is of yesterday.
  expect(spent).toMatch(today() === begunOn ? /^\$0\.03 today\$0\.05 in 7 days$/u : /today\$0\.05 in 7 days$/u);
});

test('[PAGE-49] every plot says in a sentence what it shows, and as a table all of it', async () => {
  const user = userEvent.setup();
  const { render } = await open(({ add }) => {
    add(SESSION, [prompt('p1', null, 'weave a basket'), reply('r1', 'p1', 'woven')]);
    add(OTHER, [elsewhere(prompt('p2', null, 'paint a wall'), { daysAgo: 20 }), elsewhere(reply('r2', 'p2', 'painted'), { daysAgo: 20 })]);
  });
  render(<Home />);
  const plot = await screen.findByRole('img', { name: /^Cost, last 30 days: \$0\.05, peaking on/u });
  await waitFor(() => expect(plot.querySelectorAll('.spending-bar')).toHaveLength(2));
  await user.click(screen.getByRole('button', { name: 'Tables' }));
  const table = await screen.findByRole('table', { name: 'Responses by day and model, last 30 days' });
  const [head, ...rows] = within(table)
    .getAllByRole('row')
    .map((row) => [...row.children].map((cell) => cell.textContent));
  expect(head).toEqual(['Day', 'Opus 4.5', 'Total']);
  expect(rows.map(([, ...cells]) => cells)).toEqual([
    ['1', '1'],
    ['1', '1'],
  ]);
  await user.click(screen.getByRole('radio', { name: '7 days' }));
  await waitFor(() => expect(within(screen.getByRole('table', { name: /^Responses/u })).getAllByRole('row')).toHaveLength(2));
  await user.click(screen.getByRole('radio', { name: 'Agent' }));
  expect(await screen.findAllByRole('columnheader', { name: 'main thread' })).toHaveLength(2);
});

test('[PAGE-49] by agent the main thread and the kinds of sub-agents are told, in colours and as a table', async () => {
  const user = userEvent.setup();
  const inAgent = (agentId: string) => ({ isSidechain: true, agentId });
  const answer = { type: 'tool_result', ['tool_use_id']: 't-u1', content: 'twelve reeds' };
  const { render } = await open(({ add }) => {
    add(SESSION, [
      prompt('p1', null, 'weave a basket'),
      reply('r1', 'p1', 'I will ask'),
      call('u1', 'r1', 'Task', { ['subagent_type']: 'Explore', prompt: 'count' }),
      { ...prompt('q1', 'u1', ''), message: { role: 'user', content: [answer] }, toolUseResult: { agentId: 'a1' } },
    ]);
    add(SESSION, [reply('x1', null, 'twelve', inAgent('a1')), reply('x2', 'x1', 'reeds', inAgent('a1'))], 'a1');
    add(SESSION, [reply('y1', null, 'warm', inAgent('a2'))], 'a2');
  });
  render(<Home />);
  await user.click(await screen.findByRole('radio', { name: 'Agent' }));
  const colours = async (): Promise<readonly string[]> =>
    within(await screen.findByRole('list', { name: 'Responses: legend' }))
      .getAllByRole('listitem')
      .map((item) => item.textContent);
  await waitFor(async () => expect(await colours()).toEqual(['Explore', 'main thread', 'sub-agent']));
  await user.click(screen.getByRole('button', { name: 'Tables' }));
  const table = await screen.findByRole('table', { name: 'Responses by day and agent, last 30 days' });
  const rows = within(table).getAllByRole('row');
  expect(rows.map((row) => [...row.children].slice(1).map((cell) => cell.textContent))).toEqual([
    ['Explore', 'main thread', 'sub-agent', 'Total'],
    ['2', '1', '1', '4'],
  ]);
});

test('[PAGE-51] where there is no session, home says where it looks and what to do', async () => {
  const { render, root } = await open(() => {});
  render(<Home />);
  expect((await screen.findByText('No sessions yet')).parentElement?.textContent).toContain(root);
  await screen.findByRole('button', { name: 'Explore the demo board' });
});

test('[PAGE-51] [INST-6] where there is no session, the operator goes to the demo board by one button', async () => {
  const { render } = await open(() => {}, { openDemo: () => Promise.resolve({ url: 'http://127.0.0.1:1/#key=k', expiresAt: 0 }) });
  const went: string[] = [];
  render(<DemoOffer go={(url) => went.push(url)} />);
  await userEvent.click(await screen.findByRole('button', { name: 'Explore the demo board' }));
  await waitFor(() => expect(went).toEqual(['http://127.0.0.1:1/#key=k']));
});

test('[PAGE-51] [INST-6] whoever only reads is told the command for the demo board', async () => {
  const { render } = await open(() => {}, { isOperator: false });
  render(<DemoOffer />);
  await screen.findByText('yarnboard start --demo');
  expect(screen.queryByRole('button')).toBeNull();
});

test('[INST-6] a server that has no demo board says how to start one', async () => {
  const { render } = await open(() => {});
  render(<DemoOffer go={() => {}} />);
  await userEvent.click(await screen.findByRole('button', { name: 'Explore the demo board' }));
  expect((await screen.findByRole('alert')).textContent).toContain('yarnboard start --demo');
});

const STATUS: Parameters<typeof ImportProgress>[0]['status'] = {
  version: '1',
  pid: 1,
  startedAt: null,
  home: '',
  database: '',
  board: '',
  state: 'importing',
  why: null,
  progress: { doneBytes: 1024 * 1024, allBytes: 4 * 1024 * 1024, files: 3, allFiles: 10 },
  pendingSessions: 7,
  entries: 0,
  indexed: 0,
  roots: [],
  storage: { bytes: 0, payloadBytes: 0 },
  troubles: [],
};

test('[PAGE-50] how far an import is, and what stops it', async () => {
  const { render } = await open(() => {});
  const { rerender, container } = render(<ImportProgress status={STATUS} />);
  const bar = screen.getByRole('progressbar', { name: 'Importing your sessions' });
  expect(bar.getAttribute('value')).toBe('0.25');
  expect(container.textContent).toContain('1 MB of 4 MB, 3 of 10 files · 7 sessions to go');
  rerender(<ImportProgress status={{ ...STATUS, state: 'stuck', why: 'the disk is full' }} />);
  expect(screen.queryByRole('progressbar')).toBeNull();
});

test('[PAGE-50] an import that is stuck says why; one that is over says nothing', async () => {
  const { render } = await open(() => {});
  render(<ImportProgress status={{ ...STATUS, state: 'stuck', why: 'the disk is full' }} />);
  expect(screen.getByRole('alert').textContent).toContain('the disk is full');
  const { container } = render(<ImportProgress status={{ ...STATUS, state: 'watching', progress: null }} />);
  expect(container.textContent).toBe('');
});

const REQUEST = askedOf({ runId: 'gone', sessionId: SESSION });

test('[PAGE-42] an answer that is refused says why where it was given', async () => {
  const user = userEvent.setup();
  const { render } = await open(() => {});
  render(<PermissionRequests requests={[REQUEST]} />);
  expect(screen.getByRole('article', { name: 'Permission to use Bash' }).textContent).toContain('Running ls');
  await user.click(await screen.findByRole('button', { name: 'Allow' }));
  expect((await screen.findByRole('alert')).textContent).toContain('There is no run "gone".');
});

test('[PAGE-42] whoever only reads sees the question without the buttons', async () => {
  const { render } = await open(() => {}, { isOperator: false });
  render(<PermissionRequests requests={[REQUEST]} />);
  expect(screen.getByText('Claude wants to use Bash')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /Allow|Deny/u })).toBeNull();
});
