import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ENTRY_TYPES } from '@yarnboard/domain';
import type { TurnStatus } from '@yarnboard/transcript';
import { expect, test } from 'vitest';
import { createMapperStates, NOTHING_SEEN } from '../../src/sessions/envelopes/mapper-states.ts';
import { tellSession } from '../../src/sessions/envelopes/replay.ts';
import { createTurnKeeper, type TurnKeeperOptions } from '../../src/followers/turns.ts';
import { makeBoard, type TestBoard } from '../operations/boards.ts';

const SESSION = '11111111-1111-4111-8111-111111111111';
const FILE = `projects/p/${SESSION}.jsonl`;
const NOON = Date.UTC(2026, 0, 1, 12);

type Line = Readonly<Record<string, unknown>>;
const lineOf = (type: 'user' | 'assistant', uuid: string, message: object): Line => ({
  type,
  uuid,
  timestamp: new Date(NOON).toISOString(),
  sessionId: SESSION,
  message: { role: type, ...message },
});
const asked = (uuid: string): Line => lineOf('user', uuid, { content: 'Hello' });
const said = (uuid: string, stopReason: string | null): Line =>
  lineOf('assistant', uuid, { id: `m-${uuid}`, content: [{ type: 'text', text: 'Hi.' }], stop_reason: stopReason });
const used = (uuid: string): Line =>
  lineOf('assistant', uuid, { id: `m-${uuid}`, content: [{ type: 'tool_use', id: 't', name: 'Bash', input: {} }] });

/** How the turns of the session ended, as a client would see it. */
const endsIn = async ({ board: { store } }: TestBoard): Promise<readonly TurnStatus[]> => {
  const ends: TurnStatus[] = [];
  for await (const { envelopes } of tellSession(store, createMapperStates(), SESSION, NOTHING_SEEN)) {
    for (const { ev } of envelopes) if (ev.t === 'turn-end') ends.push(ev.status);
  }
  return ends;
};

const keep = async (lines: readonly Line[], options: Partial<TurnKeeperOptions> = {}) => {
  const at = await makeBoard({ files: { [FILE]: lines } });
  let clock = NOON + 1000;
  const faults: unknown[] = [];
  const make = () =>
    createTurnKeeper({
      store: at.board.store,
      states: createMapperStates(),
      append: at.board.writer.append,
      now: () => clock,
      keeperOf: () => null,
      onFault: (cause) => faults.push(cause),
      settleAfter: 5,
      ...options,
    });
  /** Has the turns looked at; waits until one is closed, or for a moment where all must be left alone. */
  const look = async (closes: 'closes' | 'leaves' = 'leaves'): Promise<void> => {
    const keeper = make();
    await keeper.lookBack();
    if (closes === 'closes') await expect.poll(async () => (await at.board.store.log.head()).count, { interval: 20 }).toBeGreaterThan(lines.length);
    else await sleep(300);
    await keeper.close();
    expect(faults).toEqual([]);
  };
  return {
    at,
    look,
    pass: (milliseconds: number) => {
      clock += milliseconds;
    },
  };
};

test('[TURN-1] a turn that the model said is over is closed as completed, once', async () => {
  const { at, look } = await keep([asked('a'), said('b', 'end_turn')]);
  await look('closes');
  expect(await endsIn(at)).toEqual(['completed']);
  await look();
  expect(await at.board.store.log.positionsOfType(ENTRY_TYPES.turnClosed)).toHaveLength(1);
});

test('[TURN-2] a turn in which nothing was said to be over stays open while something may come, and is closed when nothing came for long', async () => {
  const { at, look, pass } = await keep([asked('a'), used('b')]);
  await look();
  expect(await endsIn(at)).toEqual([]);
  pass(31 * 60_000);
  await look('closes');
  expect(await endsIn(at)).toEqual(['cancelled']);
});

test('[TURN-2] a text without any reason is not closed at once, and counts as completed after long silence', async () => {
  const { at, look, pass } = await keep([asked('a'), said('b', null)]);
  await look();
  expect(await endsIn(at)).toEqual([]);
  pass(31 * 60_000);
  await look('closes');
  expect(await endsIn(at)).toEqual(['completed']);
});

