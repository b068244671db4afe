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
    for (let round = -WARMING; round < rounds; round += 1) {
      // Who is first changes: what the first one leaves warm would help the other.
      const turn = [
        [small, few],
        [large, many],
      ] as const;
      for (const [source, notes] of round % 2 === 0 ? turn : turn.toReversed())
        await spawnAndRead(ask, source, round < 0 ? createNotes() : notes, round);
    }
    results.push({ what, small: costOf(small, few), large: costOf(large, many) });
  }
  await board.close();
  return results;
};

type Notes = { readonly spawn: number[]; readonly firstRead: number[]; readonly readAgain: number[] };
const createNotes = (): Notes => ({ spawn: [], firstRead: [], readAgain: [] });

const spawnAndRead = async (ask: Ask, { parent, messages, label }: Source, notes: Notes, round: number): Promise<void> => {
  const startedAt = performance.now();
  const { ref } = await ask<{ readonly ref: string }>('POST', '/sidebars', { parent_id: parent, task_description: 'look at one more thing' });
  notes.spawn.push(performance.now() - startedAt);
  if (round >= READS) return;
  for (const times of [notes.firstRead, notes.readAgain]) {
    const readAt = performance.now();
    const page = await ask<{ readonly items: readonly unknown[] }>('GET', `/sidebars/${ref}/memory?part=inherited&limit=${PAGE}`);
    times.push(performance.now() - readAt);
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
  return { median: at(0.5), p90: at(0.9) };
};

const PAGE = 50;
const WARMING = 10;
/** Whoever reads the memory of a new sidebar walks its branch: so many are read, not all. */
const READS = 10;
