import { describe, expect, test } from 'vitest';
import { canMove, contextIdOfSidebar, evolve, movesFrom, STATUSES, type Command, type Recorded, type Status } from '../../src/index.ts';
import { given, payloadsOf, type Stage } from '../board/given.ts';

const TABLE: Readonly<Record<Status, readonly Status[]>> = {
  ACTIVE: ['PAUSED', 'WAITING', 'SPAWNING_CHILD', 'REVIEWING', 'CONSOLIDATING', 'FAILED', 'ARCHIVED'],
  TESTING: ['ACTIVE', 'ARCHIVED', 'FAILED'],
  PAUSED: ['ACTIVE', 'ARCHIVED'],
  WAITING: ['ACTIVE', 'FAILED', 'ARCHIVED'],
  REVIEWING: ['CONSOLIDATING', 'ACTIVE'],
  SPAWNING_CHILD: ['ACTIVE', 'WAITING'],
  CONSOLIDATING: ['MERGED', 'ACTIVE'],
  MERGED: ['ARCHIVED'],
  FAILED: ['ARCHIVED'],
  ARCHIVED: [],
};

/** How a sidebar comes to stand there. */
const REACHED: Readonly<Record<Status, (stage: Stage) => string>> = {
  ACTIVE: (stage) => stage.spawns(),
  TESTING: (stage) => stage.spawns({ isTesting: true }),
  PAUSED: (stage) => after(stage, (sidebar) => [{ type: 'sidebar.pause', sidebar, reason: 'lunch' }]),
  WAITING: (stage) => after(stage, (sidebar) => [{ type: 'sidebar.wait', sidebar, waitingFor: 'ben' }]),
  REVIEWING: (stage) => after(stage, (sidebar) => [{ type: 'sidebar.move', sidebar, to: 'REVIEWING' }]),
  // Nobody ever sees one that is: the next event of the same command moves it on.
  SPAWNING_CHILD: (stage) => {
    const sidebar = stage.spawns();
    const { id } = stage.sidebar(sidebar);
    const last = stage.world.log.at(-1);
    evolve(stage.world.board, {
      ...last,
      type: 'sidebar.moved',
      contextId: contextIdOfSidebar(id),
      payload: { from: 'ACTIVE', to: 'SPAWNING_CHILD', reason: null },
    } as Recorded); // type and payload belong together
    return sidebar;
  },
  CONSOLIDATING: (stage) => after(stage, (sidebar) => [{ type: 'sidebar.consolidate', sidebar }]),
  MERGED: (stage) => {
    const sidebar = stage.spawns();
    stage.merges(sidebar, { target: { kind: 'session', sessionId: 's' } });
    return sidebar;
  },
  FAILED: (stage) => after(stage, (sidebar) => [{ type: 'sidebar.move', sidebar, to: 'FAILED', reason: 'it broke' }]),
  ARCHIVED: (stage) => after(stage, (sidebar) => [{ type: 'sidebar.archive', sidebar }]),
};

const after = (stage: Stage, commands: (sidebar: string) => readonly Command[]): string => {
  const sidebar = stage.spawns();
  for (const command of commands(sidebar)) stage.does(command);
  return sidebar;
};

/** The command that makes a move. */
const MOVED_BY: Readonly<Record<Status, (sidebar: string) => Command>> = {
  ACTIVE: (sidebar) => ({ type: 'sidebar.move', sidebar, to: 'ACTIVE', reason: 'it goes on' }),
  TESTING: (sidebar) => ({ type: 'sidebar.move', sidebar, to: 'TESTING' }),
  PAUSED: (sidebar) => ({ type: 'sidebar.pause', sidebar, reason: 'lunch' }),
  WAITING: (sidebar) => ({ type: 'sidebar.wait', sidebar, waitingFor: 'ben' }),
  REVIEWING: (sidebar) => ({ type: 'sidebar.move', sidebar, to: 'REVIEWING' }),
  SPAWNING_CHILD: (sidebar) => ({ type: 'sidebar.spawn-child', sidebar, upTo: null, task: 'look closer', isWaiting: true }),
  CONSOLIDATING: (sidebar) => ({ type: 'sidebar.consolidate', sidebar }),
  MERGED: (sidebar) => ({ type: 'sidebar.merge', sidebar, target: { kind: 'session', sessionId: 's' } }),
  FAILED: (sidebar) => ({ type: 'sidebar.move', sidebar, to: 'FAILED', reason: 'it broke' }),
  ARCHIVED: (sidebar) => ({ type: 'sidebar.archive', sidebar }),
};

