import { atLeast, layOut, MB, type Verdict } from '../measure/table.ts';
import type { CommandsResult, DecidingResult, Pair, SpawnResult, StartResult, StartRun } from './job.ts';

export const describeCommands = (results: readonly CommandsResult[]): string => {
  const header = [
    'durable commands a second',
    'clients',
    'commands',
    'in a commit',
    'ours',
    'raw',
    'x raw',
    'CPU µs each',
    'bare HTTP',
    'x bare HTTP',
  ];
  const rows = results.flatMap((result) => {
    const { clients, commands, shared, engine, alone, raw, cpu, http, bareHttp } = result;
    const row = (label: string, ours: number, more: readonly string[]): readonly string[] => [
      label,
      String(clients),
      String(commands),
      label === 'engine' ? shared.toFixed(1) : '–',
      ours.toFixed(0),
      raw.toFixed(0),
      (ours / raw).toFixed(2),
      ...more,
    ];
    return [
      row('engine', engine, [`${cpu.engine.toFixed(0)} (raw ${cpu.raw.toFixed(0)})`, '–', '–']),
      row('engine alone', alone, [cpu.alone.toFixed(0), '–', '–']),
      row('over HTTP', http, ['–', bareHttp.toFixed(0), (http / bareHttp).toFixed(2)]),
    ];
  });
  return [
    layOut([header, ...rows]),
    `a command is a chat_message of 200 characters in one of 8 sidebars, ${(results[0]?.bytesEach ?? 0).toFixed(0)} bytes on the log; every client waits for its answer`,
    'engine: a board as a server opens it, writer and indexer in their threads, hub and watchers at work; alone: the engine and a store in one thread, nobody else',
    'raw: the same bytes and hashes at hand, better-sqlite3 in one thread, one table without an index, as many rows in a transaction as there are clients; WAL, synchronous=FULL, the same disk',
    'bare HTTP: the same clients and bodies, a node:http server that parses them and answers as many bytes; no command, no log. Clients are on the same cores',
  ].join('\n');
};

export const judgeCommands = ({ clients, engine, raw }: CommandsResult): Verdict =>
  atLeast(engine / raw, 0.5, `durable commands, ${clients} at once, against raw group commit`);

export const describeSpawns = (results: readonly SpawnResult[]): string => {
  const header = ['spawn, ms', 'inherits', 'p25', 'median', 'p90', 'ratio', 'first page of memory', 'ratio', 'again', 'ratio'];
  const rows = results.flatMap(({ what, small, large }) =>
    [small, large].map((cost) => {
      const ratio = (of: (one: typeof cost) => number): string => (cost === small ? '' : (of(large) / of(small)).toFixed(2));
      return [
        what,
        cost.label,
        cost.spawn.quarter.toFixed(2),
        cost.spawn.median.toFixed(2),
        cost.spawn.p90.toFixed(2),
        ratio(({ spawn }) => spawn.median),
        cost.firstRead.median.toFixed(2),
        ratio(({ firstRead }) => firstRead.median),
        cost.readAgain.median.toFixed(2),
        ratio(({ readAgain }) => readAgain.median),
      ];
    }),
  );
  return `${layOut([header, ...rows])}\nthe whole way of sidebar_spawn and sidebar_memory but the socket; a spawn is durable when it is answered; ratios are of medians`;
};

export const judgeSpawns = (results: readonly SpawnResult[]): readonly Verdict[] =>
  results.map(({ what, small, large }) => {
    const ratio = large.spawn.median / small.spawn.median;
    return {
      isMet: ratio <= NOISE,
      text: `spawn ${what}, ${large.label} over ${small.label}, medians: ${ratio.toFixed(2)} (1 is flat, target at most ${NOISE})`,
    };
  });

export const describeStarts = (results: readonly StartResult[]): string => {
  const header = [
    'start, ms',
    'decided',
    'sidebars',
    'snapshot MB',
    'with: open',
    'first answer',
    'heap MB',
    'without: open',
    'first answer',
    'heap MB',
  ];
  const run = ({ opened, answered, heapBytes }: StartRun): readonly string[] => [opened.toFixed(0), answered.toFixed(0), (heapBytes / MB).toFixed(0)];
  const rows = results.map((result) => [
    `${result.entries} entries`,
    String(result.decided),
    String(result.sidebars),
    (result.snapshotBytes / MB).toFixed(1),
    ...run(result.with),
    ...run(result.without),
  ]);
  return [layOut([header, ...rows]), growthOf(results)].join('\n');
};

/** What comes on top of an empty board, for as many entries. */
const growthOf = (results: readonly StartResult[]): string => {
  const [empty, small, large] = results;
  if (empty === undefined || small === undefined || large === undefined) return '';
  // An empty board leaves no snapshot: both are the same.
  const least = Math.min(empty.with.answered, empty.without.answered);
  const text = (which: 'with' | 'without'): string => {
    const [atSmall, atLarge] = [small, large].map((result) => result[which].answered - least) as [number, number]; // one for each
    // Less than threads take to start one time or another is nothing that could be divided by.
    const times = atSmall < LEAST ? '' : `, ${(atLarge / atSmall).toFixed(1)} times`;
    return `${which} a snapshot ${atSmall.toFixed(0)} ms, then ${atLarge.toFixed(0)} ms${times}`;
  };
  return `on top of an empty board, ${(large.entries / small.entries).toFixed(1)} times the entries: ${text('with')}; ${text('without')}`;
};

export const describeDeciding = ({ commands, conflicts, matches, bareCount, characters }: DecidingResult): string => {
  const row = ({ what, few, many, small, large }: Pair, of: string): readonly string[] => [
    `${what}, ${few} and ${many} ${of}`,
    small.toFixed(2),
    large.toFixed(2),
    (large / small).toFixed(2),
  ];
  const perFinding = (conflicts.large - conflicts.small) / (conflicts.many - conflicts.few);
  return [
    layOut([
      ['decide and evolve alone, µs', 'few', 'many', 'ratio'],
      ...commands.map((pair) => row(pair, 'sidebars on the board')),
      row(conflicts, 'findings beside it'),
      row(matches, 'waypoints, a message'),
    ]),
    `a finding is compared with every other one of its sidebar: ${perFinding.toFixed(1)} µs for each; the first one after a start takes ${(conflicts.first / 1000).toFixed(0)} ms`,
    `counting the words of the same ${characters} characters: ${bareCount.toFixed(2)} µs; a match is ${(matches.small / bareCount).toFixed(1)} and ${(matches.large / bareCount).toFixed(1)} times that`,
  ].join('\n');
};

/** What two measurements of the same thing may differ by on a machine that does something else, too. */
const NOISE = 1.25;
const LEAST = 50;
