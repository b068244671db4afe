import { describe, expect, test } from 'vitest';
import { agentWithToken } from '../../src/index.ts';
import { given, payloadsOf } from '../board/given.ts';

const HASH = 'ab'.repeat(32);
const DAN = {
  type: 'agent.register',
  agent: 'dan',
  kind: 'agent',
  specialties: ['testing'],
  preferredCollaborators: ['ada'],
  tokenHash: HASH,
} as const;

describe('agents', () => {
  test('[AGT-1] only the human registers, retires, and gives out tokens', () => {
    const stage = given();
    expect(payloadsOf(stage.does(DAN), 'agent.registered')).toEqual([
      { agent: 'AGENT-dan', kind: 'agent', specialties: ['testing'], preferredCollaborators: ['AGENT-ada'], tokenHash: HASH },
    ]);
    expect(stage.code({ ...DAN, agent: 'eve' }, { by: 'ada' })).toBe('operator-only');
    expect(stage.code({ type: 'agent.retire', agent: 'dan' }, { by: 'ada' })).toBe('operator-only');
    expect(stage.code({ type: 'agent.change', agent: 'ada', tokenHash: HASH }, { by: 'ada' })).toBe('operator-only');
    expect(stage.code({ type: 'agent.retire', agent: 'operator' })).toBe('bad-request');
    expect(stage.code({ ...DAN, agent: 'eve', tokenHash: 'secret' })).toBe('bad-request');
  });

  test('[AGT-2] a name is one of nobody else, and cannot be taken for another', () => {
    const stage = given();
    const code = (agent: string) => stage.code({ ...DAN, agent });
    expect(['ada', 'AGENT-ada', '@ada', 'Ada', 'operator', 'human', 'OPERATOR', 'system', 'claude'].map(code)).toEqual(
      Array(9).fill('already-there'),
    );
    expect(['', 'a b', '-x', 'x/y', 'é'].map(code)).toEqual(Array(5).fill('bad-request'));
  });

  test('[AGT-3] a token belongs to the agent that has it now; an old one, or one of a retired agent, is nobody’s', () => {
    const stage = given();
    const holder = (hash: string) => agentWithToken(stage.world.board, hash)?.id ?? null;
    stage.does(DAN);
    expect(holder(HASH)).toBe('AGENT-dan');
    stage.does({ type: 'agent.change', agent: 'dan', tokenHash: 'cd'.repeat(32) });
    expect([holder(HASH), holder('cd'.repeat(32))]).toEqual([null, 'AGENT-dan']);
    stage.does({ type: 'agent.retire', agent: 'dan', reason: 'gone' });
    expect(holder('cd'.repeat(32))).toBeNull();
    stage.does(DAN);
    expect(holder(HASH)).toBe('AGENT-dan');
  });

  test('[AGT-4] whoever was retired, or never was, does nothing', () => {
    const stage = given();
    const sidebar = stage.spawns();
    stage.does({ type: 'agent.retire', agent: 'ada' });
    expect(stage.refuses({ type: 'chat.say', sidebar, content: 'hello' }, { by: 'ada' })).toEqual({
      code: 'retired-agent',
      reason: 'retired-actor',
      facts: { actor: 'AGENT-ada' },
    });
    expect(stage.code({ type: 'inbox.read', upTo: 1 }, { by: 'dan' })).toBe('not-found');
    expect(stage.code({ type: 'agent.recruit', sidebar, agent: 'ada' })).toBe('retired-agent');
    expect(stage.code({ type: 'agent.retire', agent: 'ada' })).toBe('retired-agent');
  });

  test('[AGT-5] presence is one’s own to tell; Yarnboard tells it of a connection that is gone', () => {
    const stage = given();
    const tell = { type: 'agent.presence', agent: 'ada', status: 'busy', currentContext: 'SB-1' } as const;
    expect(stage.code(tell, { by: 'ben' })).toBe('bad-request');
    expect(stage.code(tell)).toBe('bad-request');
    stage.does(tell, { by: 'ada' });
    expect(stage.world.board.agents.get('AGENT-ada')).toMatchObject({ presence: 'busy', currentContext: 'SB-1', presentAt: stage.world.now() });
    stage.does({ ...tell, status: 'offline' }, { by: 'system' });
    stage.does({ ...tell, agent: 'human', status: 'available' });
    expect(['AGENT-ada', 'AGENT-operator'].map((id) => stage.world.board.agents.get(id)?.presence)).toEqual(['offline', 'available']);
  });

  test('[AGT-6] participants and the coordinator recruit; anybody volunteers where it is open', () => {
    const stage = given();
    const sidebar = stage.spawns({ isOpen: true });
    expect(stage.code({ type: 'agent.recruit', sidebar, agent: 'cyd' }, { by: 'ben' })).toBe('not-participant');
    stage.does({ type: 'agent.recruit', sidebar, agent: 'ben' }, { by: 'ben' });
    expect(payloadsOf(stage.does({ type: 'agent.recruit', sidebar, agent: 'cyd' }, { by: 'ben' }), 'agent.joined')).toEqual([
      { agent: 'AGENT-cyd', recruitedBy: 'AGENT-ben' },
    ]);
    expect(stage.sidebar(sidebar).participants).toEqual(['AGENT-operator', 'AGENT-ada', 'AGENT-ben', 'AGENT-cyd']);
    expect(stage.code({ type: 'agent.recruit', sidebar, agent: 'cyd' })).toBe('already-there');
    const told = (agent: string) => stage.world.board.notices.get(agent)?.map(({ kind, text }) => ({ kind, text }));
    expect([told('AGENT-cyd'), told('AGENT-ben')]).toEqual([[{ kind: 'recruited', text: 'AGENT-ben asks you to take part in SB-1' }], undefined]);
  });

  test('[MEM-12] whoever is recruited into a sidebar with a past is told to begin by scoring it', () => {
    const stage = given();
    const sidebar = stage.spawns({ origin: { kind: 'session', sessionId: 'session-1', leafUuid: null, upTo: null } });
    stage.does({ type: 'agent.recruit', sidebar, agent: 'cyd' });
    expect(stage.world.board.notices.get('AGENT-cyd')?.map(({ text }) => text)).toEqual([
      'AGENT-operator asks you to take part in SB-1. Begin by scoring how relevant what it inherited is to its task',
    ]);
  });

  test('[AGT-7] one leaves for oneself, or is sent away by the coordinator; somebody stays', () => {
    const stage = given();
    const sidebar = stage.spawns({ participants: ['ada', 'ben'], coordinator: 'cyd' });
    expect(stage.code({ type: 'agent.leave', sidebar, agent: 'ben' }, { by: 'ada' })).toBe('not-coordinator');
    expect(stage.code({ type: 'agent.leave', sidebar, agent: 'cyd' }, { by: 'cyd' })).toBe('not-found');
    stage.does({ type: 'agent.leave', sidebar, agent: 'ben' }, { by: 'cyd' });
    stage.does({ type: 'agent.leave', sidebar, agent: 'ada', reason: 'done' }, { by: 'ada' });
    expect(stage.sidebar(sidebar).participants).toEqual(['AGENT-operator']);
    expect(stage.refuses({ type: 'agent.leave', sidebar, agent: 'operator' })).toEqual({
      code: 'bad-request',
      reason: 'last-participant',
      facts: { agent: 'AGENT-operator', sidebar: 'SB-1' },
    });
  });

  test('[AGT-8] what somebody who leaves was there for falls to the human', () => {
    const stage = given();
    const both = stage.spawns({ coordinator: 'ada' });
    const one = stage.spawns({ coordinator: 'ben', curator: 'ada' });
    for (const sidebar of [both, one]) stage.does({ type: 'agent.leave', sidebar, agent: 'ada' }, { by: 'ada' });
    expect([stage.sidebar(both), stage.sidebar(one)]).toMatchObject([
      { coordinator: 'AGENT-operator', curator: 'AGENT-operator' },
      { coordinator: 'AGENT-ben', curator: 'AGENT-ben' },
    ]);
  });

  test('[AGT-9] what is read is gone from the inbox, and nothing that is still to come', () => {
    const stage = given();
    const mention = (message: string) => stage.does({ type: 'mention.route', targets: ['ada'], message });
    const inbox = () => stage.world.board.notices.get('AGENT-ada')?.map(({ text }) => text);
    const [first] = mention('one');
    mention('two');
    stage.does({ type: 'inbox.read', upTo: first?.position ?? 0 }, { by: 'ada' });
    expect(inbox()).toEqual(['two']);
    stage.does({ type: 'inbox.read', upTo: 1_000_000 }, { by: 'ada' });
    mention('three');
    expect(inbox()).toEqual(['three']);
    expect(stage.world.board.agents.get('AGENT-ada')?.readUpTo).toBeLessThan(1_000_000);
  });

  test('[AGT-10] whoever never reads is told the latest 200, and in short', () => {
    const stage = given();
    for (let n = 0; n < 205; n += 1) stage.does({ type: 'mention.route', targets: ['ada'], message: `${n} ${'x'.repeat(2000)}` });
    const inbox = stage.world.board.notices.get('AGENT-ada') ?? [];
    expect({ length: inbox.length, first: inbox[0]?.text.slice(0, 3), longest: Math.max(...inbox.map(({ text }) => text.length)) }).toEqual({
      length: 200,
      first: '5 x',
      longest: 1001,
    });
  });

  test('[AGT-11] agents change what they say of themselves; the human changes anybody’s', () => {
    const stage = given();
    stage.does({ type: 'agent.change', agent: 'ada', specialties: ['debugging'] }, { by: 'ada' });
    stage.does({ type: 'agent.change', agent: 'ada', preferredCollaborators: ['ben'] });
    expect(stage.world.board.agents.get('AGENT-ada')).toMatchObject({ specialties: ['debugging'], preferredCollaborators: ['AGENT-ben'] });
    expect(stage.code({ type: 'agent.change', agent: 'ada', specialties: [] }, { by: 'ben' })).toBe('operator-only');
    expect(stage.code({ type: 'agent.change', agent: 'ada' })).toBe('bad-request');
    expect(stage.code({ type: 'agent.change', agent: 'operator', tokenHash: HASH })).toBe('bad-request');
    expect(stage.code({ type: 'agent.change', agent: 'dan', specialties: [] })).toBe('not-found');
  });
});
