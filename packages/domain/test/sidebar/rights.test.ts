import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RIGHTS, rightTo, ROLES, type Command, type Role } from '../../src/index.ts';
import { given, payloadsOf } from '../board/given.ts';
import { actorOf } from '../board/world.ts';

/** A sidebar of the operator's, in which everybody is one thing: dan spawned it, ben coordinates, cyd curates, ada takes part, eve has nothing to do with it. */
const cast = (more: Partial<Extract<Command, { type: 'sidebar.spawn' }>> = {}) => {
  const stage = given();
  for (const agent of ['dan', 'eve']) {
    stage.does({
      type: 'agent.register',
      agent,
      kind: 'agent',
      specialties: [],
      preferredCollaborators: [],
      tokenHash: agent === 'dan' ? 'd'.repeat(64) : 'e'.repeat(64),
    });
  }
  const sidebar = stage.spawns({ participants: ['ada'], coordinator: 'ben', curator: 'cyd', isOpen: false, ...more }, { by: 'dan' });
  stage.does({ type: 'agent.leave', sidebar, agent: 'dan' }, { by: 'dan' });
  return { stage, sidebar };
};

const ACTORS: Readonly<Record<Role, string>> = {
  operator: 'operator',
  coordinator: 'ben',
  curator: 'cyd',
  spawner: 'dan',
  participant: 'ada',
  outsider: 'eve',
};

describe('who may do what', () => {
  test('[RIGHT-1] the table says it for every role, and the clock may do all of it', () => {
    const { stage, sidebar } = cast();
    for (const [action, rights] of Object.entries(RIGHTS) as [keyof typeof RIGHTS, (typeof RIGHTS)[keyof typeof RIGHTS]][]) {
      for (const role of ROLES)
        expect([action, role, rightTo(action, stage.sidebar(sidebar), actorOf(ACTORS[role]))]).toEqual([action, role, rights[role]]);
      expect(rightTo(action, stage.sidebar(sidebar), actorOf('system'))).toBe('yes');
    }
  });

  const ENDINGS = {
    fail: (sidebar: string): Command => ({ type: 'sidebar.move', sidebar, to: 'FAILED', reason: 'stuck' }),
    archive: (sidebar: string): Command => ({ type: 'sidebar.archive', sidebar }),
    retype: (sidebar: string): Command => ({ type: 'sidebar.change', sidebar, taskType: 'debugging' }),
    reprioritise: (sidebar: string): Command => ({ type: 'sidebar.change', sidebar, priority: 'LOW' }),
    join: (sidebar: string): Command => ({ type: 'agent.recruit', sidebar, agent: 'eve' }),
  } as const;

  test.each(Object.keys(ENDINGS) as (keyof typeof ENDINGS)[])('[RIGHT-1] %s is done, asked for or refused as the table says', (action) => {
    for (const role of ROLES) {
      // Whoever volunteers is an outsider; the others have no need to.
      if (action === 'join' && role !== 'outsider') continue;
      const { stage, sidebar } = cast();
      const decision = stage.world.decide(ENDINGS[action](sidebar), actorOf(ACTORS[role]));
      const became = !decision.ok ? 'no' : decision.value.some(({ type }) => type === 'sidebar.proposed') ? 'ask' : 'yes';
      // Whoever only made it and left cannot move it either: it has to come back first.
      const expected = action === 'fail' && role === 'spawner' ? 'no' : RIGHTS[action][role];
      expect([action, role, became]).toEqual([action, role, expected]);
    }
  });

  test('[RIGHT-1] a test is discarded by the coordinator or the human only', () => {
    const { stage, sidebar } = cast({ isTesting: true });
    expect(stage.doesKinds({ type: 'sidebar.archive', sidebar }, { by: 'ada' })).toEqual(['sidebar.proposed']);
    expect(stage.doesKinds({ type: 'sidebar.archive', sidebar }, { by: 'ben' })).toContain('sidebar.archived');
  });

  test('[RIGHT-1] whoever has nothing to do with a sidebar cannot end it, not even after volunteering', () => {
    const stage = given();
    const sidebar = stage.spawns({ participants: [] });
    expect(stage.doesKinds({ type: 'agent.recruit', sidebar, agent: 'ada' }, { by: 'ada' })).toEqual(['sidebar.proposed']);
    expect(stage.sidebar(sidebar).participants).toEqual(['AGENT-operator']);
    for (const command of [ENDINGS.fail(sidebar), ENDINGS.archive(sidebar)]) expect(stage.code(command, { by: 'ada' })).toBe('not-participant');
    stage.does({ type: 'proposal.answer', sidebar, proposal: 'PROPOSAL-1', isAccepted: true });
    for (const command of [ENDINGS.fail(sidebar), ENDINGS.archive(sidebar)]) {
      expect(stage.doesKinds(command, { by: 'ada' })).toEqual(['sidebar.proposed']);
      expect(stage.sidebar(sidebar).status).toBe('ACTIVE');
    }
    expect(stage.world.board.notices.get('AGENT-operator')?.map(({ level, text }) => [level, text])).toEqual([
      ['escalate', 'AGENT-ada asks to join SB-1'],
      ['escalate', 'AGENT-ada asks to give up SB-1: stuck'],
      ['escalate', 'AGENT-ada asks to archive SB-1'],
    ]);
  });

  test('[RIGHT-2] whoever wants joins an open sidebar; it is open unless a person made it, and the coordinator opens and closes it', () => {
    const stage = given();
    const own = stage.spawns({ participants: [] });
    const made = stage.spawns({ participants: [] }, { by: 'ada' });
    expect([own, made].map((ref) => stage.sidebar(ref).isOpen)).toEqual([false, true]);
    expect(stage.doesKinds({ type: 'agent.recruit', sidebar: made, agent: 'ben' }, { by: 'ben' })).toEqual(['agent.joined']);
    expect(stage.code({ type: 'sidebar.change', sidebar: made, isOpen: false }, { by: 'ben' })).toBe('not-coordinator');
    stage.does({ type: 'sidebar.change', sidebar: own, isOpen: true });
    expect(stage.doesKinds({ type: 'agent.recruit', sidebar: own, agent: 'ben' }, { by: 'ben' })).toEqual(['agent.joined']);
  });
});

