import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LEVELS, NOTICE_KINDS, rowsOf, toldAt, type Command, type Notice } from '../../src/index.ts';
import { given, type Stage } from './given.ts';
import { anyCommand, beginning, randomFrom } from './histories.ts';
import { createWorld } from './world.ts';

type Case = {
  /** What came before; gives the sidebar it is about. */
  readonly before: (stage: Stage) => string;
  readonly command: (sidebar: string) => Command;
  readonly by?: string;
  /** Who hears what: level, and words. */
  readonly told: Readonly<Record<string, readonly [level: string, text: string]>>;
};

/** ada takes part, ben coordinates, cyd curates. */
const team = (stage: Stage, more = {}): string => stage.spawns({ participants: ['ada'], coordinator: 'ben', curator: 'cyd', ...more });

const packaged = (stage: Stage): string => {
  const sidebar = stage.spawnsChild(stage.spawns({ participants: ['ada', 'cyd'] }), { participants: ['ada'], coordinator: 'ben', curator: 'cyd' });
  stage.does({ type: 'sidebar.consolidate', sidebar }, { by: 'ada' });
  return sidebar;
};

const CASES: Readonly<Record<string, Case>> = {
  'put in a team': {
    before: () => 'SB-1',
    command: () => ({ type: 'sidebar.spawn', origin: { kind: 'none' }, task: 'Find it', participants: ['ada'], coordinator: 'ben', curator: 'ben' }),
    told: {
      'AGENT-ada': ['info', 'AGENT-operator added you to SB-1 as participant: Find it'],
      'AGENT-ben': ['info', 'AGENT-operator added you to SB-1 as coordinator and curator: Find it'],
    },
  },
  'made coordinator': {
    before: team,
    command: (sidebar) => ({ type: 'sidebar.change', sidebar, coordinator: 'ada' }),
    told: {
      'AGENT-ada': ['info', 'AGENT-operator asks you to coordinate SB-1'],
      'AGENT-ben': ['info', 'AGENT-ada coordinates SB-1 now, instead of you'],
    },
  },
  'made curator': {
    before: team,
    command: (sidebar) => ({ type: 'sidebar.change', sidebar, curator: 'ada' }),
    by: 'ben',
    told: {
      'AGENT-ada': ['info', 'AGENT-ben asks you to curate SB-1'],
      'AGENT-cyd': ['info', 'AGENT-ada curates SB-1 now, instead of you'],
    },
  },
  'joined by somebody': {
    before: (stage) => stage.spawns({ participants: ['ada'], isOpen: true }),
    command: (sidebar) => ({ type: 'agent.recruit', sidebar, agent: 'ben' }),
    by: 'ben',
    told: { 'AGENT-ada': ['info', 'AGENT-ben joined SB-1'], 'AGENT-operator': ['info', 'AGENT-ben joined SB-1'] },
  },
  'left by its coordinator': {
    before: (stage) => stage.spawns({ participants: ['ada', 'ben'], coordinator: 'ben', curator: 'ada' }),
    command: (sidebar) => ({ type: 'agent.leave', sidebar, agent: 'ben', reason: 'busy' }),
    by: 'ben',
    told: {
      'AGENT-ada': ['info', 'AGENT-ben left SB-1: busy'],
      'AGENT-operator': ['warning', 'you coordinate SB-1 now, since AGENT-ben left: busy'],
    },
  },
  'left by its curator': {
    before: (stage) => stage.spawns({ participants: ['ada', 'ben', 'cyd'], coordinator: 'ben', curator: 'cyd' }),
    command: (sidebar) => ({ type: 'agent.leave', sidebar, agent: 'cyd' }),
    by: 'cyd',
    told: {
      'AGENT-ada': ['info', 'AGENT-cyd left SB-1'],
      'AGENT-ben': ['warning', 'you curate SB-1 now, since AGENT-cyd left'],
      'AGENT-operator': ['info', 'AGENT-cyd left SB-1'],
    },
  },
  'left by whoever coordinates and curates': {
    before: (stage) => stage.spawns({ participants: ['ada', 'ben'], coordinator: 'ben', curator: 'ben' }),
    command: (sidebar) => ({ type: 'agent.leave', sidebar, agent: 'ben' }),
    by: 'ben',
    told: {
      'AGENT-ada': ['info', 'AGENT-ben left SB-1'],
      'AGENT-operator': ['warning', 'you coordinate and curate SB-1 now, since AGENT-ben left'],
    },
  },
  'sent away': {
    before: (stage) => stage.spawns({ participants: ['ada', 'ben'] }),
    command: (sidebar) => ({ type: 'agent.leave', sidebar, agent: 'ben' }),
    told: { 'AGENT-ben': ['warning', 'AGENT-operator took you out of SB-1'], 'AGENT-ada': ['info', 'AGENT-ben left SB-1'] },
  },
  paused: {
    before: team,
    command: (sidebar) => ({ type: 'sidebar.pause', sidebar, reason: 'lunch', resumeCondition: 'two' }),
    by: 'ada',
    told: {
      'AGENT-operator': ['info', 'AGENT-ada paused SB-1: lunch; until two'],
      'AGENT-ben': ['info', 'AGENT-ada paused SB-1: lunch; until two'],
      'AGENT-cyd': ['info', 'AGENT-ada paused SB-1: lunch; until two'],
    },
  },
  waits: {
    before: team,
    command: (sidebar) => ({ type: 'sidebar.wait', sidebar, waitingFor: 'the build' }),
    told: Object.fromEntries(['AGENT-ada', 'AGENT-ben', 'AGENT-cyd'].map((agent) => [agent, ['info', 'SB-1 waits for the build']])),
  },
  'failed, and its parent': {
    before: (stage) => stage.spawnsChild(stage.spawns({ participants: ['cyd'] }), { participants: ['ada'], coordinator: 'ben' }),
    command: (sidebar) => ({ type: 'sidebar.move', sidebar, to: 'FAILED', reason: 'no access' }),
    by: 'ben',
    told: {
      'AGENT-ada': ['warning', 'SB-2 failed: no access'],
      'AGENT-operator': ['warning', 'SB-2 failed: no access'],
      'AGENT-cyd': ['warning', 'SB-2, which branched off SB-1, failed: no access'],
    },
  },
  'failed by its deadline': {
    before: (stage) => {
      const sidebar = team(stage);
      stage.does({ type: 'sidebar.wait', sidebar, waitingFor: 'the build', timeoutMs: 10 });
      stage.world.pass(1000);
      return sidebar;
    },
    command: (sidebar) => ({ type: 'sidebar.move', sidebar, to: 'FAILED', reason: 'its deadline has passed' }),
    by: 'system',
    told: Object.fromEntries(
      ['AGENT-operator', 'AGENT-ada', 'AGENT-ben', 'AGENT-cyd'].map((agent) => [agent, ['warning', 'SB-1 failed: its deadline has passed']]),
    ),
  },
  'archived, and its parent': {
    before: (stage) => stage.spawnsChild(stage.spawns({ participants: ['cyd'] }), { participants: ['ada'] }),
    command: (sidebar) => ({ type: 'sidebar.archive', sidebar, note: 'not needed' }),
    told: {
      'AGENT-ada': ['info', 'AGENT-operator archived SB-2 (manual): not needed'],
      'AGENT-cyd': ['info', 'SB-2, which branched off SB-1, was archived (manual)'],
    },
  },
  promoted: {
    before: (stage) => team(stage, { isTesting: true }),
    command: (sidebar) => ({ type: 'sidebar.move', sidebar, to: 'ACTIVE' }),
    by: 'ben',
    told: Object.fromEntries(
      ['AGENT-operator', 'AGENT-ada', 'AGENT-cyd'].map((agent) => [agent, ['info', 'AGENT-ben promoted SB-1 from a test to real work']]),
    ),
  },
  forked: {
    before: (stage) => {
      const sidebar = team(stage);
      stage.does({ type: 'sidebar.archive', sidebar });
      return sidebar;
    },
    command: (sidebar) => ({ type: 'sidebar.fork', sidebar, reason: 'again' }),
    told: Object.fromEntries(
      ['AGENT-ada', 'AGENT-ben', 'AGENT-cyd'].map((agent) => [agent, ['info', 'AGENT-operator forked SB-1 into SB-2: again']]),
    ),
  },
  'a package to check': {
    before: (stage) => team(stage),
    command: (sidebar) => ({ type: 'sidebar.consolidate', sidebar }),
    by: 'ada',
    told: { 'AGENT-cyd': ['escalate', 'SB-1 has a package to merge: please check it'] },
  },
  'a package found unfit': {
    before: packaged,
    command: (sidebar) => ({ type: 'merge.check', sidebar, isFit: false, notes: 'no evidence' }),
    by: 'cyd',
    told: {
      'AGENT-ada': ['warning', 'AGENT-cyd found the package of SB-2 unfit: no evidence'],
      'AGENT-ben': ['warning', 'AGENT-cyd found the package of SB-2 unfit: no evidence'],
    },
  },
  'a package to approve': {
    before: packaged,
    command: (sidebar) => ({ type: 'merge.check', sidebar, isFit: true }),
    by: 'cyd',
    told: { 'AGENT-ben': ['escalate', 'the package of SB-2 was checked: please approve the merge'] },
  },
  'a package objected to by the parent': {
    before: (stage) => {
      const sidebar = stage.spawnsChild(stage.spawns({ participants: ['ada', 'cyd'] }), {
        participants: ['ada'],
        coordinator: 'ben',
        curator: 'ben',
      });
      stage.does({ type: 'sidebar.consolidate', sidebar }, { by: 'ada' });
      return sidebar;
    },
    command: (sidebar) => ({ type: 'merge.check', sidebar, isFit: false, notes: 'too early' }),
    by: 'cyd',
    told: {
      'AGENT-ada': ['warning', 'AGENT-cyd, of the parent, objects to what SB-2 would merge: too early'],
      'AGENT-ben': ['warning', 'AGENT-cyd, of the parent, objects to what SB-2 would merge: too early'],
    },
  },
  'a package sent back': {
    before: packaged,
    command: (sidebar) => ({ type: 'sidebar.move', sidebar, to: 'ACTIVE', reason: 'look again' }),
    by: 'ben',
    told: Object.fromEntries(
      ['AGENT-operator', 'AGENT-ada', 'AGENT-cyd'].map((agent) => [agent, ['warning', 'AGENT-ben sent SB-2 back to work: look again']]),
    ),
  },
  'stepped in for': {
    before: packaged,
    command: (sidebar) => ({ type: 'merge.check', sidebar, isFit: true }),
    told: {
      'AGENT-ben': ['escalate', 'the package of SB-2 was checked: please approve the merge'],
      'AGENT-cyd': ['info', 'AGENT-operator stepped in for you in SB-2: check what is to be merged'],
    },
  },
  retired: {
    before: (stage) => team(stage),
    command: () => ({ type: 'agent.retire', agent: 'ada' }),
    told: {
      'AGENT-ben': ['warning', 'AGENT-ada, who takes part in SB-1, was retired'],
      'AGENT-cyd': ['warning', 'AGENT-ada, who takes part in SB-1, was retired'],
    },
  },
};

