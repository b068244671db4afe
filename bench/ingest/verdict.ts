import { atLeast, below, layOut, MB, type Verdict } from '../measure/table.ts';
import type { IdleResult, ImportResult, LineCost, LineResult, Spent, StartResult } from './job.ts';

const mb = (bytes: number): string => (bytes / MB).toFixed(bytes < 10 * MB ? 1 : 0);
const sizeOf = ({ planted }: ImportResult): string => `${mb(planted.bytes)} MB`;
const rawOf = ({ raw }: ImportResult): Spent => ({ seconds: raw.board.seconds + raw.text.seconds, cpu: raw.board.cpu + raw.text.cpu });
const databaseShare = ({ boardBytes, indexBytes, planted }: ImportResult): number => (boardBytes + indexBytes) / planted.bytes;

export const describeImport = (result: ImportResult): string => {
  const { planted, peakBytes, boardBytes, indexBytes, raw, ccusageSeconds } = result;
  const floor = rawOf(result);
  const row = (label: string, { seconds, cpu }: Spent): readonly string[] => [
    label,
    seconds.toFixed(1),
    Number.isFinite(cpu) ? cpu.toFixed(1) : '–',
    (planted.bytes / MB / seconds).toFixed(1),
    (floor.seconds / seconds).toFixed(2),
    Number.isFinite(cpu) ? (floor.cpu / cpu).toFixed(2) : '–',
  ];
  const table = layOut([
    ['', 's', 'CPU s', 'MB/s', 'x raw', 'by CPU'],
    row('yarnboard import, whole process', result.import),
    row('raw inserts and FTS5, one thread', floor),
    row(`  of it ${raw.rows} rows of the board`, raw.board),
    row(`  of it ${raw.texts} texts into FTS5`, raw.text),
    ...(ccusageSeconds === null ? [] : [row('ccusage, reads only', { seconds: ccusageSeconds, cpu: Number.NaN })]),
  ]);
  return [
    `${sizeOf(result)}: ${planted.files} files, ${planted.sessions.length} sessions, ${planted.records} records, ${planted.messages} messages; all found`,
    table,
    `peak memory ${mb(peakBytes)} MB; board ${mb(boardBytes)} MB and index ${mb(indexBytes)} MB are ${databaseShare(result).toFixed(2)} x the source`,
  ].join('\n');
};

/** What the baseline is, told once. */
export const ABOUT_RAW =
  'raw: better-sqlite3 in one thread, every row that the import wrote and every text, at hand, into the same tables, indexes and FTS5 settings in transactions of the same size (WAL; FULL for the board, NORMAL for the index, as ours); no reading, parsing, hashing, packing or vocabulary';

export const judgeImports = (results: readonly ImportResult[]): readonly Verdict[] => {
  const [first, last] = [results[0], results.at(-1)];
  const growth =
    first === undefined || last === undefined || first === last
      ? []
      : [
          atLeast(
            last.planted.bytes / last.import.seconds / (first.planted.bytes / first.import.seconds),
            0.8,
            `MB/s of importing ${sizeOf(last)} over ${sizeOf(first)}`,
          ),
        ];
  return [
    ...results.flatMap((result) => [
      atLeast(rawOf(result).seconds / result.import.seconds, 0.7, `${sizeOf(result)}: import against raw inserts and FTS5 of the same rows`),
      {
        isMet: databaseShare(result) <= 1.5,
        text: `${sizeOf(result)}: database over source: ${databaseShare(result).toFixed(2)} (target at most 1.5)`,
      },
    ]),
    ...growth,
  ];
};

export const describeStart = ({ treeBytes, first, restart }: StartResult): string =>
  [
    `start on ${mb(treeBytes)} MB that were never read: list with the newest session after ${first.list.toFixed(2)} s, its messages after ${first.messages.toFixed(2)} s${first.isImporting ? ', while the import goes on' : '; the import was through by then'}`,
    `start again: list after ${restart.list.toFixed(2)} s; read ${mb(restart.reads)} MB until idle, ${mb(restart.extraReads)} MB more than with an empty tree`,
  ].join('\n');

export const judgeStart = ({ treeBytes, first, restart }: StartResult): readonly Verdict[] => [
  below(first.list, 2, 'first list after a cold start', 's'),
  below(first.messages, 2, 'newest session opened after a cold start', 's'),
  below(restart.list, 1, 'list after a restart', 's'),
  below(restart.extraReads / treeBytes, 0.01, 'restart, bytes read of unchanged files over their size', 'x'),
];

export const describeLine = ({ small, large }: LineResult): string => {
  const row = (cost: LineCost): readonly string[] => [
    `in ${mb(cost.fileBytes)} MB`,
    cost.p50.toFixed(0),
    cost.most.toFixed(0),
    (cost.reads / 1000).toFixed(1),
  ];
  return layOut([['one appended line', 'p50 ms', 'most ms', 'KB read'], row(small), row(large)]);
};

export const judgeLine = ({ small, large }: LineResult): readonly Verdict[] => [
  {
    isMet: large.p50 <= small.p50 * 1.5,
    text: `time until an appended line is on the log, ${mb(large.fileBytes)} MB over ${mb(small.fileBytes)} MB: ${(large.p50 / small.p50).toFixed(2)} (target at most 1.5)`,
  },
  {
    isMet: large.reads <= small.reads * 1.5 + 100_000,
    text: `bytes read for it: ${(large.reads / 1000).toFixed(0)} KB and ${(small.reads / 1000).toFixed(0)} KB (target: does not grow with the file)`,
  },
];

export const describeIdle = ({ files, seconds, cpuShare, reads, memory, memoryAfterImport }: IdleResult): string =>
  `idle with ${files} files for ${seconds} s: ${(cpuShare * 100).toFixed(2)} % of a core, ${(reads / 1000).toFixed(1)} KB read, ${mb(memory)} MB of memory (${mb(memoryAfterImport)} MB in the process that had just imported them)`;

export const judgeIdle = ({ files, cpuShare, reads, memory, memoryAfterImport }: IdleResult): readonly Verdict[] => [
  below(cpuShare * 100, 1, `idle with ${files} files`, '% of a core'),
  below(reads / 1000, 100, `idle with ${files} files, bytes read (threads that wake each other are some)`, 'KB'),
  below(memory / MB, 200, `idle with ${files} files, memory`, 'MB'),
  below(memoryAfterImport / MB, 200, `idle with ${files} files, memory right after their import`, 'MB'),
];
