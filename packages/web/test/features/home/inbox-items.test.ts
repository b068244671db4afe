import { expect, test } from 'vitest';
import { inboxItems, inboxRest, type Inbox } from '../../../src/features/home/inbox-items.ts';

const NOTHING: Inbox = {
  agentId: 'AGENT-operator',
  seq: 9,
  notices: [],
  toValidate: [],
  toCheck: [],
  toApprove: [],
  toReview: [],
  conflicts: [],
  more: { notices: 0, toValidate: 0, toCheck: 0, toApprove: 0, toReview: 0, conflicts: 0 },
};

test('[PAGE-44] what waits has a title, what it is about, and a way to where it is settled; what holds others up comes first', () => {
  const items = inboxItems({
    ...NOTHING,
    notices: [
      { seq: 3, at: '2026-03-14T12:00:00Z', kind: 'mention', contextId: 'SB-2', from: 'AGENT-weaver', text: 'have a look', refs: [] },
      { seq: 5, at: '2026-03-14T13:00:00Z', kind: 'gold', contextId: 'board', from: 'AGENT-weaver', text: 'it fits', refs: ['GOLD-1'] },
      { seq: 7, at: '2026-03-14T14:00:00Z', kind: 'hum', contextId: 'board', from: 'AGENT-weaver', text: 'something new', refs: [] },
    ],
    toValidate: [{ sidebarId: 'SB-1', entryId: 'FRAG-1', content: 'reeds are short', submittedBy: 'AGENT-weaver' }],
    conflicts: [{ sidebarId: 'SB-1', conflictId: 'c1', conflictDescription: 'short or long' }],
    toCheck: ['SB-3'],
    toApprove: ['SB-4'],
    toReview: ['SB-5'],
  });
  expect(items.map(({ kind, title, text, href }) => [kind, title, text, href])).toEqual([
    ['approve', 'Approve merge of SB-4', null, '/sidebars/SB-4'],
    ['check', 'Review merge of SB-3', null, '/sidebars/SB-3'],
    ['conflict', 'Resolve a conflict in SB-1', 'short or long', '/sidebars/SB-1?tab=scratchpad'],
    ['validate', 'Review a finding in SB-1', 'reeds are short', '/sidebars/SB-1?tab=scratchpad'],
    ['notice', 'hum', 'something new', '/sidebars'],
    ['notice', 'GOLD matched', 'it fits', '/refs/GOLD-1'],
    ['notice', 'You were mentioned', 'have a look', '/sidebars/SB-2'],
    ['review', 'Rate what SB-5 inherited', null, '/sidebars/SB-5'],
  ]);
  expect(new Set(items.map(({ key }) => key)).size).toBe(items.length);
});

test('[PAGE-44] what is not told is counted', () => {
  expect([inboxRest(NOTHING), inboxRest({ ...NOTHING, more: { ...NOTHING.more, notices: 3, conflicts: 4 } })]).toEqual([0, 7]);
});
