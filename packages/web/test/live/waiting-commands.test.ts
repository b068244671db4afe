import { BOARD_OPERATIONS, isBoardCommand, REGISTRY, type Operation } from '@yarnboard/protocol';
import { expect, test } from 'vitest';
import { isKeptCommand, keptLookOf } from '../../src/live/kept-commands.ts';
import { createWaitingCommands, WAITING_KEY, type Giver, type WaitingCommand, type WaitingStorage } from '../../src/live/waiting-commands.ts';

const storageOf = (room = Infinity): WaitingStorage & { readonly text: () => string } => {
  const held = new Map<string, string>();
  return {
    getItem: (key) => held.get(key) ?? null,
    setItem: (key, value) => {
      if (value.length > room) throw new DOMException('full', 'QuotaExceededError');
      held.set(key, value);
    },
    text: () => held.get(WAITING_KEY) ?? '',
  };
};

const mia: Giver = { board: 'board-1', actor: 'AGENT-mia' };
const said = (n: number, content = `message ${n}`): WaitingCommand => ({
  messageId: `id-${n}`,
  name: 'chat_message',
  input: { ['sidebar_id']: 'SB-1', content },
  proposal: { type: 'chat.say', sidebar: 'SB-1', content },
  at: 1000 + n,
});

test('[PAGE-140] what waits is found after a reload, in the order in which it was given, once, without what has been answered', () => {
  const storage = storageOf();
  const before = createWaitingCommands(storage);
  for (const n of [1, 2, 3]) expect(before.keep(mia, said(n))).toBe(true);
  before.drop('id-2');
  expect(before.takeUp(mia)).toEqual([]); // given by this page, which sends it itself

  const after = createWaitingCommands(storage);
  expect(after.takeUp(mia)).toEqual([said(1), said(3)]);
  expect(after.takeUp(mia)).toEqual([]);
  // Until there is an answer, the next reload finds it again.
  after.drop('id-1');
  expect(createWaitingCommands(storage).takeUp(mia)).toEqual([said(3)]);
});

test('[PAGE-143] what somebody gave is found by nobody else and on no other board, and stays for them', () => {
  const storage = storageOf();
  createWaitingCommands(storage).keep(mia, said(1));
  const after = createWaitingCommands(storage);
  expect([after.takeUp({ ...mia, actor: 'AGENT-operator' }), after.takeUp({ ...mia, board: 'board-2' })]).toEqual([[], []]);
  after.keep({ ...mia, actor: 'AGENT-operator' }, said(2));
  expect(createWaitingCommands(storage).takeUp(mia)).toEqual([said(1)]);
});

test('[PAGE-144] what has no room is not kept, and what was kept before it is', () => {
  const storage = storageOf();
  const waiting = createWaitingCommands(storage);
  expect([waiting.keep(mia, said(1)), waiting.keep(mia, said(2, 'x'.repeat(1_000_000)))]).toEqual([true, false]);
  expect([waiting.has('id-1'), waiting.has('id-2')]).toEqual([true, false]);
  expect(createWaitingCommands(storage).takeUp(mia)).toEqual([said(1)]);

  const full = createWaitingCommands(storageOf(10));
  expect([full.keep(mia, said(1)), full.has('id-1')]).toEqual([false, false]);
});

test.each(['', 'no JSON', '{}', '[1, null, {"messageId": 7}]'])('[PAGE-140] a storage that holds %j has nothing that waits', (text) => {
  const storage = storageOf();
  storage.setItem(WAITING_KEY, text);
  expect(createWaitingCommands(storage).takeUp(mia)).toEqual([]);
});

test('[PAGE-141] of every command that the log keeps by its message id it is written down whether it outlives a reload', () => {
  const commands = Object.values<Operation>(REGISTRY).filter(({ input }) => Object.hasOwn(input.shape, 'message_id'));
  const decided = commands.filter(({ name }) => isBoardCommand(name) && isKeptCommand(name) !== 'lost' in BOARD_OPERATIONS[name]);
  expect(decided.map(({ name }) => name)).toEqual(commands.map(({ name }) => name));
  expect(commands.filter(({ name }) => !isKeptCommand(name)).map(({ name }) => name)).toEqual([
    'media_uploaded',
    'claim_validate',
    'validation_config',
    'agent_register',
    'agent_token',
    'agent_retire',
    'agent_presence',
    'agent_runtime',
    'agents_rest',
    'seat_cancel',
    'seat_stop',
    'seat_restart',
    'budget_grant',
    'permission_answer',
    'permission_rule',
    'permission_revoke',
  ]);
});

test.each(Object.values<Operation>(BOARD_OPERATIONS).filter(({ name }) => isKeptCommand(name)))(
  '[PAGE-142] what somebody wrote in $name is found again',
  ({ name, input }) => {
    expect([...Object.keys(input.shape), null]).toContain(isKeptCommand(name) ? keptLookOf(name).text : undefined);
  },
);