test('[TURN-3] whoever runs a session closes it himself: a run always, a launch when it ends', async () => {
  const run = await keep([asked('a'), said('b', 'end_turn')], { keeperOf: () => 'run' });
  await run.look();
  expect(await endsIn(run.at)).toEqual([]);
  const launch = await keep([asked('a'), used('b')], { keeperOf: () => 'launch' });
  launch.pass(31 * 60_000);
  await launch.look();
  expect(await endsIn(launch.at)).toEqual([]);
});

test('[TURN-4] a session that was quiet for days is left as it is', async () => {
  const { at, look, pass } = await keep([asked('a'), used('b')]);
  pass(3 * 24 * 60 * 60_000);
  await look();
  expect(await at.board.store.log.positionsOfType(ENTRY_TYPES.turnClosed)).toEqual([]);
});

test('[TURN-4] whoever asks for the envelopes of such a session gets the end that its last records suggest, on whichever page it falls', async () => {
  const { at } = await keep([asked('a'), used('b')]);
  const { items } = await at.get('envelopes', { id: SESSION });
  const told = items.map(({ content }) => content.data.ev.t);
  expect(told).toEqual(['text', 'turn-start', 'tool-call-start', 'tool-call-end', 'turn-end']);
  expect(items.at(-1)?.content.data.ev).toMatchObject({ t: 'turn-end', status: 'cancelled' });
  const paged: string[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await at.get('envelopes', { id: SESSION, limit: 1, cursor });
    paged.push(...page.items.map(({ content }) => content.data.ev.t));
    if (page.next_cursor === null) break;
    cursor = page.next_cursor;
  }
  expect(paged).toEqual(told);
});

test('[TURN-2] however many sessions were left behind, all are closed', async () => {
  const count = 600;
  const ids = Array.from({ length: count }, (_, n) => `22222222-2222-4222-8222-${String(n).padStart(12, '0')}`);
  const files = Object.fromEntries(ids.map((id) => [`projects/p/${id}.jsonl`, [{ ...used(`u-${id}`), sessionId: id }]]));
  const at = await makeBoard({ files });
  const keeper = createTurnKeeper({
    store: at.board.store,
    states: createMapperStates(),
    append: at.board.writer.append,
    now: () => NOON + 31 * 60_000,
    keeperOf: () => null,
    onFault: (cause) => expect(cause).toBeNull(),
  });
  await keeper.lookBack();
  await expect.poll(async () => (await at.board.store.log.positionsOfType(ENTRY_TYPES.turnClosed)).length, { interval: 100 }).toBe(count);
  await keeper.close();
  const [first] = await at.board.store.log.positionsOfType(ENTRY_TYPES.turnClosed);
  // It ended when the last thing was said, not when that was noticed.
  expect((await at.board.store.log.entryAt(first ?? 0))?.timestamp).toBe(NOON);
});

test('[TURN-4] a session of long ago that turns up while the server runs gets no entry', async () => {
  const at = await makeBoard({ files: {} });
  let clock = NOON + 40 * 24 * 60 * 60_000;
  const keeper = createTurnKeeper({
    store: at.board.store,
    states: createMapperStates(),
    append: at.board.writer.append,
    now: () => clock,
    keeperOf: () => null,
    onFault: (cause) => expect(cause).toBeNull(),
    settleAfter: 5,
  });
  await keeper.lookBack();
  const folder = join(at.folder, 'later/projects/p');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${SESSION}.jsonl`), [asked('a'), said('b', 'end_turn')].map((line) => `${JSON.stringify(line)}\n`).join(''));
  // Copied just now, as its file says: nobody spoke in it.
  const meta = join(folder, SESSION, 'subagents/agent-a1.meta.json');
  mkdirSync(dirname(meta), { recursive: true });
  writeFileSync(meta, '{"agentType":"Explore","description":"looks"}');
  utimesSync(meta, clock / 1000, clock / 1000);
  await at.board.writer.importPaths([folder]);
  keeper.wake();
  clock += 31 * 60_000;
  await new Promise((resolve) => {
    setTimeout(resolve, 300);
  });
  await keeper.close();
  expect((await at.board.store.log.head()).count).toBe(3);
});