const pairs = STATUSES.flatMap((from) => STATUSES.map((to) => ({ from, to })));
const allowed = pairs.filter(({ from, to }) => TABLE[from].includes(to));
// A package is put together again without a move.
const refused = pairs.filter(({ from, to }) => !TABLE[from].includes(to) && !(from === 'CONSOLIDATING' && to === 'CONSOLIDATING'));

describe('the table of moves', () => {
  test('[LIFE-1] is the one of the specification, for all hundred pairs', () => {
    expect(pairs.map(({ from, to }) => ({ from, to, isMove: canMove(from, to) }))).toEqual(
      pairs.map(({ from, to }) => ({ from, to, isMove: TABLE[from].includes(to) })),
    );
    expect(STATUSES.map((from) => movesFrom(from))).toEqual(STATUSES.map((from) => TABLE[from]));
  });

  test.each(allowed)('[LIFE-1] $from becomes $to', ({ from, to }) => {
    const stage = given();
    const sidebar = REACHED[from](stage);
    expect(stage.sidebar(sidebar).status).toBe(from);
    const isChecked = to === 'MERGED' ? stage.does({ type: 'merge.check', sidebar, isFit: true }) : [];
    const events = stage.does(MOVED_BY[to](sidebar));
    const passed = payloadsOf([...isChecked, ...events], 'sidebar.moved');
    const seen = to === 'SPAWNING_CHILD' ? passed : [{ to: stage.sidebar(sidebar).status }];
    expect(seen).toEqual([expect.objectContaining({ to })]);
  });

  test.each(refused)('[LIFE-2] $from does not become $to, and it is said what it can become', ({ from, to }) => {
    const stage = given();
    const sidebar = REACHED[from](stage);
    const { code, facts } = stage.refuses(MOVED_BY[to](sidebar));
    expect(['wrong-status', 'parent-ended']).toContain(code);
    expect(facts).toMatchObject({ sidebar, status: from });
    expect(stage.sidebar(sidebar).status).toBe(from);
  });

  test('[LIFE-2] the refusal of a move lists the moves there are', () => {
    const stage = given();
    const sidebar = REACHED.PAUSED(stage);
    expect(stage.refuses({ type: 'sidebar.move', sidebar, to: 'REVIEWING' })).toEqual({
      code: 'wrong-status',
      reason: 'no-such-move',
      facts: { sidebar: 'SB-1', status: 'PAUSED', to: 'REVIEWING', moves: ['ACTIVE', 'ARCHIVED'] },
    });
    stage.does({ type: 'sidebar.archive', sidebar });
    expect(stage.refuses({ type: 'sidebar.pause', sidebar, reason: 'x' }).facts).toMatchObject({ moves: [] });
  });

  const elsewhere: readonly (readonly [Status, string])[] = [
    ['WAITING', 'wait'],
    ['SPAWNING_CHILD', 'spawn'],
    ['CONSOLIDATING', 'consolidate'],
    ['ARCHIVED', 'archive'],
  ];
  test.each(elsewhere)('[LIFE-13] the move to %s has a command of its own, and the refusal names it', (to, move) => {
    const stage = given();
    expect(stage.refuses({ type: 'sidebar.move', sidebar: stage.spawns(), to })).toEqual({
      code: 'bad-request',
      reason: 'has-its-own-command',
      facts: { move },
    });
  });

  test('[LIFE-13] MERGED is reached by a merge, PAUSED also by a move with a reason, ACTIVE from PAUSED by a move is a resume', () => {
    const stage = given();
    const sidebar = REACHED.CONSOLIDATING(stage);
    expect(stage.refuses({ type: 'sidebar.move', sidebar, to: 'MERGED' })).toEqual({
      code: 'bad-request',
      reason: 'has-its-own-command',
      facts: { move: 'merge' },
    });
    stage.does({ type: 'sidebar.move', sidebar, to: 'ACTIVE', reason: 'it goes on' });
    expect(stage.doesKinds({ type: 'sidebar.move', sidebar, to: 'PAUSED', reason: 'lunch' })).toEqual(['sidebar.paused']);
    expect(stage.doesKinds({ type: 'sidebar.move', sidebar, to: 'ACTIVE' })).toEqual(['sidebar.resumed']);
  });
});
