import { REGISTRY, type OutputOf } from '@yarnboard/protocol';
import { expect, test } from 'vitest';
import { printAnswer } from '../src/print/answer.ts';
import { eventLine } from '../src/print/events.ts';

const AT = '2026-11-15T10:20:30.000Z';
const LAYOUT = { columns: 100 };

test('[CLI-26] the inbox names what it showed, and nothing where there is nothing to read', () => {
  const notice = {
    seq: 17,
    at: AT,
    kind: 'mention',
    level: 'info',
    context_id: 'SB-3',
    from: 'AGENT-y',
    text: 'look',
    refs: [] as string[],
  } as const;
  const inbox: OutputOf<'inbox'> = {
    agent_id: 'AGENT-x',
    seq: 40,
    notices: [notice],
    to_decide: [],
    to_validate: [],
    gold_to_validate: [],
    to_answer: [],
    to_check: ['SB-3'],
    to_approve: [],
    to_review: [],
    to_verify: [],
    to_settle: [],
    to_judge: [],
    conflicts: [],
    more: {
      notices: 0,
      to_decide: 0,
      to_validate: 0,
      gold_to_validate: 0,
      to_answer: 0,
      to_check: 0,
      to_approve: 0,
      to_review: 0,
      to_verify: 0,
      to_settle: 0,
      to_judge: 0,
      conflicts: 0,
    },
  };
  expect(printAnswer('inbox', inbox, LAYOUT)).toBe(
    'AGENT-x: 2 waiting\n  17 2026-11-15 10:20 SB-3 AGENT-y: look\n  check the merge package of SB-3\nonce read: `yarnboard agent read 17`\n',
  );
  expect(printAnswer('inbox', { ...inbox, notices: [] }, LAYOUT)).toBe('AGENT-x: 1 waiting\n  check the merge package of SB-3\n');
  expect(printAnswer('inbox', { ...inbox, notices: [], more: { ...inbox.more, to_check: 7, conflicts: 2 } }, LAYOUT)).toBe(
    'AGENT-x: 10 waiting\n  check the merge package of SB-3\n  … 7 more to check, 2 more conflicts\n',
  );
  const urgent: OutputOf<'inbox'> = {
    ...inbox,
    notices: [
      { ...notice, level: 'warning', text: 'SB-3 failed' },
      { ...notice, seq: 18, level: 'escalate', text: 'AGENT-y asks to archive SB-3' },
    ],
    to_answer: [{ sidebar_id: 'SB-3', proposal_id: 'PROPOSAL-1', proposal: 'archive SB-3', proposed_by: 'AGENT-y' }],
    gold_to_validate: [{ gold_id: 'GOLD-2', key_insight: 'raise the pool', created_by: 'AGENT-y', sidebar_id: 'SB-3' }],
    to_check: [],
  };
  expect(REGISTRY.inbox.output.parse(urgent)).toEqual(urgent);
  expect(printAnswer('inbox', urgent, LAYOUT)).toBe(
    [
      'AGENT-x: 4 waiting',
      '  17 2026-11-15 10:20 SB-3 warning AGENT-y: SB-3 failed',
      '  18 2026-11-15 10:20 SB-3 needs you AGENT-y: AGENT-y asks to archive SB-3',
      '  answer SB-3 PROPOSAL-1: AGENT-y asks to archive SB-3',
      '  validate GOLD-2 by AGENT-y: raise the pool',
      'once read: `yarnboard agent read 18`',
      '',
    ].join('\n'),
  );
  expect(eventLine({ type: 'inbox_ack', agent_id: 'AGENT-x', up_to: 17 })).toBe('AGENT-x has read everything up to 17');
  expect(eventLine({ type: 'inbox_ack', agent_id: 'AGENT-x', up_to: 0 })).toBe('AGENT-x had nothing to read');
});
