// @vitest-environment happy-dom
import { readRuntimes } from '@yarnboard/protocol';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { BypassMark, type RuntimeView } from '../../../src/features/agents/agent-work.tsx';
import { Agents } from '../../../src/features/agents/agents.tsx';
import { connectLine } from '../../../src/features/agents/token-once.tsx';
import type { Live } from '../../../src/live/live.ts';
import { connectAs } from '../home/connection.ts';
import { openTestPage, type TestPage, type TestPageOptions } from '../../test-page.tsx';

let page: TestPage;
const others: Live[] = [];
const open = async (options: Pick<TestPageOptions, 'isOperator' | 'runtimes'> = {}): Promise<void> => {
  page = await openTestPage(options);
};
afterEach(async () => {
  for (const live of others.splice(0)) live.close();
  await page.close();
});

const addWeaver = async (): Promise<string> => {
  const added = await page.live.send('agent_register', { agentId: 'weaver', specialties: ['patterns', 'looms'] });
  if (added.kind !== 'done') throw new Error(JSON.stringify(added));
  return added.result.token;
};

const cards = (): readonly string[] => [...document.querySelectorAll('.agent')].map(({ textContent }) => textContent);

test('[PAGE-58] agents are listed with presence, load and specialties, as they change', async () => {
  await open();
  page.render(<Agents />);
  await screen.findByText('No agents yet');
  const token = await addWeaver();
  await waitFor(() => expect(cards().at(-1)).toBe('weaverofflinepatternsloomsSeats0 of 5No sidebars'));
  const weaver = connectAs(page.server.url, token);
  others.push(weaver);
  await weaver.send('agent_presence', { status: 'available', currentContext: 'at the loom' });
  await page.live.send('sidebar_spawn', { parentId: null, taskDescription: 'Why?', participants: ['weaver'] });
  await weaver.send('agent_presence', { status: 'busy', currentContext: 'at the loom' });
  await waitFor(() =>
    expect(cards().at(-1)).toMatch(
      /^weaverbusypatternsloomsNow: at the loomSeats1 of 5SB-1joined (?:just now|\d+ min ago)1 sidebarSB-1last seen (?:just now|\d+ min ago)$/u,
    ),
  );
  expect(screen.getAllByRole('link', { name: 'SB-1' })[0]?.getAttribute('href')).toBe('/sidebars/SB-1');
});

test('[PAGE-59] an agent is added; its token is shown once, with the line that connects Claude Code', async () => {
  const user = userEvent.setup();
  await open();
  page.render(<Agents />);
  await user.click(await screen.findByRole('button', { name: 'Add an agent' }));
  await user.type(screen.getByRole('textbox', { name: 'Name' }), 'weaver');
  await user.type(screen.getByRole('textbox', { name: 'Skills' }), 'patterns, looms, patterns');
  await user.click(screen.getByRole('button', { name: 'Add' }));
  const dialog = await screen.findByRole('dialog', { name: 'Token for weaver' });
  const [token = '', line] = [...dialog.querySelectorAll('code')].map(({ textContent }) => textContent);
  expect(token.length).toBeGreaterThan(20);
  expect(line).toBe(connectLine(location.origin, token));
  const known = connectAs(page.server.url, token);
  others.push(known);
  await waitFor(() => expect(known.connection.get()).toMatchObject({ kind: 'open', agentId: 'AGENT-weaver' }));
  await user.click(within(dialog).getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(cards().at(-1)).toContain('patternslooms'));
  expect(document.body.innerHTML.includes(token)).toBe(false);
  expect(
    JSON.stringify(
      page.live.queries
        .getQueryCache()
        .getAll()
        .map(({ state }) => state.data),
    ).includes(token),
  ).toBe(false);
});

test('[PAGE-59] an agent that is added on a runtime acts on its own; a person has none to choose', async () => {
  const user = userEvent.setup();
  const read = readRuntimes({ local: { kind: 'openai', url: 'http://127.0.0.1:9/v1', model: 'qwen3' } });
  await open({ runtimes: read.ok ? read.value : [] });
  page.render(<Agents />);
  await user.click(await screen.findByRole('button', { name: 'Add an agent' }));
  await user.type(screen.getByRole('textbox', { name: 'Name' }), 'weaver');
  const choice = await screen.findByRole('combobox', { name: 'Runtime' });
  expect([...choice.querySelectorAll('option')].map(({ textContent }) => textContent)).toEqual([
    'None – I’ll connect it myself',
    'local (openai, qwen3)',
  ]);
  await user.click(screen.getByRole('radio', { name: 'Person' }));
  expect(screen.queryByRole('combobox', { name: 'Runtime' })).toBeNull();
  await user.click(screen.getByRole('radio', { name: 'Agent' }));
  await user.selectOptions(screen.getByRole('combobox', { name: 'Runtime' }), 'local');
  await user.click(screen.getByRole('button', { name: 'Add' }));
  const dialog = await screen.findByRole('dialog', { name: 'Token for weaver' });
  within(dialog).getByText('It acts on its own on local. It doesn’t need this token.');
  within(dialog).getByText(/^no price is known for qwen3: limits in USD don’t apply/u);
  await user.click(within(dialog).getByRole('button', { name: 'Done' }));
  await screen.findByText('Used by weaver');
});

