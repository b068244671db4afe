import { expect, test } from 'vitest';
import { NOTICE_KINDS } from '@yarnboard/domain';
import { inboxItems, inboxRest, type Inbox } from '../../../src/features/home/inbox-items.ts';

const NOTHING: Inbox = {
  agentId: 'AGENT-operator',
  seq: 9,
  notices: [],
  toDecide: [],
  toValidate: [],
  goldToValidate: [],
  toAnswer: [],
  toCheck: [],
  toApprove: [],
  toReview: [],
  toVerify: [],
  toSettle: [],
  toJudge: [],
  conflicts: [],
  more: {
    notices: 0,
    toDecide: 0,
    toValidate: 0,
    goldToValidate: 0,
    toAnswer: 0,
    toCheck: 0,
    toApprove: 0,
    toReview: 0,
    toVerify: 0,
    toSettle: 0,
    toJudge: 0,
    conflicts: 0,
  },
};

test('[PAGE-44] what waits has a title, what it is about, and a way to where it is settled; what holds others up comes first', () => {
  const items = inboxItems({
    ...NOTHING,
    notices: [
      { seq: 3, at: '2026-03-14T12:00:00Z', kind: 'mention', level: 'info', contextId: 'SB-2', from: 'AGENT-weaver', text: 'have a look', refs: [] },
      {
        seq: 5,
        at: '2026-03-14T13:00:00Z',
        kind: 'gold',
        level: 'info',
        contextId: 'board',
        from: 'AGENT-weaver',
        text: 'it fits',
        refs: ['GOLD-1'],
      },
      { seq: 7, at: '2026-03-14T14:00:00Z', kind: 'hum', level: 'info', contextId: 'board', from: 'AGENT-weaver', text: 'something new', refs: [] },
    ],
    toValidate: [{ sidebarId: 'SB-1', entryId: 'FRAG-1', content: 'reeds are short', submittedBy: 'AGENT-weaver' }],
    conflicts: [{ sidebarId: 'SB-1', conflictId: 'c1', conflictDescription: 'SCRATCH-1:FINDING-4 and SCRATCH-1:FINDING-1: short or long' }],
    toCheck: ['SB-3'],
    toApprove: ['SB-4'],
    toReview: ['SB-5'],
    toVerify: [{ sidebarId: 'SB-5', exchangeId: 'EXCH-4' }],
    toSettle: [{ sidebarId: 'SB-6', claimId: 'SB-6:CLAIM-1', exchangeId: 'EXCH-7', agents: ['AGENT-ada', 'AGENT-ben'] }],
  });
  expect(items.map(({ kind, title, text, href }) => [kind, title, text, href])).toEqual([
    ['approve', 'Approve merge of SB-4', null, '/sidebars/SB-4'],
    ['check', 'Review merge of SB-3', null, '/sidebars/SB-3'],
    ['conflict', 'Resolve a conflict in SB-1', 'Finding 4 and Finding 1: short or long', '/sidebars/SB-1?tab=scratchpad'],
    ['dispute', 'Settle EXCH-7 in SB-6', 'ada and ben disagree about whether it is true', '/sidebars/SB-6?tab=claims&claim=1'],
    ['validate', 'Review a finding in SB-1', 'reeds are short', '/sidebars/SB-1?tab=scratchpad'],
    ['notice', 'hum', 'something new', '/sidebars'],
    ['notice', 'GOLD matched', 'it fits', '/refs/GOLD-1'],
    ['notice', 'You were mentioned', 'have a look', '/sidebars/SB-2'],
    ['review', 'Rate what SB-5 inherited', null, '/sidebars/SB-5'],
    ['verify', 'Check EXCH-4 in SB-5', null, '/sidebars/SB-5'],
  ]);
  expect(new Set(items.map(({ key }) => key)).size).toBe(items.length);
});

test('[PAGE-44] what is not told is counted', () => {
  expect([inboxRest(NOTHING), inboxRest({ ...NOTHING, more: { ...NOTHING.more, notices: 3, conflicts: 4 } })]).toEqual([0, 7]);
});

const told = (seq: number, kind: string, level: 'info' | 'warning' | 'escalate'): Inbox['notices'][number] => ({
  seq,
  at: '2026-03-14T12:00:00Z',
  kind,
  level,
  contextId: 'SB-2',
  from: 'AGENT-weaver',
  text: kind,
  refs: [],
});

