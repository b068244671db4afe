import { ENTRY_TYPES, linkKey, OPERATOR, type Board, type Command } from '@yarnboard/domain';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createWorld, type World } from '../../../domain/test/board/world.ts';
import { createBoardReplica, type BoardReplica } from '../../src/live/board-replica.ts';
import { compared, live, openPage, playFrom, rowsFrom, toldOf } from './board-stage.ts';

const anySeed = fc.integer({ min: 0, max: 2 ** 31 });

const spawn = (task: string): Command => ({ type: 'sidebar.spawn', origin: { kind: 'none' }, task });
const say = (sidebar: string, content: string): Command => ({ type: 'chat.say', sidebar, content });

/** A board with two sidebars, and a replica that has heard of nothing. */
const two = (): { readonly world: World; readonly replica: BoardReplica; readonly run: (command: Command) => void; readonly hear: () => void } => {
  const world = createWorld();
  const replica = createBoardReplica(3);
  let heard = 0;
  const run = (command: Command): void => expect(world.perform(command, OPERATOR)).toMatchObject({ ok: true });
  run(spawn('the first'));
  run(spawn('the second'));
  heard = world.log.length;
  return {
    world,
    replica,
    run,
    hear: () => {
      for (; heard < world.log.length; heard += 1) {
        const event = world.log[heard];
        if (event !== undefined) replica.take(toldOf(event));
      }
    },
  };
};

const tasksIn = (board: Board): readonly string[] => [...board.sidebars.entries()].map(([, { task }]) => task);
const messagesIn = (board: Board): readonly number[] => [...board.sidebars.entries()].map(([, { messages }]) => messages);

