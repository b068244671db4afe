import { isEnded, OPERATOR, openConflicts, refOfFinding, refOfItem, rowsOf, type Actor, type Command } from '@yarnboard/domain';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCommand, beginning, randomFrom } from '../../../../domain/test/board/histories.ts';
import { given } from '../../../../domain/test/board/given.ts';
import { createWorld, type World } from '../../../../domain/test/board/world.ts';
import { inboxView } from '../../../src/operations/board/inbox.ts';

/** Something that somebody has to do, and the command with which they would. */
type Waiting = { readonly what: string; readonly act: Command };

const worldFrom = (seed: number, steps: number): World => {
  const random = randomFrom(seed);
  const world = createWorld();
  world.hear('session-1');
  for (const { command, actor } of beginning()) world.perform(command, actor);
  for (let n = 0; n < steps; n += 1) {
    const said = (type: string): readonly string[] => [...world.refs.keys()].filter((ref) => ref.startsWith(type));
    const { command, actor } = anyCommand({ board: world.board, random, messages: said('MSG-'), exchanges: said('EXCH-'), sessions: ['session-1'] });
    world.perform(command, actor);
  }
  return world;
};

const anyWorld = fc.tuple(fc.integer({ min: 0, max: 2 ** 31 }), fc.integer({ min: 20, max: 150 })).map(([seed, steps]) => worldFrom(seed, steps));

/** What waits on a board, as the rules for each of them say. */
const waitingOn = ({ board }: World): readonly Waiting[] => {
  const sidebars = rowsOf(board.sidebars).filter(({ status }) => !isEnded(status));
  const notes = 'looked at it';
  const findings = sidebars.flatMap((sidebar) =>
    sidebar.scratchpad.findings
      .filter(({ status, supersededBy, validatedBy }) => status === 'pending' && supersededBy === null && validatedBy === null)
      .map((finding): Waiting => ({
        what: refOfFinding(sidebar.ref, finding),
        act: { type: 'finding.validate', sidebar: sidebar.ref, finding: finding.id, status: 'rejected', notes },
      })),
  );
  const golds = rowsOf(board.golds)
    .filter(({ status, superseded }) => status === 'pending' && superseded === null)
    .map(({ ref }): Waiting => ({ what: ref, act: { type: 'gold.validate', gold: ref, status: 'rejected', notes } }));
  const packages = sidebars.flatMap(({ ref, status, merge, parent, mergeTarget }): readonly Waiting[] => {
    if (status !== 'CONSOLIDATING' || merge === null) return [];
    if (!merge.checks.some(({ as }) => as === 'curator')) return [{ what: `check ${ref}`, act: { type: 'merge.check', sidebar: ref, isFit: true } }];
    const target = (parent ?? mergeTarget) === null ? ({ target: { kind: 'session', sessionId: 'session-1' } } as const) : {};
    return [{ what: `approve ${ref}`, act: { type: 'sidebar.merge', sidebar: ref, ...target } }];
  });
  const proposals = sidebars.flatMap(({ ref, proposals: open }) =>
    open.map(({ number }): Waiting => ({
      what: `${ref} PROPOSAL-${number}`,
      act: { type: 'proposal.answer', sidebar: ref, proposal: `PROPOSAL-${number}`, isAccepted: false },
    })),
  );
  return [...findings, ...golds, ...packages, ...proposals];
};

const everybodyOn = ({ board }: World): readonly Actor[] => [
  OPERATOR,
  ...rowsOf(board.agents)
    .filter(({ id, isRetired }) => !isRetired && id !== OPERATOR.id)
    .map(({ id, kind }): Actor => ({ id, type: kind })),
];

const listedFor = ({ board }: World, agent: string): readonly string[] => {
  const { toValidate, goldToValidate, toCheck, toApprove, toAnswer } = inboxView(board, agent, 0);
  return [
    ...toValidate.map(({ entryId }) => entryId),
    ...goldToValidate.map(({ goldId }) => goldId),
    ...toCheck.map((ref) => `check ${ref}`),
    ...toApprove.map((ref) => `approve ${ref}`),
    ...toAnswer.map(({ sidebarId, proposalId }) => `${sidebarId} ${proposalId}`),
  ];
};