test('[PAGE-211] what needs a decision comes first and what is only told last; only what waits for somebody is counted', () => {
  const items = inboxItems({
    ...NOTHING,
    notices: [told(1, 'joined', 'info'), told(2, 'failed', 'warning'), told(3, 'seat', 'escalate'), told(4, 'mention', 'info')],
    toCheck: ['SB-3'],
  });
  expect(items.map(({ title, level, isWaiting }) => [title, level, isWaiting])).toEqual([
    ['An agent needs you', 'escalate', true],
    ['Review merge of SB-3', null, true],
    ['Sidebar failed', 'warning', true],
    ['You were mentioned', 'info', true],
    ['Someone joined', 'info', false],
  ]);
});

test('[PAGE-211] every kind of notice has a title of its own', () => {
  // What is asked for is listed with its answers, not as a notice.
  const kinds = NOTICE_KINDS.filter((kind) => kind !== 'permission');
  const titles = inboxItems({ ...NOTHING, notices: NOTICE_KINDS.map((kind, n) => told(n, kind, 'info')) }).map(({ title }) => title);
  expect(new Set(titles).size).toBe(kinds.length);
  for (const title of titles) expect(title).toMatch(/^[A-Z].* /u);
});

test('[PAGE-533] what is to be decided comes first, once, and leads to where it is decided', () => {
  const decision = { sidebarId: 'SB-2', agentId: 'AGENT-weaver', since: '2026-03-14T12:00:00Z', reason: 'we cannot agree', canPause: [] };
  const items = inboxItems({
    ...NOTHING,
    notices: [told(1, 'escalation', 'escalate'), told(2, 'capacity', 'escalate'), told(3, 'seat', 'escalate'), told(4, 'recruited', 'escalate')],
    toDecide: [
      { ...decision, what: 'escalation' },
      { ...decision, what: 'queued', canPause: [{ sidebarId: 'SB-5', priority: 'NORMAL' }] },
      { ...decision, what: 'failed' },
      { ...decision, what: 'request' },
    ],
  });
  expect(
    items.map(({ kind, title, text, href, level, isWaiting, canPause }) => [kind, title, text, href, level, isWaiting, canPause.length]),
  ).toEqual([
    ['decide', 'weaver needs your decision in SB-2', 'we cannot agree', '/sidebars/SB-2', 'escalate', true, 0],
    [
      'decide',
      'CRITICAL task SB-2 waits for weaver',
      'All its seats are taken, and nothing could be paused automatically.',
      '/sidebars/SB-2',
      'escalate',
      true,
      1,
    ],
    ['decide', 'weaver keeps failing in SB-2', 'we cannot agree', '/sidebars/SB-2?seat=AGENT-weaver', 'escalate', true, 0],
    ['decide', 'weaver asks you to join SB-2', 'we cannot agree', '/sidebars/SB-2', 'escalate', true, 0],
  ]);
});

test('[PAGE-211] a proposal and a merge that wait are listed once, with the way to answer them', () => {
  const items = inboxItems({
    ...NOTHING,
    notices: [told(1, 'proposal', 'escalate'), told(2, 'package', 'escalate'), told(3, 'proposal', 'warning')],
    toAnswer: [{ sidebarId: 'SB-2', proposalId: 'PROPOSAL-1', proposal: 'archive SB-2: done', proposedBy: 'AGENT-weaver' }],
    goldToValidate: [{ goldId: 'GOLD-1', keyInsight: 'Pools leak.', createdBy: 'AGENT-weaver', sidebarId: 'SB-2' }],
    toCheck: ['SB-2'],
  });
  expect(items.map(({ title, href, proposal }) => [title, href, proposal])).toEqual([
    ['weaver wants to archive SB-2: done', '/sidebars/SB-2', { sidebarId: 'SB-2', proposalId: 'PROPOSAL-1' }],
    ['Review merge of SB-2', '/sidebars/SB-2', null],
    ['Review GOLD-1 from SB-2', '/refs/GOLD-1', null],
    ['Your proposal was answered', '/sidebars/SB-2', null],
  ]);
});