describe('the replica of the board', () => {
  test('[PAGE-190] loaded in parts at any moment, whatever is on its way, its rows are those of the whole fold', () => {
    fc.assert(
      fc.property(anySeed, fc.constantFrom(1, 1000, 10_000, 100_000), fc.integer({ min: 0, max: 250 }), (seed, most, before) => {
        const play = playFrom(seed, before);
        const page = openPage(play, most, 40);
        for (let n = 0; n < 120; n += 1) live(play, page);
        page.settleDown();
        const { found, expected } = compared(play, page);
        expect(found).toEqual(expected);
      }),
    );
  });

  test('[WIRE-41] after a restore it begins anew: a part that stands further in front is taken, and what is told from there on', () => {
    const { world, replica, run, hear } = two();
    const restored = createWorld();
    expect(restored.perform(spawn('of the copy'), OPERATOR)).toMatchObject({ ok: true });
    replica.load(rowsFrom(world, {}, OPERATOR.id));
    for (const text of ['one', 'two', 'three', 'four', 'five']) run(say('SB-1', text));
    hear();
    expect(tasksIn(replica.board()).toSorted()).toEqual(['the first', 'the second']);
    replica.restart();
    expect(replica.load(rowsFrom(restored, {}, OPERATOR.id))).toBe('taken');
    const before = restored.log.length;
    expect(restored.perform(spawn('after it'), OPERATOR)).toMatchObject({ ok: true });
    for (const event of restored.log.slice(before)) expect(replica.take(toldOf(event))).toBe('taken');
    expect(tasksIn(replica.board()).toSorted()).toEqual(['after it', 'of the copy']);
  });

  test('[PAGE-190] a part that is newer than what was told waits for that; one that is older is brought forward, or asked for again', async () => {
    const { world, replica, run, hear } = two();
    const first = rowsFrom(world, { sidebars: 'SB-1' }, OPERATOR.id);
    const second = rowsFrom(world, { sidebars: 'SB-2' }, OPERATOR.id);
    expect(replica.load(first)).toBe('taken');
    run(say('SB-1', 'one'));
    const newer = rowsFrom(world, { sidebars: 'SB-1' }, OPERATOR.id);
    expect(replica.load(newer)).toBe('waits');
    const taken = replica.whenTaken();
    expect([messagesIn(replica.board()), replica.position()]).toEqual([[0], 4]);
    hear();
    await taken;
    expect([messagesIn(replica.board()), replica.position()]).toEqual([[1], 5]);
    run(say('SB-1', 'two'));
    run(say('SB-2', 'three'));
    hear();
    expect(replica.wants()).toEqual([world.board.ids.get('SB-2')]);
    // Five events in front of it: the newer part has taken the place of what it would be brought forward from.
    expect(replica.load(second)).toBe('reload');
    expect(replica.load(rowsFrom(world, { sidebars: 'SB-2' }, OPERATOR.id))).toBe('taken');
    expect([messagesIn(replica.board()), replica.wants()]).toEqual([[2, 1], []]);
    expect(replica.has('SB-2')).toBe(true);
  });

  test('[PAGE-190] parts that are as old as any of the latest events are brought forward; older ones are asked for again', () => {
    const { world, replica, run, hear } = two();
    const parts = [rowsFrom(world, { sidebars: 'SB-2' }, OPERATOR.id)];
    expect(replica.load(rowsFrom(world, { sidebars: 'SB-1' }, OPERATOR.id))).toBe('taken');
    for (const content of ['one', 'two', 'three', 'four']) {
      run(say('SB-2', content));
      parts.push(rowsFrom(world, { sidebars: 'SB-2' }, OPERATOR.id));
    }
    hear();
    expect(parts.map((rows) => replica.load(rows))).toEqual(['reload', 'taken', 'taken', 'taken', 'taken']);
    expect(messagesIn(replica.board())).toEqual([0, 4]);
  });

  test('[PAGE-190] a name that stands for nothing is not asked for for ever', () => {
    const { world, replica, hear, run } = two();
    replica.load(rowsFrom(world, { sidebars: 'SB-1' }, OPERATOR.id));
    run(say('SB-2', 'one'));
    hear();
    const [id = ''] = replica.wants();
    replica.load({ ...rowsFrom(world, { sidebars: 'SB-1' }, OPERATOR.id), unknown: [id] });
    run(say('SB-2', 'two'));
    hear();
    expect(replica.wants()).toEqual([]);
  });

  test('[PAGE-190] that a sidebar which is not here goes on is known where it was awaited', () => {
    const { world, replica, run, hear } = two();
    run({ type: 'sidebar.wait', sidebar: 'SB-1', waitingFor: 'the other one', dependencies: ['SB-2'] });
    hear();
    const [first = '', second = ''] = ['SB-1', 'SB-2'].map((ref) => world.board.ids.get(ref) ?? '');
    const awaited = (board: Board): readonly string[] | undefined => board.links.get(linkKey('waiting', second));
    replica.load(rowsFrom(world, { sidebars: 'SB-2', most: 1 }, OPERATOR.id));
    expect([replica.has('SB-1'), awaited(replica.board())]).toEqual([false, [first]]);
    run({ type: 'sidebar.resume', sidebar: 'SB-1' });
    hear();
    expect(replica.wants().toSorted()).toEqual([first, second].toSorted());
    replica.load(rowsFrom(world, { sidebars: replica.wants().join(',') }, OPERATOR.id));
    expect([replica.wants(), awaited(replica.board())]).toEqual([[], []]);
  });

  test('[PAGE-190] sidebars that are only named by others are called by their references', () => {
    const { world, replica, run } = two();
    run({ type: 'sidebar.spawn-child', sidebar: 'SB-1', upTo: null, task: 'a child' });
    const id = world.board.ids.get('SB-3') ?? '';
    replica.load(rowsFrom(world, { sidebars: 'SB-1', most: 1 }, OPERATOR.id));
    expect([replica.has('SB-3'), replica.refOf(id), replica.refOf('nobody')]).toEqual([false, 'SB-3', null]);
  });

  test('[PAGE-191] what is told again changes nothing', () => {
    fc.assert(
      fc.property(anySeed, fc.integer({ min: 1, max: 200 }), (seed, events) => {
        const play = playFrom(seed, 30);
        const page = openPage(play, 100_000);
        for (let n = 0; n < 30; n += 1) live(play, page);
        page.settleDown();
        const version = page.replica.version();
        page.comeBack(events);
        expect(page.replica.version()).toBe(version);
        const { found, expected } = compared(play, page);
        expect(found).toEqual(expected);
      }),
    );
  });

  test('[PAGE-191] what was forgotten makes it load anew, and no part that may still have it is taken', () => {
    const { world, replica, run, hear } = two();
    const before = rowsFrom(world, {}, OPERATOR.id);
    replica.load(before);
    run(say('SB-1', 'one'));
    hear();
    expect(replica.pass({ seq: 6, entryType: ENTRY_TYPES.line })).toBe('taken');
    expect(replica.pass({ seq: 7, entryType: ENTRY_TYPES.forgotten })).toBe('reload');
    expect(replica.pass({ seq: 8, entryType: ENTRY_TYPES.forgotten })).toBe('taken'); // it was said before
    expect(tasksIn(replica.board())).toEqual(['the second', 'the first']);
    const after = { ...rowsFrom(world, { sidebars: 'SB-2' }, OPERATOR.id), through: 8 };
    expect([before, { ...after, forgotten: 7 }, { ...after, forgotten: 8 }].map(replica.load)).toEqual(['reload', 'reload', 'taken']);
    expect([tasksIn(replica.board()), replica.position()]).toEqual([['the second'], 8]);
    // Told again after the connection was lost: the rows know of it.
    expect(replica.pass({ seq: 8, entryType: ENTRY_TYPES.forgotten })).toBe('taken');
  });

  test('[PAGE-191] an entry of the board whose payload is gone cannot be folded: it loads anew', () => {
    const { world, replica, run, hear } = two();
    replica.load(rowsFrom(world, {}, OPERATOR.id));
    expect(replica.pass({ seq: 2, entryType: 'sidebar.spawned' })).toBe('taken'); // the rows have it
    run(say('SB-1', 'one'));
    expect(replica.pass({ seq: 5, entryType: 'chat.message' })).toBe('reload');
    expect(replica.load(rowsFrom(world, {}, OPERATOR.id))).toBe('taken');
    run(say('SB-1', 'two'));
    hear();
    expect([messagesIn(replica.board()), replica.position()]).toEqual([[2, 0], 6]);
  });

  test('[PAGE-191] an event that cannot be folded makes it load anew', () => {
    const { world, replica, run } = two();
    replica.load(rowsFrom(world, {}, OPERATOR.id));
    run({ type: 'sidebar.archive', sidebar: 'SB-1' });
    for (const event of world.log.slice(4).map(toldOf)) {
      const isKnown = event.type !== 'sidebar.archived';
      expect(replica.take(isKnown ? event : { ...event, payload: {} as never })).toBe(isKnown ? 'taken' : 'reload'); // of another version
    }
    expect(replica.load(rowsFrom(world, {}, OPERATOR.id))).toBe('taken');
  });

  test('[PAGE-190] whoever listens is told of every change', () => {
    const { world, replica, run, hear } = two();
    const versions: number[] = [];
    const stop = replica.subscribe(() => versions.push(replica.version()));
    replica.load(rowsFrom(world, {}, OPERATOR.id));
    run(say('SB-1', 'one'));
    hear();
    stop();
    run(say('SB-1', 'two'));
    hear();
    expect(versions).toEqual([1, 2]);
  });
});
