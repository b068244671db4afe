import { expect, test } from 'vitest';
import { printPermissions } from '../src/print/permissions.ts';

const asked = {
  request_id: 'q1',
  run_id: null,
  agent_id: 'AGENT-sec',
  sidebar_id: 'SB-3',
  session_id: null,
  tool: 'Bash',
  title: null,
  summary: 'npm test',
  input: { command: 'npm test' },
  directory: '/loom',
  asked_at: '2026-11-19T02:27:08.525Z',
  reminded_at: null,
  alike: 'npm test *',
  decision: null,
  means: null,
  answered_by: null,
  answered_at: null,
  message: null,
  is_changed: false,
  always: null,
  scope: null,
} as const;

test('[RT-50] [RT-69] what waits is listed with the command that answers it, then what was answered, then the rules', () => {
  expect(printPermissions({ items: [], rules: [] })).toBe('nothing waits for your answer\n');
  const answered = {
    ...asked,
    decision: 'allow',
    means: 'once',
    answered_by: 'AGENT-operator',
    answered_at: '2026-11-19T02:30:00.000Z',
    is_changed: true,
  } as const;
  const rule = {
    rule_id: 'r1',
    agent_id: 'AGENT-sec',
    sidebar_id: null,
    tool: 'Bash',
    pattern: 'npm test *',
    directory: '/loom',
    made_by: 'AGENT-operator',
    made_at: '2026-11-19T02:30:00.000Z',
    used_at: null,
    uses: 0,
  };
  expect(printPermissions({ items: [asked, answered], rules: [rule] }).split('\n')).toEqual([
    'AGENT-sec wants to use Bash in SB-3, /loom, since 2026-11-19 02:27',
    '  npm test',
    '  yarnboard agent permit q1 allow',
    '',
    'answered:',
    '  2026-11-19 02:30  AGENT-sec  Bash npm test: allowed with changes',
    '',
    'allowed without asking:',
    '  AGENT-sec  Bash npm test *  in /loom  (yarnboard agent revoke r1)',
    '',
  ]);
});
