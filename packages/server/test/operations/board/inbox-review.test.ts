import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OutputOf } from '@yarnboard/protocol';
import { DEMO, makeBoard, type TestBoard } from '../boards.ts';

describe('scores that an inbox asks for', () => {
  let board: TestBoard;
  const tokens = new Map<string, string>();
  beforeAll(async () => {
    board = await makeBoard({ roots: [DEMO] });
    for (const name of ['research', 'review']) tokens.set(name, (await board.command('agent_register', { agent_id: name })).token);
  });
  afterAll(() => board.close());

  const askedOf = async (token: string): Promise<readonly string[]> => {
    const response = await board.ask('/api/v1/inbox', { headers: { authorization: `Bearer ${token}` } });
    return ((await response.json()) as OutputOf<'inbox'>).to_review; // the doors' tests hold it to its schema
  };
  const tokenOf = (name: string): string => tokens.get(name) ?? '';
  const spawned = async (parent: string | null, participants: readonly string[]): Promise<string> =>
    (await board.command('sidebar_spawn', { parent_id: parent, task_description: 'look', success_criteria: 'c', participants })).ref ?? '';

  test('[MEM-12] where nothing was inherited, or what was said came later, nobody is asked', async () => {
    const root = await spawned(null, ['research']);
    const child = await spawned(root, ['research', 'review']);
    expect((await board.get('sidebar', { sidebar_id: child })).to_review).toEqual(['AGENT-operator', 'AGENT-research', 'AGENT-review']);
    await board.command('chat_message', { sidebar_id: root, content: 'Said after the other one began.' });
    expect([await askedOf(tokenOf('research')), await askedOf(board.token)]).toEqual([[], []]);
  });

  test('[MEM-12] a recruit is asked where something was said before, in a sidebar or a session, until it has scored', async () => {
    const root = await spawned(null, []);
    const { refs } = await board.command('chat_message', { sidebar_id: root, content: 'The pool has five connections.' });
    const child = await spawned(root, ['review']);
    const inSession = await spawned((await board.get('sessions')).items[0]?.session_id ?? '', ['review']);
    const alone = await spawned(root, []);
    expect(await askedOf(tokenOf('review'))).toEqual([child, inSession]);
    expect([await askedOf(tokenOf('research')), await askedOf(board.token)]).toEqual([[], []]);
    await board.command('agent_recruited', { sidebar_id: alone, agent_id: 'research' });
    expect(await askedOf(tokenOf('research'))).toEqual([alone]);
    const exchange = refs.find((ref) => ref.startsWith('EXCH-')) ?? '';
    await board.ask(`/api/v1/sidebars/${child}/relevance`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokenOf('review')}` },
      body: JSON.stringify({ scores: { [exchange]: 'HIGH' } }),
    });
    expect(await askedOf(tokenOf('review'))).toEqual([inSession]);
  });
});
