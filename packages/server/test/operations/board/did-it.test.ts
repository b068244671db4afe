import { describe, expect, test } from 'vitest';
import { makeBoard, type TestBoard } from '../boards.ts';

const SESSION = 'd1d1d1d1-0000-4000-8000-00000000ffff';
const uuid = (n: number): string => `d1d1d1d1-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** A session, record by record: what the human asks, what the agent says and does, and what came of it. */
const session = (steps: readonly (readonly ['ask' | 'say' | 'do' | 'done' | 'failed', string])[]): readonly object[] =>
  steps.map(([kind, text], at) => {
    const about = { parentUuid: at === 0 ? null : uuid(at), uuid: uuid(at + 1), sessionId: SESSION, cwd: '/p', version: '2.0.0' };
    const timestamp = new Date(Date.UTC(2026, 0, 4, 10, 0, at)).toISOString();
    const result = [{ type: 'tool_result', tool_use_id: `t${at - 1}`, content: text, is_error: kind === 'failed' }];
    const use = [{ type: 'tool_use', id: `t${at}`, name: 'Bash', input: { command: text } }];
    if (kind === 'ask') return { ...about, timestamp, type: 'user', message: { role: 'user', content: text } };
    if (kind === 'done' || kind === 'failed') return { ...about, timestamp, type: 'user', message: { role: 'user', content: result } };
    const content = kind === 'say' ? [{ type: 'text', text }] : use;
    return { ...about, timestamp, type: 'assistant', message: { id: `m${at}`, role: 'assistant', model: 'claude', content } };
  });

const boardWith = (steps: Parameters<typeof session>[0]): Promise<TestBoard> => makeBoard({ files: { [`-p/${SESSION}.jsonl`]: session(steps) } });

/** Has every claim of the first exchange checked, one after the other, and tells what came of them. */
const checkAll = async (board: TestBoard, count: number): Promise<readonly (readonly [string, string, string | undefined])[]> => {
  const spawned = await board.command('sidebar_spawn', { parent_id: SESSION, task_description: 'look', success_criteria: 'c' });
  const sidebar = spawned.ref ?? '';
  for (let n = 0; n < count; n += 1) await board.command('claim_validate', { sidebar_id: sidebar, claim_id: 'EXCH-1' });
  const { items } = await board.get('claims', { sidebar_id: sidebar });
  return items
    .filter(({ validation }) => validation !== null)
    .map(
      ({ words, verification, validation }) =>
        [words ?? '', verification, validation?.attempts.find(({ says }) => says !== 'nothing')?.evidence] as const,
    )
    .toSorted((a, b) => (a[0] < b[0] ? -1 : 1));
};

describe('what an agent says that it did', () => {
  test('[VAL-29] is checked against the calls of its own session, with nothing on this machine to look at', async () => {
    const board = await boardWith([
      ['ask', 'please fix the retry'],
      ['do', "sed -i 's/3/5/' src/retry.ts"],
      ['done', ''],
      ['do', 'npm test'],
      ['failed', 'Exit code 1\nTests  2 failed | 39 passed (41)'],
      ['say', 'I updated src/retry.ts. All tests pass.'],
    ]);
    expect(await checkAll(board, 2)).toEqual([
      ['All tests pass.', 'contradicted', 'a command (MSG-4) failed'],
      ['I updated src/retry.ts.', 'confirmed', 'a command (MSG-2) succeeded'],
    ]);
  });

  test('[VAL-29] nothing that comes later in the session, and nothing that the human says they did, counts', async () => {
    const board = await boardWith([
      ['ask', 'I deployed it to staging.'],
      ['do', 'ls'],
      ['done', 'src'],
      ['say', 'I committed everything.'],
      ['ask', 'and now?'],
      ['do', 'git commit -am x'],
      ['done', '[main 1a2b3c4] x'],
    ]);
    expect(await checkAll(board, 2)).toEqual([
      ['I committed everything.', 'contradicted', 'none of the 1 calls before it could have done it'],
      ['I deployed it to staging.', 'unverified', undefined],
    ]);
  });
});