describe('proposals', () => {
  test('[PROP-1] what somebody may only ask for changes nothing until it is answered', () => {
    const { stage, sidebar } = cast();
    const before = stage.sidebar(sidebar);
    expect(payloadsOf(stage.does({ type: 'sidebar.change', sidebar, priority: 'LOW', task: 'Less' }, { by: 'ada' }), 'sidebar.proposed')).toEqual([
      { number: 1, proposal: { action: 'change', priority: 'LOW', task: 'Less' } },
    ]);
    const { proposals, proposed, lastPosition, ...after } = stage.sidebar(sidebar);
    expect({ ...before, ...after }).toEqual({ ...before, lastActivity: after.lastActivity });
    expect(proposals).toMatchObject([{ number: 1, by: 'AGENT-ada' }]);
    expect([proposed, lastPosition > before.lastPosition, after.lastActivity]).toEqual([1, true, before.lastActivity]);
  });

  test('[PROP-1] what could not be done anyway is refused at once, and nobody has to answer it', () => {
    const { stage, sidebar } = cast();
    stage.spawnsChild(sidebar);
    expect(stage.code({ type: 'sidebar.archive', sidebar }, { by: 'ada' })).toBe('live-children');
    expect(stage.code({ type: 'sidebar.move', sidebar, to: 'FAILED' }, { by: 'ada' })).toBe('bad-request');
  });

  test('[PROP-2] one asks for the same thing once', () => {
    const { stage, sidebar } = cast();
    stage.does({ type: 'sidebar.archive', sidebar }, { by: 'ada' });
    expect(stage.code({ type: 'sidebar.archive', sidebar, note: 'please' }, { by: 'ada' })).toBe('already-there');
    expect(stage.doesKinds({ type: 'sidebar.archive', sidebar }, { by: 'cyd' })).toEqual(['sidebar.proposed']);
  });

  test('[PROP-3] the coordinator or the human says yes, and it is done; or no, and whoever asked is told why', () => {
    const { stage, sidebar } = cast();
    stage.does({ type: 'sidebar.archive', sidebar, note: 'all done' }, { by: 'ada' });
    stage.does({ type: 'sidebar.change', sidebar, priority: 'HIGH' }, { by: 'ada' });
    stage.does({ type: 'agent.recruit', sidebar, agent: 'eve', reason: 'I know this' }, { by: 'eve' });
    const answer = (proposal: string, isAccepted: boolean): Command => ({
      type: 'proposal.answer',
      sidebar,
      proposal,
      isAccepted,
      reason: 'not yet',
    });
    expect(stage.code(answer('PROPOSAL-1', true), { by: 'ada' })).toBe('not-coordinator');
    expect(stage.code(answer('PROPOSAL-9', true), { by: 'ben' })).toBe('not-found');
    expect(stage.doesKinds(answer('PROPOSAL-1', false), { by: 'ben' })).toEqual(['proposal.answered']);
    expect(stage.doesKinds(answer(`${sidebar}:PROPOSAL-2`, true), { by: 'ben' })).toEqual(['proposal.answered', 'sidebar.changed']);
    expect(stage.doesKinds(answer(stage.sidebar(sidebar).proposals[0]?.id ?? '', true))).toEqual(['proposal.answered', 'agent.joined']);
    expect(stage.sidebar(sidebar)).toMatchObject({ status: 'ACTIVE', priority: 'HIGH', participants: ['AGENT-ada', 'AGENT-eve'], proposals: [] });
    const told = stage.world.board.notices.get('AGENT-ada')?.filter(({ kind }) => kind === 'proposal');
    expect(told?.map(({ text }) => text)).toEqual([
      'AGENT-ben declined your proposal to archive SB-1: all done (not yet)',
      'AGENT-ben accepted your proposal to change the priority to HIGH in SB-1',
    ]);
  });

  test('[PROP-3] what was asked for is settled when the sidebar ends', () => {
    const { stage, sidebar } = cast();
    stage.does({ type: 'sidebar.archive', sidebar }, { by: 'ada' });
    stage.does({ type: 'sidebar.move', sidebar, to: 'FAILED', reason: 'it broke' }, { by: 'ben' });
    expect(stage.sidebar(sidebar).proposals).toEqual([]);
  });
});

