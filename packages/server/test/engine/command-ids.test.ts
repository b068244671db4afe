import { isOpenRequest, openPermissions, rowsOf, SYSTEM, type Actor, type Command, type CommandType } from '@yarnboard/domain';
import { describe, expect, test } from 'vitest';
import type { Asked } from '../../src/engine/batch.ts';
import { idOf, keyOf } from '../../src/engine/command-ids.ts';
import { AGENT, newMessageId, openEngine, register, say, spawn, type EngineBench } from './bench.ts';

/** A sidebar whose coordinator and curator is an agent, so that the operator steps in; with a child that has all that a command may need. */
const stage = async (): Promise<EngineBench> => {
  const bench = await openEngine({ createIndex: () => ({ add: () => {}, remove: () => {}, match: () => matches }) });
  const matches: { gold: string; score: number; condition: string; words: string[] }[] = [];
  await bench.run(register('scout'));
  await bench.run(register('chief'));
  await bench.run(register('curator'));
  await bench.run(spawn('parent', { coordinator: 'chief', participants: ['scout'] }));
  await bench.run(say('SB-1', 'before'));
  await bench.run({ type: 'sidebar.spawn-child', sidebar: 'SB-1', upTo: null, task: 'child', coordinator: 'chief', participants: ['scout'] });
  await bench.run({ type: 'finding.submit', sidebar: 'SB-2', content: 'The pool has 10 connections.' }, { actor: AGENT });
  await bench.run({ type: 'finding.validate', sidebar: 'SB-2', finding: '1', status: 'confirmed' });
  const gold = await bench.run({
    type: 'gold.create',
    sidebar: 'SB-2',
    sourceRefs: ['MSG-1'],
    keyInsight: 'raise the pool',
    reusePattern: 'pools',
    triggerConditions: ['slow'],
  });
  matches.push({ gold: gold.events[0]?.uuid ?? '', score: 1, condition: 'slow', words: [] });
  await bench.run({ type: 'checkpoint.create', sidebar: 'SB-2', summary: 'so far' });
  await bench.run(spawn('test', { isTesting: true }));
  await bench.run(spawn('old'));
  await bench.run({ type: 'sidebar.archive', sidebar: 'SB-4' });
  return bench;
};

const CHIEF: Actor = { id: 'AGENT-chief', type: 'agent' };

const CHECKED: Command = {
  type: 'claim.validate',
  sidebar: 'SB-2',
  claim: 'EXCH-1',
  words: 'before',
  isAuto: false,
  report: { kind: 'file_exists', isDenied: false, subject: 'before', attempts: [], files: [], duration: 1 },
};

type Case = (bench: EngineBench) => Promise<Command | readonly [Command, Partial<Asked>]>;

const consolidated = async ({ run }: EngineBench): Promise<void> => {
  await run({ type: 'sidebar.consolidate', sidebar: 'SB-2', summary: 'found' });
};

/** SB-n of a child whose package waits for its curator. */
const statusCheck = async ({ run, engine }: EngineBench): Promise<string> => {
  await run({ type: 'sidebar.spawn-child', sidebar: 'SB-1', upTo: null, task: 'Is the queue empty?', taskType: 'status_check' });
  const sidebar = rowsOf(engine.board().sidebars).at(-1)?.ref ?? '';
  await run({ type: 'finding.submit', sidebar, content: 'The queue is empty.', sourceRefs: ['SB-1'] });
  await run({ type: 'finding.validate', sidebar, finding: 'FINDING-1', status: 'confirmed' });
  await run({ type: 'sidebar.consolidate', sidebar });
  return sidebar;
};

const ASK_LEAVE: Command = {
  type: 'permission.ask',
  sidebar: 'SB-1',
  agent: 'AGENT-scout',
  key: 'k',
  tool: 'Bash',
  input: '{"command":"npm test"}',
  directory: '/src',
  refusal: null,
};
const LEAVE: Command = { type: 'permission.rule', agent: 'scout', tool: 'Bash', pattern: 'npm *' };

