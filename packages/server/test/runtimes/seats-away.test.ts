import { randomUUID } from 'node:crypto';
import { seatRunOf, SYSTEM, type Command } from '@yarnboard/domain';
import { expect, test } from 'vitest';
import { createInstanceTokens } from '../../src/runtimes/instance-tokens.ts';
import type { Runtime } from '../../src/runtimes/port.ts';
import type { SeatServer } from '../../src/runtimes/seat-holds.ts';
import { createSeatPermissions } from '../../src/runtimes/seat-permissions.ts';
import { createSeats, type Seats } from '../../src/runtimes/seats.ts';
import { makeBoard, type TestBoard } from '../operations/boards.ts';
import { equip, SETTINGS, spawn } from './seat-stage.ts';

/** What a program hears is no commit, so this looks again and again. */
const until = async (look: () => true | null): Promise<void> => {
  while (look() === null) await new Promise((resolve) => setTimeout(resolve, 5));
};

type Stage = {
  readonly made: TestBoard;
  readonly seats: Seats;
  readonly say: (sidebar: string, content: string) => Promise<unknown>;
  readonly heardIn: (sidebar: string) => readonly string[];
  /** Ends the turn that waits. */
  readonly goOn: () => void;
  readonly idOf: (sidebar: string) => string;
  readonly execute: (command: Command) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** One process for all seats, whose turns end at once unless they are told to wait. */
const stageWith = async (server: SeatServer | null): Promise<Stage> => {
  const made = await makeBoard({ settings: SETTINGS, isImported: false });
  const { engine } = made.board;
  const heard: { readonly sidebar: string; readonly text: string }[] = [];
  const faults: unknown[] = [];
  const ids = new Map<string, string>();
  let goOn = (): void => {};
  const runtime: Runtime = {
    name: 'echo',
    start: ({ sidebarRef, place }, hear) => {
      ids.set(sidebarRef, place.sidebarId);
      queueMicrotask(() => hear({ kind: 'ready', name: 'here', version: null }));
      return {
        pid: null,
        turn: (turnId, events) => {
          heard.push(...events.map(({ text }) => ({ sidebar: sidebarRef, text })));
          const end = (): void => hear({ kind: 'turn-ended', turnId, status: 'completed', text: null, why: null });
          if (events.some(({ text }) => text.includes('wait here'))) goOn = end;
          else queueMicrotask(end);
        },
        tell: (_, { text }) => void heard.push({ sidebar: sidebarRef, text }),
        answer: () => {},
        permit: () => {},
        cancel: () => {},
        stop: () => {
          hear({ kind: 'died', why: 'stopped' });
          return Promise.resolve();
        },
      };
    },
  };
  const seats = createSeats({
    engine,
    settings: SETTINGS.runtimes,
    runtimeOf: () => runtime,
    tokens: createInstanceTokens(),
    permissions: createSeatPermissions({ engine, newId: randomUUID, isProtected: () => null }),
    homeMark: randomUUID(),
    server,
    mostProcesses: 1,
    append: () => Promise.resolve([]),
    perform: () => Promise.reject(new Error('nothing is asked here')),
    problemOf: (cause) => ({ code: 'problem', detail: String(cause) }),
    url: () => null,
    version: '0',
    folder: made.folder,
    now: Date.now,
    newId: randomUUID,
    after: (ms, work) => {
      const timer = setTimeout(work, ms);
      return () => clearTimeout(timer);
    },
    onFault: (cause) => faults.push(cause),
  });
  await seats.start();
  return {
    made,
    seats,
    say: (sidebar, content) => made.command('chat_message', { sidebar_id: sidebar, content }),
    heardIn: (sidebar) => heard.flatMap((one) => (one.sidebar === sidebar ? [one.text] : [])),
    goOn: () => goOn(),
    idOf: (sidebar) => ids.get(sidebar) ?? '',
    execute: async (command) => {
      expect((await engine.execute({ command, actor: SYSTEM, messageId: randomUUID(), client: 'yarnboard' })).kind).not.toBe('rejected');
    },
    close: async () => {
      await seats.close();
      expect(faults).toEqual([]);
      await made.close();
    },
  };
};

/** Two sidebars: the seat of the first has made room for that of the second, which is in a turn. */
const withOneAway = async (stage: Stage): Promise<readonly [away: string, busy: string]> => {
  const { made, heardIn, say, seats, idOf } = stage;
  const isIdle = (sidebar: string) => (): true | null => ((seats.live('AGENT-echo', idOf(sidebar))?.idleSince() ?? null) === null ? null : true);
  await equip(made, 'echo', { responds_to: 'all' });
  const away = await spawn(made, 'one', ['echo']);
  await until(() => (heardIn(away).length === 1 ? isIdle(away)() : null));
  const busy = await spawn(made, 'two', ['echo']);
  await until(() => (heardIn(busy).length === 1 ? isIdle(busy)() : null));
  await say(busy, 'wait here');
  await until(() => (heardIn(busy).length === 2 ? true : null));
  return [away, busy];
};

const agent = 'AGENT-echo';

test('[RT-75] [RT-66] a seat that comes back from another server does not hear again what it was told there', async () => {
  const stage = await stageWith({ id: 'here', host: 'here', isGone: () => false });
  const { made, say, heardIn, idOf, execute } = stage;
  const { engine } = made.board;
  const [away] = await withOneAway(stage);
  const sidebar = idOf(away);
  const told = async (turn: string): Promise<void> => {
    const rest = { isAgain: false, usage: null, model: null, why: null, briefing: null } as const;
    const upTo = engine.position();
    for (const status of ['begun', 'completed'] as const) await execute({ type: 'turn.tell', sidebar, agent, turn, status, upTo, ...rest });
  };
  // There is no room for it, so another server may take it.
  await say(away, 'the first word');
  await until(() => (seatRunOf(engine.board(), agent, sidebar)?.heldBy === null ? true : null));
  await execute({ type: 'seat.hold', sidebar, agent, server: 'there', host: 'there', from: null });
  await told('turn-there-1');
  await say(away, 'the second word');
  await told('turn-there-2');
  await execute({ type: 'seat.hold', sidebar, agent, server: null, host: null, from: 'there' });
  stage.goOn();
  await say(away, 'the third word');
  await until(() => (heardIn(away).includes('the third word') ? true : null));
  expect(heardIn(away).slice(1)).toEqual(['the third word']);
  await stage.close();
});

test.each(['seat_restart', 'seat_cancel'] as const)(
  '[RT-75] [RT-18] %s of a seat that waits for a process loses nothing it was to hear',
  async (call) => {
    const stage = await stageWith(null);
    const { made, say, heardIn } = stage;
    const [away] = await withOneAway(stage);
    await say(away, 'the first word');
    await made.command(call, { sidebar_id: away, agent_id: 'echo' });
    stage.goOn();
    await until(() => (stage.seats.live(agent, stage.idOf(away)) === null ? null : true));
    await say(away, 'the last word');
    await until(() => (heardIn(away).includes('the last word') ? true : null));
    expect(heardIn(away).slice(1)).toEqual(['the first word', 'the last word']);
    await stage.close();
  },
);

test('[RT-76] what is said while a seat that responds to everything changes servers is heard once, in order, when it is back', async () => {
  const stage = await stageWith({ id: 'here', host: 'here', isGone: () => false });
  const { made, say, heardIn, idOf, execute } = stage;
  const { engine } = made.board;
  await equip(made, 'echo', { responds_to: 'all' });
  const place = await spawn(made, 'one', ['echo']);
  await until(() => (heardIn(place).length === 1 ? true : null));
  const sidebar = idOf(place);
  await say(place, 'heard at once');
  await until(() => (heardIn(place).length === 2 ? true : null));
  const isGone = (): true | null => (stage.seats.live(agent, sidebar) === null ? true : null);

  await execute({ type: 'seat.hold', sidebar, agent, server: 'there', host: 'there', from: 'here' });
  await until(isGone);
  await say(place, 'told there');
  const rest = { isAgain: false, usage: null, model: null, why: null, briefing: null } as const;
  for (const status of ['begun', 'completed'] as const)
    await execute({ type: 'turn.tell', sidebar, agent, turn: 'turn-there', status, upTo: engine.position(), ...rest });
  await say(place, 'the first word between');
  await say(place, 'the second word between');
  await execute({ type: 'seat.hold', sidebar, agent, server: null, host: null, from: 'there' });
  await say(place, 'while it comes back');
  await until(() => (heardIn(place).includes('while it comes back') ? true : null));
  await say(place, 'the last word');
  await until(() => (heardIn(place).includes('the last word') ? true : null));
  expect(heardIn(place).slice(2)).toEqual(['the first word between', 'the second word between', 'while it comes back', 'the last word']);
  await stage.close();
});

test('[RT-76] [RT-17] what is said while it rests is heard once when it goes on', async () => {
  const stage = await stageWith(null);
  const { made, say, heardIn } = stage;
  await equip(made, 'echo', { responds_to: 'all' });
  const place = await spawn(made, 'one', ['echo']);
  await until(() => (heardIn(place).length === 1 ? true : null));
  await made.command('agents_rest', { agent_id: 'echo', resting: true });
  await until(() => (stage.seats.live(agent, stage.idOf(place)) === null ? true : null));
  for (const words of ['one', 'two', 'three']) await say(place, words);
  await made.command('agents_rest', { agent_id: 'echo', resting: false });
  await until(() => (heardIn(place).includes('three') ? true : null));
  await say(place, 'four');
  await until(() => (heardIn(place).includes('four') ? true : null));
  expect(heardIn(place).slice(1)).toEqual(['one', 'two', 'three', 'four']);
  await stage.close();
});