describe('reopening', () => {
  test('[RIGHT-3] the human takes up again in one step what ended by mistake, with the same team and task', () => {
    fc.assert(
      fc.property(fc.constantFrom('failed', 'archived', 'both'), (how) => {
        const { stage, sidebar } = cast({ task: 'Find it', priority: 'HIGH', tags: ['login'] });
        if (how !== 'archived') stage.does({ type: 'sidebar.move', sidebar, to: 'FAILED', reason: 'oops' });
        if (how !== 'failed') stage.does({ type: 'sidebar.archive', sidebar });
        expect(stage.code({ type: 'sidebar.reopen', sidebar, reason: 'it was a mistake' }, { by: 'ben' })).toBe('operator-only');
        const events = stage.does({ type: 'sidebar.reopen', sidebar, reason: 'it was a mistake' });
        const fork = events.flatMap(({ refs }) => refs).find((ref) => ref.startsWith('SB-'));
        expect(stage.sidebar(sidebar).status).toBe('ARCHIVED');
        expect(stage.sidebar(fork ?? '')).toMatchObject({
          status: 'ACTIVE',
          forkedFrom: stage.sidebar(sidebar).id,
          task: 'Find it',
          priority: 'HIGH',
          participants: ['AGENT-operator', 'AGENT-ada'],
          coordinator: 'AGENT-ben',
          curator: 'AGENT-cyd',
          isOpen: false,
          tags: ['login'],
        });
      }),
      { numRuns: 6 },
    );
  });

  test('[RIGHT-3] what has not ended needs no reopening', () => {
    const { stage, sidebar } = cast();
    expect(stage.code({ type: 'sidebar.reopen', sidebar, reason: 'again' })).toBe('wrong-status');
  });
});
