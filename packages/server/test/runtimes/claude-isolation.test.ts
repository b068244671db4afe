import { expect, test } from 'vitest';
import { rested, seatWhere, spawn, stage, type Stage } from './claude-stage.ts';

/** Words that nobody would say by chance, one for each place something could leak from. */
const CANARIES = {
  parent: 'parrotfish',
  afterwards: 'anglerfish',
  here: 'hammerhead',
  hereFinding: 'flutemouth',
  there: 'threadfin',
  thereFinding: 'lumpsucker',
  sibling: 'stonefish',
} as const;

const say = (made: Stage, sidebar: string, content: string) => made.command('chat_message', { sidebar_id: sidebar, content });
const hexOf = (text: string): string => Buffer.from(text).toString('hex');

/** Everything that was put before the model in the session of a seat. */
const readBy = async (made: Stage, sidebar: string): Promise<string> => {
  const { session_id: session } = await made.get('seat', { sidebar_id: sidebar, agent_id: 'sec' });
  return made.sdk.readIn
    .filter(({ sessionId }) => sessionId === session)
    .map(({ text }) => text)
    .join('\n');
};

const foreignIn = (text: string, own: readonly string[]): readonly string[] =>
  Object.values(CANARIES).filter((word) => text.includes(word) && !own.includes(word));

test('[RT-56] [RT-29] of one agent in two sidebars on Claude nothing of one reaches the other, whatever it asks its tools for, also after a restart', async () => {
  const made = await stage();
  const parent = (await made.command('sidebar_spawn', { parent_id: 'MSG-2', task_description: 'The root of it' })).ref ?? '';
  await say(made, parent, `before: ${CANARIES.parent}`);
  const here = await spawn(made, parent);
  await seatWhere(made, here, rested(1));
  await say(made, parent, `after the branch point: ${CANARIES.afterwards}`);
  const there = await spawn(made, null);
  await seatWhere(made, there, rested(1));
  const sibling = (await made.command('sidebar_spawn', { parent_id: parent, task_description: 'Somebody else' })).ref ?? '';
  await say(made, sibling, CANARIES.sibling);
  await made.command('scratchpad_entry_submitted', { sidebar_id: there, content: CANARIES.thereFinding });
  await made.command('scratchpad_entry_submitted', { sidebar_id: here, content: CANARIES.hereFinding });
  await say(made, there, `@sec remember ${CANARIES.there}`);
  await seatWhere(made, there, rested(2));
  await say(made, here, `@sec remember ${CANARIES.here}`);
  await seatWhere(made, here, rested(2));
  // It asks for what it should not have. The words go in hexadecimal, so that asking for them is not reading them.
  const wishes = [
    ['search', { q: CANARIES.there }],
    ['search', { q: CANARIES.afterwards }],
    ['sidebar_memory', { sidebar_id: there }],
    ['scratchpad', { sidebar_id: there }],
    ['sidebar', { sidebar_id: sibling }],
    ['trace', { ref: there }],
    ['messages', { id: there }],
    ['inbox', {}],
    ['log', {}],
  ];
  await say(made, here, `@sec [[use:${hexOf(JSON.stringify(wishes))}]]`);
  await seatWhere(made, here, rested(3));
  await say(made, here, '@sec and what do you know now?');
  await seatWhere(made, here, rested(4));

  const check = async (board: Stage): Promise<void> => {
    const inHere = await readBy(board, here);
    expect(inHere).toContain(CANARIES.here);
    expect(inHere).toContain('toolu_');
    expect(foreignIn(inHere, [CANARIES.parent, CANARIES.here, CANARIES.hereFinding])).toEqual([]);
    expect(inHere).not.toContain('LATER');
    const inThere = await readBy(board, there);
    expect(inThere).toContain(CANARIES.there);
    expect(foreignIn(inThere, [CANARIES.there, CANARIES.thereFinding])).toEqual([]);
    expect(inThere).not.toContain('BRAVO');
  };
  await check(made);
  await made.board.seats.settled();
  await made.close();

  const again = await made.reopen();
  await say(again, here, '@sec go on');
  await seatWhere(again, here, rested(5));
  await say(again, there, '@sec go on');
  await seatWhere(again, there, rested(3));
  await check(again);
  expect(again.faults).toEqual([]);
  await again.close();
});
