import { availableParallelism } from 'node:os';
import { atLeast, layOut, MB, type Verdict } from '../measure/table.ts';
import type { AppendsResult, Kind, VerifyResult } from './job.ts';

export const describeAppends = (results: readonly AppendsResult[]): string => {
  const header = ['durable appends a second', 'writers', 'bytes each', 'in a commit', 'ours', 'raw', 'x raw', 'same rows', 'x same rows'];
  const rows = results.map(({ kind, writers, bytesEach, shared, ours, raw, rows: same }) => [
    LABELS[kind],
    String(writers),
    bytesEach.toFixed(0),
    shared.toFixed(1),
    ours.toFixed(0),
    raw.toFixed(0),
    (ours / raw).toFixed(2),
    same.toFixed(0),
    (ours / same).toFixed(2),
  ]);
  return [
    layOut([header, ...rows]),
    'raw: payload and hashes at hand, one table without an index, as many rows in a transaction as there are writers; no number, no hash, no check',
    'same rows: what we wrote (entry with its indexes, number, packed payload, library), at hand, into the same tables in the same transactions',
    'both: better-sqlite3 in one thread, WAL, synchronous=FULL, on the same disk',
  ].join('\n');
};

export const judgeAppends = ({ kind, writers, ours, raw, rows }: AppendsResult): readonly Verdict[] => [
  atLeast(ours / raw, 0.8, `${LABELS[kind]}, ${writers} writers, against raw group commit`),
  atLeast(ours / rows, 0.8, `${LABELS[kind]}, ${writers} writers, against raw inserts of the same rows`),
];

export const describeVerify = (result: VerifyResult): string => {
  const { hashed, entries, growth } = result;
  const row = (label: string, seconds: number): readonly string[] => [
    label,
    seconds.toFixed(2),
    (hashed / MB / seconds).toFixed(0),
    ((seconds / entries) * 1e6).toFixed(1),
    (result.bareSeconds / seconds).toFixed(2),
  ];
  const table = layOut([
    [`verify, ${entries} entries, ${(hashed / MB).toFixed(0)} MB to hash`, 's', 'MB/s', 'µs an entry', 'x bare SHA-256'],
    row('bare SHA-256, bytes at hand, one thread', result.bareSeconds),
    row('verify, one thread', result.oneSeconds),
    row(`verify, all ${availableParallelism()} cores`, result.allSeconds),
  ]);
  const { append, verify } = growth;
  return [
    table,
    `append, 4000 in a commit as imports have: ${append.first.toFixed(1)} µs an entry for the first ${growth.small}, ${append.last.toFixed(1)} µs for the last ${growth.small} of ${entries}`,
    `verify, one thread: ${verify.small.toFixed(1)} µs an entry of ${growth.small}, ${verify.large.toFixed(1)} µs of ${entries}`,
  ].join('\n');
};

export const judgeVerify = ({ bareSeconds, oneSeconds, allSeconds, growth, entries }: VerifyResult): readonly Verdict[] => {
  const { append, verify, small } = growth;
  return [
    atLeast(bareSeconds / oneSeconds, 0.7, 'verify in one thread against bare SHA-256 in one thread'),
    atLeast(bareSeconds / allSeconds, 0.7, 'verify with all cores against bare SHA-256 in one thread'),
    flat(append.last / append.first, `cost of an append at ${entries} entries over that at ${small}`),
    flat(verify.large / verify.small, `cost of verifying an entry of ${entries} over one of ${small}`),
  ];
};

const flat = (ratio: number, text: string): Verdict => ({
  isMet: ratio <= 1.25,
  text: `${text}: ${ratio.toFixed(2)} (1 is flat, target at most 1.25)`,
});

const LABELS = { said: 'messages said on the board', lines: 'lines of transcripts' } as const satisfies Record<Kind, string>;