const askedBy = async (bench: EngineBench): Promise<string> => {
  await bench.run(ASK_LEAVE, { actor: SYSTEM });
  return openPermissions(bench.engine.board())[0]?.id ?? '';
};

const openRequestOf = ({ engine }: EngineBench): string => rowsOf(engine.board().requests).find(isOpenRequest)?.id ?? '';

const CASES: { readonly [T in CommandType]: Readonly<Record<string, Case>> } = {
  'sidebar.spawn': { plainly: async () => spawn() },
  'sidebar.spawn-child': {
    plainly: async () => ({ type: 'sidebar.spawn-child', sidebar: 'SB-1', upTo: null, task: 'more' }),
    'and waits': async () => ({ type: 'sidebar.spawn-child', sidebar: 'SB-1', upTo: null, task: 'more', isWaiting: true }),
  },
  'sidebar.fork': { plainly: async () => ({ type: 'sidebar.fork', sidebar: 'SB-4', reason: 'more to do' }) },
  'sidebar.pause': { plainly: async () => ({ type: 'sidebar.pause', sidebar: 'SB-1', reason: 'holidays' }) },
  'sidebar.resume': {
    plainly: async ({ run }) => {
      await run({ type: 'sidebar.pause', sidebar: 'SB-1', reason: 'holidays' });
      return { type: 'sidebar.resume', sidebar: 'SB-1' };
    },
  },
  'sidebar.wait': { plainly: async () => ({ type: 'sidebar.wait', sidebar: 'SB-1', waitingFor: 'a review' }) },
  'sidebar.move': {
    'to review': async () => ({ type: 'sidebar.move', sidebar: 'SB-1', to: 'REVIEWING' }),
    'a test becomes work': async () => ({ type: 'sidebar.move', sidebar: 'SB-3', to: 'ACTIVE', reason: 'it works' }),
    'proposed by a participant': async () => [GIVE_UP, { actor: AGENT }],
    'fails, and somebody waited': async ({ run }) => {
      await run({ type: 'sidebar.wait', sidebar: 'SB-1', waitingFor: 'the child', dependencies: ['SB-2'] });
      return { type: 'sidebar.move', sidebar: 'SB-2', to: 'FAILED', reason: 'no way' };
    },
  },
  'sidebar.change': {
    plainly: async () => ({ type: 'sidebar.change', sidebar: 'SB-1', priority: 'HIGH' }),
    'instead of the coordinator': async () => ({ type: 'sidebar.change', sidebar: 'SB-1', curator: 'scout' }),
  },
  'sidebar.escalate': { plainly: async () => [{ type: 'sidebar.escalate', sidebar: 'SB-1', reason: 'stuck' }, { actor: AGENT }] },
  'proposal.answer': {
    accepted: async ({ run }) => {
      await run(GIVE_UP, { actor: AGENT });
      return { type: 'proposal.answer', sidebar: 'SB-2', proposal: 'PROPOSAL-1', isAccepted: true };
    },
    declined: async ({ run }) => {
      await run(GIVE_UP, { actor: AGENT });
      return { type: 'proposal.answer', sidebar: 'SB-2', proposal: 'PROPOSAL-1', isAccepted: false, reason: 'not yet' };
    },
  },
  'sidebar.test-result': { plainly: async () => ({ type: 'sidebar.test-result', sidebar: 'SB-3', description: 'load', result: 'fine' }) },
  'sidebar.consolidate': { plainly: async () => ({ type: 'sidebar.consolidate', sidebar: 'SB-2', summary: 'found' }) },
  'sidebar.finish': {
    plainly: async ({ run }) => {
      await run({ type: 'sidebar.spawn-child', sidebar: 'SB-1', upTo: null, task: 'alone', participants: [] });
      return { type: 'sidebar.finish', sidebar: 'SB-5', summary: 'found' };
    },
  },
  'sidebar.reopen': {
    'from the archive': async () => ({ type: 'sidebar.reopen', sidebar: 'SB-4', reason: 'too early' }),
    'after it failed': async ({ run }) => {
      await run({ type: 'sidebar.move', sidebar: 'SB-2', to: 'FAILED', reason: 'no way' });
      return { type: 'sidebar.reopen', sidebar: 'SB-2', reason: 'there is a way' };
    },
  },
  'merge.check': {
    'instead of the curator': async (bench) => {
      await consolidated(bench);
      return { type: 'merge.check', sidebar: 'SB-2', isFit: true };
    },
  },
  'sidebar.merge': {
    'instead of the coordinator': async (bench) => {
      await consolidated(bench);
      await bench.run({ type: 'merge.check', sidebar: 'SB-2', isFit: true });
      return { type: 'sidebar.merge', sidebar: 'SB-2' };
    },
    'sent back': async (bench) => {
      await consolidated(bench);
      return { type: 'sidebar.merge', sidebar: 'SB-2', isApproved: false, reason: 'look again' };
    },
  },
  'sidebar.archive': { plainly: async () => ({ type: 'sidebar.archive', sidebar: 'SB-2' }) },
  'chat.say': {
    plainly: async () => say('SB-1', 'hello'),
    'to somebody, of something known': async () => say('SB-1', '@scout it is slow'),
  },
  'mention.route': { plainly: async () => ({ type: 'mention.route', targets: ['scout'], message: 'look' }) },
  'relevance.score': {
    plainly: async () => ({ type: 'relevance.score', sidebar: 'SB-2', scores: { 'EXCH-1': 0.9 } }),
    'in dispute': async ({ run }) => {
      await run({ type: 'relevance.score', sidebar: 'SB-2', scores: { 'EXCH-1': 0.9 } });
      return [{ type: 'relevance.score', sidebar: 'SB-2', scores: { 'EXCH-1': 0.1 } }, { actor: AGENT }];
    },
  },
  'memory.archive': {
    plainly: async () => ({ type: 'memory.archive', refs: ['EXCH-1'] }),
    'several, by an agent': async () => [{ type: 'memory.archive', refs: ['MSG-1', 'EXCH-1'], tags: ['pool'] }, { actor: AGENT }],
  },
  'memory.finalise': {
    plainly: async ({ run }) => {
      await run({ type: 'memory.archive', refs: ['MSG-1', 'EXCH-1'] }, { actor: AGENT });
      return { type: 'memory.finalise', episodes: ['SB-1:EPISODE-1', 'SB-1:EPISODE-2'] };
    },
  },
  'confidence.set': { plainly: async () => ({ type: 'confidence.set', about: 'MSG-1', confidence: 0.4, reason: 'it was long ago' }) },
  'claim.verify': {
    plainly: async () => ({ type: 'claim.verify', sidebar: 'SB-2', claim: 'EXCH-1', verification: 'confirmed' }),
    'in dispute': async ({ run }) => {
      await run({ type: 'claim.verify', sidebar: 'SB-2', claim: 'EXCH-1', verification: 'confirmed' }, { actor: AGENT });
      return [{ type: 'claim.verify', sidebar: 'SB-2', claim: 'CLAIM-1', verification: 'contradicted' }, { actor: CHIEF }];
    },
  },
  'claim.settle': {
    plainly: async ({ run }) => {
      await run({ type: 'claim.verify', sidebar: 'SB-2', claim: 'EXCH-1', verification: 'confirmed' }, { actor: AGENT });
      await run({ type: 'claim.verify', sidebar: 'SB-2', claim: 'CLAIM-1', verification: 'contradicted' }, { actor: CHIEF });
      return { type: 'claim.settle', sidebar: 'SB-2', claim: 'CLAIM-1', verification: 'confirmed', notes: 'seen' };
    },
  },
  'automerge.configure': { plainly: async () => ({ type: 'automerge.configure', isEnabled: true, allowedTaskTypes: ['status_check'] }) },
  'session.label': { plainly: async () => ({ type: 'session.label', session: 'a-session', isPinned: true }) },
  'automerge.report': {
    plainly: async (bench) => {
      const [approved, merged] = [await statusCheck(bench), await statusCheck(bench)];
      await bench.run({ type: 'merge.check', sidebar: approved, isFit: true });
      await bench.run({ type: 'sidebar.merge', sidebar: approved });
      await bench.run({ type: 'automerge.configure', isEnabled: true, allowedTaskTypes: ['status_check'], requiredApprovals: 1 });
      await bench.run({ type: 'merge.check', sidebar: merged, isFit: true });
      return { type: 'automerge.report', sidebar: merged, ref: 'SB-1', notes: 'it was not so' };
    },
  },
  'claim.validate': { plainly: async () => CHECKED },
  'claim.outdate': {
    plainly: async ({ run }) => {
      await run(CHECKED);
      return [{ type: 'claim.outdate', sidebar: 'SB-2', claim: 'CLAIM-1' }, { actor: SYSTEM }];
    },
  },
  'validation.configure': { plainly: async () => ({ type: 'validation.configure', isOn: true }) },
  'validation.overrule': {
    plainly: async ({ run }) => {
      await run(CHECKED);
      return { type: 'validation.overrule', sidebar: 'SB-2', claim: 'CLAIM-1', verification: 'contradicted', reason: 'it was another machine' };
    },
  },
  'focus.change': { plainly: async () => ({ type: 'focus.change', sidebar: 'SB-2', add: ['EXCH-1'] }) },
  'finding.submit': {
    plainly: async () => ({ type: 'finding.submit', sidebar: 'SB-2', content: 'a leak' }),
    'against another': async () => ({ type: 'finding.submit', sidebar: 'SB-2', content: 'The pool has 20 connections.' }),
    'against several': async ({ run }) => {
      await run({ type: 'finding.submit', sidebar: 'SB-2', content: 'The pool has 30 connections.' });
      return { type: 'finding.submit', sidebar: 'SB-2', content: 'The pool has 40 connections.' };
    },
  },
  'finding.validate': {
    'instead of the curator': async ({ run }) => {
      await run({ type: 'finding.submit', sidebar: 'SB-2', content: 'a leak' }, { actor: AGENT });
      return { type: 'finding.validate', sidebar: 'SB-2', finding: '2', status: 'confirmed' };
    },
  },
  'finding.annotate': { plainly: async () => ({ type: 'finding.annotate', sidebar: 'SB-2', finding: '1', note: 'since March' }) },
  'conflict.resolve': {
    'instead of the curator': async (bench) => {
      await bench.run({ type: 'finding.submit', sidebar: 'SB-2', content: 'The pool has 20 connections.' });
      const [conflict] = bench.sidebar('SB-2').scratchpad.conflicts;
      return { type: 'conflict.resolve', sidebar: 'SB-2', conflict: conflict?.id ?? '', notes: 'two pools' };
    },
  },
  'checkpoint.create': { plainly: async () => ({ type: 'checkpoint.create', sidebar: 'SB-2', summary: 'more' }) },
  'checkpoint.annotate': {
    plainly: async () => ({ type: 'checkpoint.annotate', sidebar: 'SB-2', checkpoint: 'CHECKPOINT-1', note: 'good' }),
  },
  'citation.create': { plainly: async () => ({ type: 'citation.create', source: { kind: 'reference', ref: 'MSG-1' } }) },
  'media.upload': {
    plainly: async () => ({ ...MEDIA, found: { size: 2, mime: 'image/png', sha256: 'ab' } }),
    'of something broken': async () => ({ ...MEDIA, found: { why: 'no image' } }),
  },
  'gold.create': {
    'on the board': async () => ({ ...GOLD }),
    'in a sidebar': async () => ({ ...GOLD, sidebar: 'SB-2' }),
  },
  'gold.validate': {
    'instead of the curator': async () => ({ type: 'gold.validate', gold: 'GOLD-1', status: 'confirmed' }),
    'at the end': async ({ run }) => {
      await run(GOLD);
      return { type: 'gold.validate', gold: 'GOLD-2', status: 'rejected', notes: 'wrong' };
    },
  },
  'gold.answer': {
    plainly: async ({ run }) => {
      await run({ type: 'gold.surface', gold: 'GOLD-1', contextId: 'a-session', score: 1, condition: 'slow', about: 'MSG-1' }, { actor: SYSTEM });
      return { type: 'gold.answer', gold: 'GOLD-1', answer: 'not_now' };
    },
  },
  'gold.surface': {
    plainly: async () => [
      { type: 'gold.surface', gold: 'GOLD-1', contextId: 'a-session', score: 1, condition: 'slow', about: 'MSG-1' },
      { actor: SYSTEM },
    ],
  },
  'agent.register': { plainly: async () => register('newcomer') },
  'agent.change': { plainly: async () => ({ type: 'agent.change', agent: 'scout', specialties: ['speed'] }) },
  'agent.retire': { plainly: async () => ({ type: 'agent.retire', agent: 'curator' }) },
  'agent.crash': {
    plainly: async ({ run, clock }) => {
      await run({ type: 'finding.submit', sidebar: 'SB-2', content: 'The queue is long.' }, { actor: AGENT });
      await run({ type: 'agent.presence', agent: 'scout', status: 'available' }, { actor: SYSTEM });
      await run({ type: 'agent.presence', agent: 'scout', status: 'offline' }, { actor: SYSTEM });
      clock.now += 60_000;
      return [{ type: 'agent.crash', agent: 'scout' }, { actor: SYSTEM }];
    },
  },
  'agent.presence': { plainly: async () => [{ type: 'agent.presence', agent: 'scout', status: 'available' }, { actor: AGENT }] },
  'agent.limit': { plainly: async () => ({ type: 'agent.limit', agent: 'curator', maxInstances: 2 }) },
  'recruitment.answer': {
    plainly: async (bench) => {
      await bench.run({ type: 'agent.change', agent: 'curator', accepts: 'ask' });
      await bench.run({ type: 'agent.recruit', sidebar: 'SB-1', agent: 'curator' });
      const actor = { id: 'AGENT-curator', type: 'agent' } as const;
      return [{ type: 'recruitment.answer', request: openRequestOf(bench), isAccepted: true }, { actor }];
    },
  },
  'recruitment.withdraw': {
    plainly: async (bench) => {
      await bench.run({ type: 'agent.change', agent: 'curator', accepts: 'ask' });
      await bench.run({ type: 'agent.recruit', sidebar: 'SB-1', agent: 'curator' });
      return { type: 'recruitment.withdraw', request: openRequestOf(bench) };
    },
  },
  'agent.recruit': { plainly: async () => ({ type: 'agent.recruit', sidebar: 'SB-1', agent: 'curator' }) },
  'agent.leave': { plainly: async () => [{ type: 'agent.leave', sidebar: 'SB-1', agent: 'scout' }, { actor: AGENT }] },
  'inbox.read': { plainly: async () => ({ type: 'inbox.read', upTo: 1 }) },
  'agent.equip': { plainly: async () => ({ type: 'agent.equip', agent: 'scout', runtime: 'echo' }) },
  'agents.rest': { plainly: async () => ({ type: 'agents.rest', isResting: true }) },
  'seat.call': { plainly: async () => ({ type: 'seat.call', sidebar: 'SB-1', agent: 'scout', wish: 'restart' }) },
  'budget.grant': { plainly: async () => ({ type: 'budget.grant', sidebar: 'SB-1', agent: 'scout', turns: 5 }) },
  'seat.tell': {
    plainly: async () => [
      {
        type: 'seat.tell',
        sidebar: 'SB-1',
        agent: 'AGENT-scout',
        state: 'ready',
        runtime: 'echo',
        model: null,
        sessionId: 's',
        contextKind: 'briefing',
        why: null,
        isCrash: false,
      },
      { actor: SYSTEM },
    ],
  },
  'turn.tell': {
    plainly: async () => [
      {
        type: 'turn.tell',
        sidebar: 'SB-1',
        agent: 'AGENT-scout',
        turn: 'turn-1',
        status: 'begun',
        upTo: 1,
        isAgain: false,
        usage: null,
        model: null,
        why: null,
        briefing: null,
      },
      { actor: SYSTEM },
    ],
  },
  'seat.hold': {
    plainly: async () => [{ type: 'seat.hold', sidebar: 'SB-1', agent: 'AGENT-scout', server: 'a1', host: 'loom', from: null }, { actor: SYSTEM }],
  },
  'limit.tell': { plainly: async () => [{ type: 'limit.tell', sidebar: 'SB-1', agent: 'AGENT-scout', of: 'turns', share: 1 }, { actor: SYSTEM }] },
  'permission.ask': { plainly: async () => [ASK_LEAVE, { actor: SYSTEM }] },
  'permission.answer': {
    plainly: async (bench) => ({ type: 'permission.answer', request: await askedBy(bench), decision: 'deny' }),
    'with a rule': async (bench) => ({ type: 'permission.answer', request: await askedBy(bench), decision: 'allow', scope: 'seat' }),
  },
  'token.misuse': { plainly: async () => [{ type: 'token.misuse', sidebar: 'SB-1', agent: 'AGENT-scout' }, { actor: SYSTEM }] },
  'permission.remind': { plainly: async (bench) => [{ type: 'permission.remind', request: await askedBy(bench) }, { actor: SYSTEM }] },
  'permission.withdraw': {
    plainly: async (bench) => {
      await askedBy(bench);
      return [{ type: 'permission.withdraw', sidebar: 'SB-1', agent: 'AGENT-scout' }, { actor: SYSTEM }];
    },
  },
  'permission.rule': { plainly: async () => LEAVE },
  'permission.revoke': {
    plainly: async (bench) => {
      await bench.run(LEAVE);
      return { type: 'permission.revoke', rule: rowsOf(bench.engine.board().permissionRules).flat()[0]?.id ?? '' };
    },
  },
};

