import { expect, test } from 'vitest';
import { printAnswer } from '../src/print/answer.ts';

test('[CLI-20] [LOAD-11] whoever is offline is told, why somebody was chosen, and everything of a plan', () => {
  const result = { why: null, queue_position: null, alternatives: [], instance_id: null, request_id: null };
  const recruitments = [
    { ...result, agent_id: 'AGENT-x', status: 'joined' as const, message: 'AGENT-x takes part' },
    { ...result, agent_id: 'AGENT-y', status: 'offline' as const, message: 'AGENT-y is offline', alternatives: ['AGENT-z'] },
  ];
  const done = { message_id: 'm', seq: 1, ref: null, refs: [], duplicate: false, warnings: [], events: [], recruitments };
  expect(printAnswer('sidebar_spawn', done, { columns: 100 })).toBe('AGENT-y is offline; free instead: AGENT-z\n');
  expect(printAnswer('agent_recruited', { ...done, planned: true }, { columns: 100 })).toBe(
    'plan: AGENT-x takes part\nplan: AGENT-y is offline; free instead: AGENT-z\n',
  );
  const chosen = { ...result, agent_id: 'AGENT-x', why: 'good at caches', message: 'AGENT-x takes part (good at caches)', alternatives: ['AGENT-z'] };
  expect(printAnswer('agent_recruited', { ...done, recruitments: [{ ...chosen, status: 'joined' }] }, { columns: 100 })).toBe(
    'AGENT-x takes part (good at caches); free instead: AGENT-z\n',
  );
});
