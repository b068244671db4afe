import assert from 'node:assert/strict';
import { startBoard, type Board } from './board.ts';
import type { Check, Scenario } from './checks.ts';
import { assertSameAfterwards, assertWellFormed, replayOf } from './envelope-rules.ts';
import type { CliVersion } from './programs.ts';
import { asRaw, asText } from './records.ts';
import type { Surroundings } from './surroundings.ts';
import { watch, type Seen, type Watcher } from './watcher.ts';

/** A board of its own for one scenario, and somebody who watches it from the start. */
export type Stage = { readonly board: Board; readonly watcher: Watcher; readonly check: Check };

export const staged = (
  surroundings: Surroundings,
  version: CliVersion,
  name: string,
  play: (stage: Stage) => Promise<void>,
  settings?: object,
): Scenario => ({
  name,
  play: async (check) => {
    const board = await startBoard(surroundings, name, version, settings);
    try {
      const watcher = await watch(board);
      try {
        await play({ board, watcher, check });
      } finally {
        watcher.close();
      }
    } finally {
      surroundings.model.releaseAll();
      await check('the board stops without a complaint', () => board.close());
    }
  },
});

/** What is checked of every session at its end. */
export const checkSession = async ({ board, watcher, check }: Stage, session: string): Promise<void> => {
  await check('asked afterwards, it is the same', () => assertSameAfterwards(board, () => watcher.of(session), session));
  await check('nothing is told twice, out of order or half', () => assertWellFormed(watcher, session));
  await check('no message is listed twice', async () => {
    const { status, body } = await board.get(`/sessions/${session}/messages?limit=500`);
    assert.equal(status, 200, JSON.stringify(body));
    const uuids = (Array.isArray(body['messages']) ? body['messages'] : []).map((message) => asText(asRaw(message)['uuid']));
    assert.notEqual(uuids.length, 0);
    assert.deepEqual(
      uuids.filter((uuid, i) => uuids.indexOf(uuid) !== i),
      [],
    );
  });
  await check('who comes later hears the same', async () => {
    const told = (seen: readonly Seen[]): readonly unknown[] => seen.map(({ seq, envelope }) => [seq, envelope.raw]);
    assert.deepEqual(told(await replayOf(board, session)), told(watcher.of(session)));
  });
};

/** The same of a fork: what it repeats of its source is told only to those who ask for it by name. */
export const checkFork = async ({ board, watcher, check }: Stage, fork: string): Promise<void> => {
  const whole = await replayOf(board, fork);
  await check('asked for by name, it has the history of its source and all that was told live', () => {
    const ids = new Set(whole.map(({ envelope }) => envelope.id));
    assert.ok(whole.length > watcher.of(fork).length);
    assert.ok(watcher.of(fork).every(({ envelope }) => ids.has(envelope.id)));
  });
  await check('asked afterwards, it is the same', () => assertSameAfterwards(board, () => whole, fork));
};

export const isText =
  (text: string) =>
  ({ envelope: { event, ev } }: Seen): boolean =>
    event === 'text' && ev['text'] === text;

export const isEvent =
  (event: string, whose: 'main' | 'agent' = 'main') =>
  ({ envelope }: Seen): boolean =>
    envelope.event === event && (envelope.subagent === null) === (whose === 'main');

/** The session in which a prompt was told, as soon as it is. */
export const sessionOfPrompt = async (watcher: Watcher, prompt: string): Promise<string> => {
  const { session } = await watcher.see(`the prompt "${prompt}"`, isText(prompt));
  assert.notEqual(session, '');
  return session;
};
