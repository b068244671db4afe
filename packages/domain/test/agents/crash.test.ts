import { describe, expect, test } from 'vitest';
import { CRASHED_AFTER, OPERATOR } from '../../src/index.ts';
import { given, payloadsOf, type Stage } from '../board/given.ts';

const presence = (stage: Stage, status: 'available' | 'offline', by = 'system') =>
  stage.does({ type: 'agent.presence', agent: 'ada', status }, { by });
const crash = { type: 'agent.crash', agent: 'ada', lastWords: 'MSG-1' } as const;

/** Ada found two things in a sidebar that ben coordinates, one of which was confirmed, and is gone without a word for a minute. */
const goneFrom = (more: object = { coordinator: 'ben', participants: ['ada', 'ben'] }): { readonly stage: Stage; readonly sidebar: string } => {
  const stage = given();
  const sidebar = stage.spawns(more);
  presence(stage, 'available');
  stage.does({ type: 'chat.say', sidebar, content: 'I look at the cache' }, { by: 'ada' });
  stage.submits(sidebar, 'the cache is cold');
  stage.confirms(sidebar, 'the disk is slow');
  presence(stage, 'offline');
  stage.world.pass(CRASHED_AFTER);
  return { stage, sidebar };
};

const findings = (stage: Stage, sidebar: string) =>
  stage.sidebar(sidebar).scratchpad.findings.map(({ submittedBy, owner, status }) => [submittedBy, owner, status]);

describe('somebody who disappears', () => {
  test('[CRASH-1] the human does not crash by closing a terminal', () => {
    const stage = given();
    stage.spawns({ participants: ['ada'] });
    const away = (status: 'available' | 'offline') => stage.does({ type: 'agent.presence', agent: OPERATOR.id, status }, { by: 'system' });
    away('available');
    away('offline');
    stage.world.pass(CRASHED_AFTER);
    expect(stage.refuses({ type: 'agent.crash', agent: OPERATOR.id }, { by: 'system' })).toMatchObject({ reason: 'not-crashed' });
  });

  test('[CRASH-1] [CRASH-2] keeps its findings; the pending ones are the coordinator’s to answer for, who is told once', () => {
    const { stage, sidebar } = goneFrom();
    const events = stage.does(crash, { by: 'system' });
    expect(payloadsOf(events, 'agent.crashed')).toMatchObject([
      { agent: 'AGENT-ada', sidebars: [{ sidebar: 'SB-1', owner: 'AGENT-ben', refs: ['SCRATCH-1:FINDING-1'], coordinates: false, curates: false }] },
    ]);
    expect(findings(stage, sidebar)).toEqual([
      ['AGENT-ada', 'AGENT-ben', 'pending'],
      ['AGENT-ada', null, 'confirmed'],
    ]);
    const told = stage.world.board.notices.get('AGENT-ben')?.filter(({ kind }) => kind === 'left') ?? [];
    expect(told.map(({ text, refs }) => [text, refs])).toEqual([
      [
        'AGENT-ada disappeared from SB-1 without a word: SCRATCH-1:FINDING-1 waits for review, its last words are MSG-1',
        ['SB-1', 'SCRATCH-1:FINDING-1', 'MSG-1'],
      ],
    ]);
    expect(stage.refuses(crash, { by: 'system' })).toMatchObject({ reason: 'not-crashed' });
  });

  test('[CRASH-1] is not missed before a minute has passed, when it said that it goes, or when nothing waits for it', () => {
    const stage = given();
    const sidebar = stage.spawns();
    presence(stage, 'available');
    stage.submits(sidebar, 'the cache is cold');
    presence(stage, 'offline', 'ada');
    stage.world.pass(CRASHED_AFTER);
    expect(stage.refuses({ type: 'agent.crash', agent: 'ada' }, { by: 'system' })).toMatchObject({ reason: 'not-crashed' });
    presence(stage, 'available');
    presence(stage, 'offline');
    expect(stage.refuses({ type: 'agent.crash', agent: 'ada' }, { by: 'system' })).toMatchObject({ reason: 'not-crashed' });
    expect(stage.code({ type: 'agent.crash', agent: 'ada' })).toBe('operator-only');
    stage.world.pass(CRASHED_AFTER);
    stage.does({ type: 'sidebar.archive', sidebar });
    expect(stage.refuses({ type: 'agent.crash', agent: 'ada' }, { by: 'system' })).toMatchObject({ reason: 'not-crashed' });
  });

  test('[CRASH-2] its duties fall back: coordination to the human, curation to whoever coordinates', () => {
    const { stage, sidebar } = goneFrom({ coordinator: 'ada', curator: 'ada', participants: ['ada'] });
    stage.does(crash, { by: 'system' });
    expect(stage.sidebar(sidebar)).toMatchObject({ coordinator: OPERATOR.id, curator: OPERATOR.id });
    expect(stage.sidebar(sidebar).participants).toContain('AGENT-ada');
  });

  test('[CRASH-3] coming back undoes what nobody touched', () => {
    const { stage, sidebar } = goneFrom({ coordinator: 'ada', curator: 'ada', participants: ['ada'] });
    stage.submits(sidebar, 'the queue is long');
    presence(stage, 'offline');
    stage.world.pass(CRASHED_AFTER);
    stage.does(crash, { by: 'system' });
    stage.validates(sidebar, '3', 'confirmed');
    stage.does({ type: 'sidebar.change', sidebar, curator: 'ben' });
    const back = presence(stage, 'available');
    expect(back.map(({ type }) => type)).toEqual(['agent.presence', 'agent.returned']);
    expect(stage.sidebar(sidebar)).toMatchObject({ coordinator: 'AGENT-ada', curator: 'AGENT-ben' });
    expect(findings(stage, sidebar)).toEqual([
      ['AGENT-ada', null, 'pending'],
      ['AGENT-ada', null, 'confirmed'],
      ['AGENT-ada', OPERATOR.id, 'confirmed'],
    ]);
    expect(stage.world.board.agents.get('AGENT-ada')?.absence).toBeNull();
    expect(presence(stage, 'available').map(({ type }) => type)).toEqual(['agent.presence']);
  });
});