/** Whether it would be done; what those of the parent say of a package is welcome, and nobody waits for it. */
const may = ({ decide }: World, act: Command, actor: Actor): boolean => {
  const decision = decide(act, actor);
  return decision.ok && !decision.value.some((event) => event.type === 'merge.checked' && event.payload.as === 'parent');
};

/** Checks every inbox of a board; gives what could be done, and whether by an agent. */
const checkInboxes = (world: World): readonly string[] => {
  const everybody = everybodyOn(world);
  const inboxes = everybody.map((actor) => ({ actor, listed: listedFor(world, actor.id) }));
  const waiting = waitingOn(world);
  const due = new Set(waiting.map(({ what }) => what));
  for (const { listed } of inboxes) expect(listed.filter((what) => !due.has(what))).toEqual([]);
  return waiting.flatMap(({ what, act }) => {
    const holders = inboxes.filter(({ listed }) => listed.includes(what)).map(({ actor }) => actor.id);
    expect([what, holders.length]).toEqual([what, 1]);
    // Where a package is out of date, or a sidebar has children at work, nobody may yet.
    if (!may(world, act, OPERATOR)) return [];
    const able = everybody.filter((actor) => actor !== OPERATOR && may(world, act, actor)).map(({ id }) => id);
    expect([what, holders]).toEqual([what, able.length === 0 ? [OPERATOR.id] : able]);
    return [`${act.type} by ${able.length === 0 ? 'the human' : 'an agent'}`];
  });
};

test('[PROP-4] [GOLD-10] whatever waits is in the inbox of exactly one who may act on it, of the human only where no agent may', () => {
  fc.assert(
    fc.property(anyWorld, (world) => {
      expect(checkInboxes(world)).toBeDefined();
    }),
    { numRuns: 50 },
  );
});

test('[PROP-4] such boards have what may wait, for agents and for the human', () => {
  const seen = new Set(Array.from({ length: 150 }, (_, seed) => checkInboxes(worldFrom(seed, 100))).flat());
  const kinds = ['finding.validate', 'gold.validate', 'merge.check', 'sidebar.merge'];
  expect([...seen]).toEqual(expect.arrayContaining(kinds.flatMap((type) => [`${type} by an agent`, `${type} by the human`])));
});

test('[PROP-4] a proposal waits for the coordinator, and for the human once that is gone', () => {
  const stage = given();
  const sidebar = stage.spawns({ coordinator: 'ben' });
  stage.does({ type: 'sidebar.archive', sidebar, note: 'it is done' }, { by: 'ada' });
  const asked = { sidebarId: sidebar, proposalId: 'PROPOSAL-1', proposal: 'archive SB-1: it is done', proposedBy: 'AGENT-ada' };
  const answerers = (): readonly unknown[] => [OPERATOR.id, 'AGENT-ada', 'AGENT-ben'].map((agent) => inboxView(stage.world.board, agent, 0).toAnswer);
  expect(answerers()).toEqual([[], [], [asked]]);
  expect(checkInboxes(stage.world)).toEqual(['proposal.answer by an agent']);
  stage.does({ type: 'agent.retire', agent: 'ben' });
  expect(answerers()).toEqual([[asked], [], []]);
  expect(checkInboxes(stage.world)).toEqual(['proposal.answer by the human']);
});

test('[PROP-4] an open conflict is in the inbox of everybody who takes part, and of its curator, or of the human where that is gone', () => {
  fc.assert(
    fc.property(anyWorld, (world) => {
      const everybody = everybodyOn(world).map(({ id }) => id);
      for (const sidebar of rowsOf(world.board.sidebars).filter(({ status }) => !isEnded(status))) {
        const curator = everybody.includes(sidebar.curator) ? sidebar.curator : OPERATOR.id;
        const concerned = everybody.filter((id) => id === curator || sidebar.participants.includes(id));
        for (const { id } of openConflicts(sidebar.scratchpad)) {
          const told = everybody.filter((agent) =>
            inboxView(world.board, agent, 0).conflicts.some(({ conflictId }) => conflictId === refOfItem(sidebar, 'CONFLICT', id)),
          );
          expect(told).toEqual(concerned);
        }
      }
    }),
  );
});
