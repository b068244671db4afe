// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CheckpointsTab, stopsOf } from '../../../src/features/scratchpad/checkpoints-tab.tsx';
import { openStage, WithSidebar, type Stage } from './stage.tsx';

let stage: Stage;

beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.close());

const show = (): void => {
  stage.render(<WithSidebar of="SB-1">{(sidebar) => <CheckpointsTab sidebar={sidebar} />}</WithSidebar>);
};

const confirmed = async (content: string, entryId: string): Promise<void> => {
  await stage.act('scratchpad_entry_submitted', { sidebarId: 'SB-1', content });
  await stage.act('scratchpad_entry_validated', { sidebarId: 'SB-1', entryId, status: 'confirmed' });
};

test('[PAGE-107] a checkpoint tells what stood by then and what was new, and takes a note from each', async () => {
  const user = userEvent.setup();
  await confirmed('The pool is exhausted.', 'FINDING-1');
  await stage.act('scratchpad_checkpoint', { sidebarId: 'SB-1', summary: 'Half way.' });
  await confirmed('The retry is off.', 'FINDING-2');
  show();
  await user.click(await screen.findByRole('button', { name: 'Add checkpoint' }));
  expect(await screen.findByText('Includes 2 confirmed findings, provisionally.')).toBeDefined();
  await user.type(screen.getByLabelText('Summary'), 'Nearly there.');
  await user.type(screen.getByLabelText('Your note'), 'Ask the database people.');
  await user.click(screen.getByRole('button', { name: 'Add checkpoint' }));
  const memory = within(screen.getByRole('region', { name: 'Episodic memory' }));
  expect(memory.getAllByText('provisional'), 'shown at once').toHaveLength(2);
  const second = within(await screen.findByRole('article', { name: 'Checkpoint 2' }));
  expect(await second.findByText('Ask the database people.')).toBeDefined();
  expect(
    within(second.getByRole('list', { name: 'Findings so far' }))
      .getAllByRole('listitem')
      .map((item) => [item.querySelector('[aria-label]')?.getAttribute('aria-label') ?? 'known', item.textContent]),
  ).toEqual([
    ['known', 'Finding 1The pool is exhausted.'],
    ['new since the last checkpoint', 'Finding 2The retry is off.'],
  ]);
  await user.click(await screen.findByRole('button', { name: 'Add note to checkpoint 1' }));
  await user.type(screen.getByLabelText('Your note'), 'That was on Monday.');
  await user.click(screen.getByRole('button', { name: 'Add note' }));
  expect(await within(screen.getByRole('article', { name: 'Checkpoint 1' })).findByText('That was on Monday.')).toBeDefined();
});

test('[PAGE-107] [PAD-8] the findings of a checkpoint can be chosen', async () => {
  const user = userEvent.setup();
  await confirmed('The pool is exhausted.', 'FINDING-1');
  await confirmed('The retry is off.', 'FINDING-2');
  show();
  await user.click(await screen.findByRole('button', { name: 'Add checkpoint' }));
  await user.click(screen.getByText('Choose findings'));
  await user.click(screen.getByRole('checkbox', { name: /FINDING-1/u }));
  expect(screen.getByText('Includes 1 confirmed finding, provisionally.')).toBeDefined();
  await user.type(screen.getByLabelText('Summary'), 'Half of it.');
  await user.click(screen.getByRole('button', { name: 'Add checkpoint' }));
  const first = within(await screen.findByRole('article', { name: 'Checkpoint 1' }));
  expect(first.getByRole('link', { name: 'Checkpoint 1' }).getAttribute('href')).toBe('/refs/SB-1%3ACHECKPOINT-1');
  expect(first.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['Finding 2The retry is off.']);
  const memory = within(screen.getByRole('region', { name: 'Episodic memory' }));
  expect((await memory.findByRole('link', { name: 'Episode 1' })).getAttribute('href')).toBe('/refs/SB-1%3AEPISODE-1');
  expect(memory.queryByText('The pool is exhausted.')).toBeNull();
});

test('[PAGE-107] what is kept in episodic memory is provisional, then final or superseded', async () => {
  await confirmed('The pool is exhausted.', 'FINDING-1');
  await confirmed('The retry is off.', 'FINDING-2');
  await stage.act('scratchpad_checkpoint', { sidebarId: 'SB-1', summary: 'Half way.' });
  show();
  const memory = within(await screen.findByRole('region', { name: 'Episodic memory' }));
  expect(await memory.findAllByText('provisional')).toHaveLength(2);
  await stage.act('scratchpad_entry_validated', { sidebarId: 'SB-1', entryId: 'FINDING-2', status: 'rejected', validationNotes: 'It was on.' });
  await stage.act('sidebar_archive', { sidebarId: 'SB-1' });
  // The one that holds, and the sidebar as a whole.
  expect(await memory.findAllByText('final')).toHaveLength(2);
  expect(await memory.findByText('superseded')).toBeDefined();
  expect(memory.getByText('its finding was rejected')).toBeDefined();
});

test('[PAGE-107] backups stand in the same line, the latest first', () => {
  const checkpoint = (id: string, createdAt: number) => ({ id, createdAt, createdBy: 'AGENT-operator', summary: id, findings: [], annotations: {} });
  const [one, two] = [checkpoint('one', 10), checkpoint('two', 30)];
  const backup = { id: 'b', at: 20, position: 1, reason: 'forked', priority: 'normal' as const, gold: null };
  expect(stopsOf({ checkpoints: [one, two], backups: [backup] })).toEqual([
    { kind: 'checkpoint', at: 30, number: 2, checkpoint: two, before: one },
    { kind: 'backup', at: 20, backup },
    { kind: 'checkpoint', at: 10, number: 1, checkpoint: one, before: null },
  ]);
});

test('[PAGE-351] an episode shows why it was kept, with its note and tags; a person makes what an agent kept final', async () => {
  const user = userEvent.setup();
  const registered = await stage.live.send('agent_register', { agentId: 'weaver' });
  const weaver = stage.connect(registered.kind === 'done' ? registered.result.token : null);
  await stage.act('agent_recruited', { sidebarId: 'SB-1', agentId: 'weaver' });
  await stage.act('chat_message', { sidebarId: 'SB-1', content: 'The pool is exhausted.' });
  expect(await weaver.send('memory_archive', { refs: ['MSG-1'], reason: 'It comes up often.', tags: ['pool'] })).toMatchObject({ kind: 'done' });
  show();
  const memory = within(await screen.findByRole('region', { name: 'Episodic memory' }));
  for (const text of ['by hand', 'provisional', 'It comes up often.', 'pool']) expect(await memory.findByText(text)).toBeDefined();
  await user.click(memory.getByRole('button', { name: 'Make final' }));
  expect(await memory.findByText('final')).toBeDefined();
  expect(memory.queryByRole('button', { name: 'Make final' })).toBeNull();
});
