import type { Item } from '@yarnboard/store';
import { draftOfLine, NOWHERE } from '@yarnboard/store';
import { readEntry } from '@yarnboard/transcript';
import { expect, test } from 'vitest';
import { readMemory } from '../../src/engine/memory.ts';
import { NOON, openEngine, type EngineBench } from '../engine/bench.ts';
import { prompt, reply, toolResult, toolUse, uuidOf } from '../engine/records.ts';

const at = (name: string, parent: string | null) => ({ sessionId: 'knot', name, parent });

const put = (bench: EngineBench, ...items: readonly Item[]) => bench.store.log.append({ items, files: [] });

const fromMessage = (name: string) =>
  ({
    type: 'sidebar.spawn',
    origin: { kind: 'session', sessionId: 'knot', leafUuid: uuidOf(`knot/${name}`), upTo: null },
    task: 'look into it',
  }) as const;

const inherited = async ({ engine, sidebar }: EngineBench, ref: string): Promise<readonly string[]> =>
  (await readMemory(engine.memory, engine.board(), sidebar(ref), 'inherited', { limit: 100 })).items.map(({ text }) => text);

/** A message of a sub-agent, in a file of its own. */
const ofAgent = (name: string, parent: string | null, text: string): Item => {
  const record = {
    type: parent === null ? 'user' : 'assistant',
    uuid: uuidOf(`knot/${name}`),
    parentUuid: parent === null ? null : uuidOf(`knot/${parent}`),
    sessionId: 'knot',
    agentId: 'scout',
    isSidechain: true,
    timestamp: new Date(NOON).toISOString(),
    message: parent === null ? { role: 'user', content: text } : { id: `msg_${name}`, role: 'assistant', content: [{ type: 'text', text }] },
  };
  const bytes = Buffer.from(JSON.stringify(record));
  const reading = readEntry(record, NOWHERE, true);
  const context = { sessionId: 'knot', agentId: 'scout' };
  return { draft: draftOfLine({ context, reading, fault: null, length: bytes.length, occurrence: 1, fallbackAt: NOON }), payload: bytes, reading };
};

test('[ENGINE-32] off an earlier message nothing that came later is inherited: no merge, no result, no other block', async () => {
  const bench = await openEngine();
  await put(
    bench,
    prompt(at('a', null), 'why?'),
    reply(at('b', 'a'), 'let me see', 'm'),
    toolUse(at('c', 'b'), 'one', 'm'),
    toolResult(at('r', 'c'), 'one'),
    reply(at('d', 'r'), 'because'),
  );
  await bench.run(fromMessage('d'));
  await bench.run({ type: 'sidebar.consolidate', sidebar: 'SB-1', summary: 'found' });
  await bench.run({ type: 'merge.check', sidebar: 'SB-1', isFit: true });
  await bench.run({ type: 'sidebar.merge', sidebar: 'SB-1' });
  await put(bench, prompt(at('e', 'd'), 'go on'));
  for (const name of ['b', 'c', 'd', 'e']) await bench.run(fromMessage(name));
  expect(await inherited(bench, 'SB-2')).toEqual(['why?', 'let me see']);
  expect(await inherited(bench, 'SB-3')).toHaveLength(3);
  expect(await inherited(bench, 'SB-4')).toEqual(await inherited(bench, 'SB-1'));
  expect((await inherited(bench, 'SB-5')).slice(-2)).toEqual(['Sidebar SB-1 completed: found', 'go on']);
});

test('[ENGINE-32] off a sub-agent’s message the sub-agent’s own conversation is inherited, up to there', async () => {
  const bench = await openEngine();
  await put(bench, prompt(at('a', null), 'why?'), reply(at('b', 'a'), 'I ask a scout'));
  await put(bench, ofAgent('s1', null, 'look around'), ofAgent('s2', 's1', 'I see a pool'), ofAgent('s3', 's2', 'it is empty'));
  await put(bench, reply(at('c', 'b'), 'the scout says it is empty'));
  await bench.run(fromMessage('s2'));
  expect(await inherited(bench, 'SB-1')).toEqual(['look around', 'I see a pool']);
});
