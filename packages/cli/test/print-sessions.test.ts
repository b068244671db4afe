import { expect, test } from 'vitest';
import { printAnswer } from '../src/print/answer.ts';

const AT = '2026-11-15T10:20:30.000Z';
const LAYOUT = { columns: 120 };

test('[DIALECT-7] [BACK-4] sessions name their tool where there are several, what became of them in it, and what has no price', () => {
  const usage = { input_tokens: 1, output_tokens: 1, cache_write_5m_tokens: 0, cache_write_1h_tokens: 0, cache_read_tokens: 0 };
  const session = (id: string, more: object) =>
    ({
      session_id: id,
      tool: 'codex',
      title: 'Mend it',
      project: '/srv/loom',
      messages: 4,
      responses: 2,
      unpriced: 0,
      cost_usd: 1,
      usage,
      ended_at: AT,
      ...more,
    }) as never; // what is printed of one
  const told = (...items: readonly never[]) => printAnswer('sessions', { items: [...items], next_cursor: null }, LAYOUT).split('\n');
  const one = session('01a1e1a9-0e49-7f73-853a-143b8b544812', { unpriced: 2, cost_usd: 0 });
  const next = session('01a1e1a9-0e50-7f73-853a-143b8b544812', { unpriced: 1 });
  const other = session('ses_e1e494097ffeTcAbGSLsZK2y0q', { tool: 'opencode', ['in_tool']: 'deleted' });
  expect(told(one, next)).toEqual([
    'session       title    project  messages       USD  latest (UTC)',
    '01a1e1a9-0e4  Mend it  loom            4  no price  2026-11-15 10:20',
    '01a1e1a9-0e5  Mend it  loom            4     1.00+  2026-11-15 10:20',
    '',
  ]);
  expect(told(one, other)).toEqual([
    'session   tool      title    project  messages       USD  latest (UTC)      in its tool',
    '01a1e1a9  codex     Mend it  loom            4  no price  2026-11-15 10:20',
    'ses_e1e4  opencode  Mend it  loom            4      1.00  2026-11-15 10:20  deleted',
    '',
  ]);
});