test('[PAGE-179] the dialog with a token is closed by its button, and by nothing else', async () => {
  const user = userEvent.setup();
  await open();
  page.render(<Agents />);
  await user.click(await screen.findByRole('button', { name: 'Add an agent' }));
  await user.type(screen.getByRole('textbox', { name: 'Name' }), 'weaver');
  await user.click(screen.getByRole('button', { name: 'Add' }));
  const dialog = await screen.findByRole('dialog', { name: 'Token for weaver' });
  const token = dialog.querySelector('code')?.textContent ?? '';
  await user.keyboard('{Escape}');
  await user.pointer({ keys: '[MouseLeft]', target: document.querySelector('.dialog-veil') ?? document.body });
  expect(within(dialog).queryByRole('button', { name: 'Close' })).toBeNull();
  expect(within(screen.getByRole('dialog', { name: 'Token for weaver' })).getByText(token)).toBeDefined();
  await user.click(within(dialog).getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('[PAGE-59] a name that is taken is refused where it was typed', async () => {
  const user = userEvent.setup();
  await open();
  await addWeaver();
  page.render(<Agents />);
  await user.click(await screen.findByRole('button', { name: 'Add an agent' }));
  await user.type(screen.getByRole('textbox', { name: 'Name' }), 'weaver');
  await user.click(screen.getByRole('button', { name: 'Add' }));
  expect((await screen.findByRole('alert')).textContent).toContain('AGENT-weaver is already registered');
  expect(screen.getByRole('textbox', { name: 'Name' }).getAttribute('aria-invalid')).toBe('true');
});

test('[PAGE-59] a new token makes the old one worthless, and a retired agent has none', async () => {
  const user = userEvent.setup();
  await open();
  const old = await addWeaver();
  page.render(<Agents />);
  await user.click(await screen.findByRole('button', { name: 'Actions for weaver' }));
  await user.click(await screen.findByRole('menuitem', { name: 'New token' }));
  await user.click(await screen.findByRole('button', { name: 'Create token' }));
  const dialog = await screen.findByRole('dialog', { name: 'Token for weaver' });
  const fresh = dialog.querySelector('code')?.textContent ?? '';
  expect(fresh).not.toBe(old);
  const stateOf = (token: string) => {
    const live = connectAs(page.server.url, token);
    others.push(live);
    return () => live.connection.get().kind;
  };
  const [withOld, withFresh] = [stateOf(old), stateOf(fresh)];
  await waitFor(() => expect([withOld(), withFresh()]).toEqual(['refused', 'open']));
  await user.click(within(dialog).getByRole('button', { name: 'Done' }));
  await user.click(await screen.findByRole('button', { name: 'Actions for weaver' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Retire' }));
  await user.click(await screen.findByRole('button', { name: 'Retire' }));
  await waitFor(() => expect(cards().at(-1)).toContain('weaverretired'));
  expect(screen.queryByRole('button', { name: 'Actions for weaver' })).toBeNull();
  const withNothing = stateOf(fresh);
  await waitFor(() => expect(withNothing()).toBe('refused'));
});

test('[PAGE-59] whoever only reads sees who is there, and changes nobody', async () => {
  await open({ isOperator: false });
  page.render(<Agents />);
  await waitFor(() => expect(cards()).toHaveLength(1));
  expect(screen.queryByRole('button')).toBeNull();
});

test('[PAGE-315] whoever asks no permission is marked, and nobody else', async () => {
  await open();
  const runtime = { name: 'one', permissionMode: 'bypassPermissions' } as unknown as RuntimeView; // as far as it is looked at
  page.render(<BypassMark runtime={runtime} />);
  expect(screen.getAllByText('asks no permission')).toHaveLength(1);
  page.render(<BypassMark runtime={{ ...runtime, permissionMode: 'default' }} />);
  page.render(<BypassMark runtime={null} />);
  expect(screen.getAllByText('asks no permission')).toHaveLength(1);
});
