import { beforeAll, describe, expect, test } from 'vitest';
import { makeBoard, type TestBoard } from './boards.ts';
import { prompt, reply, result, use } from './records.ts';

const FIRST = '0ffe0000-0000-4000-8000-000000000001';
const SECOND = '0ffe0000-0000-4000-8000-000000000002';
const SECRET = 'ghp_Qx7mZ2pL9vR4tK8wN1bC5dF6gH3jS0aY1234';

describe('references that continue what is typed', () => {
  let board: TestBoard;
  const offered = async (typed: string, near?: string): Promise<readonly string[]> =>
    (await board.get('references', { typed, ...(near === undefined ? {} : { near }) })).items.map(({ ref, words }) => `${ref} ${words}`);

  beforeAll(async () => {
    const [first, more] = [{ sessionId: FIRST }, { sessionId: SECOND }];
    board = await makeBoard({
      files: {
        [`-p/${FIRST}.jsonl`]: [
          prompt('u1', null, 0, 'Weave a sleeve', first),
          reply('a1', 'u1', 1, [use('t1', 'Bash', { command: 'true' })], first),
          result('r1', 'a1', 2, 't1', 'ok', first),
          reply('a2', 'r1', 3, `The *yarn* is ${'x'.repeat(185)} ${SECRET}`, first),
        ],
        [`-q/${SECOND}.jsonl`]: Array.from({ length: 12 }, (_, n) => prompt(`p${n}`, n === 0 ? null : `p${n - 1}`, 60 + n, `Step ${n + 1}`, more)),
      },
    });
    const spawn = (task: string): Promise<unknown> =>
      board.command('sidebar_spawn', { parent_id: null, task_description: task, success_criteria: 'It is known.' });
    await spawn('Why does the login fail?');
    await spawn('Which wool is warm?');
    for (const content of ['The pool is too small.', 'Alpaca is warm.'])
      await board.command('scratchpad_entry_submitted', { sidebar_id: 'SB-2', content });
    const gold = (key_insight: string): Promise<unknown> =>
      board.command('gold_created', { source_refs: ['MSG-1'], key_insight, reuse_pattern: 'Wherever we weave.', trigger_conditions: ['weave'] });
    await gold('Retry on a lease that was lost.');
    await gold('Wash wool cold.');
  });

  test('[REF-15] messages by the beginning of their number: the exact one, then those from the place at hand', async () => {
    const refs = async (typed: string, near?: string): Promise<readonly string[]> =>
      (await offered(typed, near)).map((one) => one.split(' ')[0] ?? '');
    const [exact, ...others] = await refs('MSG-1');
    expect(exact).toBe('MSG-1');
    expect(others).toContain('MSG-10');
    expect(others.every((ref) => ref.startsWith('MSG-1'))).toBe(true);
    expect(others).toEqual(others.toSorted().toReversed()); // the latest first
    expect(await refs('msg-1', FIRST)).toEqual(await refs('MSG-1'));
    expect([await refs('MSG-999'), await refs('MSG-x'), await refs('MSG-0'), await refs('nothing')]).toEqual([[], [], [], []]);
  });

  test('[REF-15] without a number, the latest messages of the place that say something, masked before they are cut', async () => {
    const here = await offered('MSG-', FIRST);
    expect(here.map((one) => one.replace(/^MSG-\d+ /u, '').slice(0, 14))).toEqual(['The *yarn* is ', '💻 Running tru', 'Weave a sleeve']);
    expect(here.join(' ')).not.toContain('ghp_');
    const [latest, before] = await offered('MSG-', SECOND);
    expect([latest, before]).toEqual([expect.stringMatching(/^MSG-\d+ Step 12$/u), expect.stringMatching(/^MSG-\d+ Step 11$/u)]);
    expect(await offered('MSG-')).toEqual([]);
    expect(await offered('MSG-', 'nowhere')).toEqual([]);
  });

  test('[REF-15] GOLD, sidebars, scratchpads and their findings by number or by words, the latest first', async () => {
    expect(await offered('GOLD-')).toEqual(['GOLD-2 Wash wool cold.', 'GOLD-1 Retry on a lease that was lost.']);
    expect(await offered('GOLD-lease')).toEqual(['GOLD-1 Retry on a lease that was lost.']);
    expect(await offered('SB-')).toEqual(['SB-2 Which wool is warm?', 'SB-1 Why does the login fail?']);
    expect(await offered('sb-1')).toEqual(['SB-1 Why does the login fail?']);
    // An empty scratchpad has nothing to cite.
    expect(await offered('SCRATCH-')).toEqual(['SCRATCH-2 Which wool is warm?']);
    expect(await offered('SCRATCH-', 'SB-2')).toEqual([
      'SCRATCH-2:FINDING-2 Alpaca is warm.',
      'SCRATCH-2:FINDING-1 The pool is too small.',
      'SCRATCH-2 Which wool is warm?',
    ]);
    for (const typed of ['SCRATCH-2:FINDING-1', 'SCRATCH-2:1', 'SCRATCH-2:pool'])
      expect(await offered(typed)).toEqual(['SCRATCH-2:FINDING-1 The pool is too small.']);
    expect(await offered('SCRATCH-2:FIN')).toHaveLength(2);
    expect(await offered('SCRATCH-9:FINDING-')).toEqual([]);
  });

  test('[REF-15] a secret is not found by guessing it', async () => {
    await board.command('sidebar_spawn', { parent_id: null, task_description: `Who uses ${SECRET}?`, success_criteria: 'It is known.' });
    expect(await offered('SB-who')).toEqual([expect.stringMatching(/^SB-3 Who uses .*\?$/u)]);
    expect(await offered(`SB-${SECRET.slice(0, 12)}`)).toEqual([]);
  });

  test('[REF-15] no more than asked for', async () => {
    expect((await board.get('references', { typed: 'MSG-1', limit: 1 })).items).toHaveLength(1);
    expect((await board.get('references', { typed: 'SB', limit: 1 })).items).toHaveLength(1);
    expect(await offered('sb-wool')).toEqual(['SB-2 Which wool is warm?']);
  });
});
