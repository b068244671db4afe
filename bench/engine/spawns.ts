import { WrongResult } from '../measure/run.ts';
import { asker, openAt } from './home.ts';
import type { SpawnCost, SpawnOrder, SpawnResult, Times } from './job.ts';

type Ask = ReturnType<typeof asker>;
type Source = { readonly label: string; readonly parent: string; readonly messages: number };

/** What spawning costs, and reading what was inherited, when little and when much was said before: the whole way but the socket, durable. */
export const measureSpawns = async ({ folder, programs, made, rounds }: SpawnOrder): Promise<readonly SpawnResult[]> => {
  const board = await openAt(folder, programs);
  const ask = asker(board);
  const [fewLines = '', manyLines = ''] = made.sessionIds;
  const [fewSaid = '', manySaid = ''] = made.talkRefs;
  const pairs: readonly (readonly [string, Source, Source])[] = [
    ['from a session', { label: '10 messages', parent: fewLines, messages: 10 }, { label: '100,000 messages', parent: manyLines, messages: 100_000 }],
    ['from a sidebar', { label: '10 messages', parent: fewSaid, messages: 10 }, { label: '100,000 messages', parent: manySaid, messages: 100_000 }],
    [
      'nested',
      { label: 'depth 1', parent: made.chainRefs[0] ?? '', messages: 1 },
      { label: `depth ${made.chainRefs.length}`, parent: made.chainRefs.at(-1) ?? '', messages: made.chainRefs.length },
    ],
  ];
  const results: SpawnResult[] = [];
  for (const [what, small, large] of pairs) {
    const [few, many] = [createNotes(), createNotes()];
    const turn = [
      [small, few],
      [large, many],
    ] as const;
    // Who is first changes: what the first one leaves warm would help the other.
    for (let round = 0; round < WARMING + rounds; round += 1)
      for (const [source, notes] of round % 2 === 0 ? turn : turn.toReversed()) await spawnFrom(ask, source, notes);
    for (const notes of [few, many]) notes.spawn.splice(0, WARMING);
    // Whoever reads first may have to walk a long way, and leaves much to be cleared away: not while spawning is timed.
    for (let read = 0; read < READS; read += 1) for (const [source, notes] of turn) await readMemory(ask, source, notes, read);
    results.push({ what, small: costOf(small, few), large: costOf(large, many) });
  }
  await board.close();
  return results;
};

type Notes = { readonly refs: string[]; readonly spawn: number[]; readonly firstRead: number[]; readonly readAgain: number[] };
const createNotes = (): Notes => ({ refs: [], spawn: [], firstRead: [], readAgain: [] });

const spawnFrom = async (ask: Ask, { parent }: Source, { refs, spawn }: Notes): Promise<void> => {
  const startedAt = performance.now();
  const { ref } = await ask<{ readonly ref: string }>('POST', '/sidebars', { parent_id: parent, task_description: 'look at one more thing' });
  spawn.push(performance.now() - startedAt);
  refs.push(ref);
};

const readMemory = async (ask: Ask, { messages, label }: Source, { refs, firstRead, readAgain }: Notes, read: number): Promise<void> => {
  for (const times of [firstRead, readAgain]) {
    const startedAt = performance.now();
    const page = await ask<{ readonly items: readonly unknown[] }>('GET', `/sidebars/${refs[read] ?? ''}/memory?part=inherited&limit=${PAGE}`);
    times.push(performance.now() - startedAt);
    if (page.items.length !== Math.min(PAGE, messages)) throw new WrongResult(`inherited from ${label}: a page has ${page.items.length} messages`);
  }
};

const costOf = ({ label }: Source, { spawn, firstRead, readAgain }: Notes): SpawnCost => ({
  label,
  spawn: timesOf(spawn),
  firstRead: timesOf(firstRead),
  readAgain: timesOf(readAgain),
});

const timesOf = (values: readonly number[]): Times => {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { quarter: at(0.25), median: at(0.5), p90: at(0.9) };
};

const PAGE = 10;
const WARMING = 10;
const READS = 5;