const GIVE_UP = { type: 'sidebar.move', sidebar: 'SB-2', to: 'FAILED', reason: 'no way' } as const;
const MEDIA = { type: 'media.upload', sidebar: 'SB-1', mediaType: 'image', filePath: 'a.png', content: 'aGk=' } as const;
const GOLD = {
  type: 'gold.create',
  sourceRefs: ['MSG-1'],
  keyInsight: 'raise the pool',
  reusePattern: 'pools',
  triggerConditions: ['slow'],
} as const;

describe('every command', () => {
  const all = Object.entries(CASES).flatMap(([type, cases]) => Object.entries(cases).map(([how, make]) => [type, how, make] as const));
  test.each(all)('[ENGINE-11] %s, %s: its first id is that of one of its entries, so that it is done once', async (_type, _how, make) => {
    const bench = await stage();
    const made = await make(bench);
    const [command, more] = Array.isArray(made) ? (made as readonly [Command, Partial<Asked>]) : [made as Command, {}];
    const messageId = newMessageId();
    const done = await bench.run(command, { messageId, ...more });
    const key = keyOf((more.actor ?? { id: 'AGENT-operator' }).id, messageId);
    expect(done.events.map(({ uuid }) => uuid)).toContain(idOf(key, 0));
    expect(await bench.ask(command, { messageId, ...more })).toEqual({ kind: 'duplicate', seq: done.seq, refs: done.refs });
    expect(bench.faults).toEqual([]);
  });
});