const EACH = Object.entries(CASES);

describe('notices', () => {
  test.each(EACH)('[NOTE-1] %s: whom it concerns is told, how urgently and in which words', (_, { before, command, by, told }) => {
    const stage = given();
    const sidebar = before(stage);
    const seen = new Map([...stage.world.board.notices.entries()].map(([agent, all]) => [agent, all.length]));
    stage.does(command(sidebar), by === undefined ? {} : { by });
    const news = [...stage.world.board.notices.entries()].flatMap(([agent, all]) =>
      all.slice(seen.get(agent) ?? 0).map((notice) => [agent, notice] as const),
    );
    // Where two events tell somebody something, the first is what the case is about.
    expect(Object.fromEntries(news.toReversed().map(([agent, { level, text }]) => [agent, [level, text]]))).toEqual(told);
  });

  test('[NOTE-2] one event tells somebody one thing, and never whoever did it; each has its level, and references instead of ids', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const world = createWorld();
        for (const { command, actor } of beginning()) world.perform(command, actor);
        const scene = { board: world.board, random: randomFrom(seed), messages: [], exchanges: [], sessions: ['session-1'] };
        for (let step = 0; step < 60; step += 1) {
          const { command, actor } = anyCommand(scene);
          world.perform(command, actor);
          for (const [agent, all] of world.board.notices.entries()) {
            const positions = all.map(({ position }) => position);
            expect(new Set(positions).size).toBe(positions.length);
            expect(all.map(({ from }) => from)).not.toContain(agent);
            for (const notice of all) expectWellTold(notice);
            expect(toldAt(world.board, agent)).toEqual(positions);
          }
        }
      }),
      { numRuns: 15 },
    );
  });

  test('[NOTE-3] what was read is no longer told', () => {
    const stage = given();
    stage.spawns();
    const position = stage.world.board.notices.get('AGENT-ada')?.[0]?.position ?? 0;
    expect(toldAt(stage.world.board, 'AGENT-ada')).toEqual([position]);
    stage.does({ type: 'inbox.read', upTo: position }, { by: 'ada' });
    expect(toldAt(stage.world.board, 'AGENT-ada')).toEqual([]);
  });

  test('[NOTE-4] a decision that nobody is there for any more falls to the human', () => {
    const stage = given();
    const sidebar = team(stage);
    stage.does({ type: 'agent.retire', agent: 'ben' });
    stage.does({ type: 'sidebar.archive', sidebar }, { by: 'ada' });
    expect(stage.world.board.notices.get('AGENT-operator')?.map(({ kind, level }) => ({ kind, level }))).toEqual([
      { kind: 'proposal', level: 'escalate' },
    ]);
    expect(rowsOf(stage.world.board.notices).length).toBeGreaterThan(0);
  });
});

const expectWellTold = ({ kind, level, text, refs }: Notice): void => {
  expect(NOTICE_KINDS).toContain(kind);
  expect(LEVELS).toContain(level);
  expect(text).not.toMatch(/\bid-\d+\b/u);
  for (const ref of refs) expect(ref).toMatch(/^[A-Z]+-\w+/u);
};
