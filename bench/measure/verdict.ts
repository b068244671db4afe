import type { Appends } from './job.ts';
import type { SizeResult } from './size-run.ts';
import { layOut, MB, type Verdict } from './table.ts';

const LABELS = {
  floor: 'floor: read + JSON.parse',
  parse: 'parse only',
  one: 'whole analysis, one thread',
  all: 'whole analysis, all cores',
} as const;

/** The table of one size. */
export const describeSize = (result: SizeResult): string => {
  const { planted, best, ccusage } = result;
  const header = ['', 'wall s', 'CPU s', 'MB/s', 'x floor', 'by CPU', 'x ccusage', 'peak MB'];
  const rows = (['floor', 'parse', 'one', 'all'] as const).map((job) => {
    const run = best[job];
    return [
      LABELS[job],
      run.seconds.toFixed(2),
      run.cpuSeconds.toFixed(2),
      (planted.bytes / MB / run.seconds).toFixed(0),
      (best.floor.seconds / run.seconds).toFixed(2),
      (best.floor.cpuSeconds / run.cpuSeconds).toFixed(2),
      ccusage === null ? '–' : (ccusage.seconds / run.processSeconds).toFixed(2),
      (run.peakBytes / MB).toFixed(0),
    ];
  });
  const peer =
    ccusage === null
      ? []
      : [
          [
            'ccusage (whole process)',
            ccusage.seconds.toFixed(2),
            '–',
            (planted.bytes / MB / ccusage.seconds).toFixed(0),
            (best.floor.seconds / ccusage.seconds).toFixed(2),
            '–',
            '1.00',
            '–',
          ],
        ];
  const title = `${(planted.bytes / MB).toFixed(0)} MB: ${planted.files} files, ${planted.sessions.length} sessions, ${planted.records} records (largest session ${largestOf(result)}), ${planted.sidechains} sub-agents, ${planted.branchPoints} branch points, ${planted.compactions} compactions`;
  return `${title}\n${layOut([header, ...rows, ...peer])}`;
};

export const describeGrowth = (results: readonly SizeResult[]): string => {
  const [small, large] = [results[0], results.at(-1)];
  if (small === undefined || large === undefined || small === large) return '';
  const growth = (['floor', 'one', 'all'] as const).map((job) => `${job} ${(perByte(large, job) / perByte(small, job)).toFixed(2)}`).join(', ');
  return `time per MB at ${mb(large)} MB over time per MB at ${mb(small)} MB: ${growth}`;
};

const perByte = (result: SizeResult, job: 'floor' | 'one' | 'all'): number => result.best[job].seconds / result.planted.bytes;

export const describeAppends = ({ small, large }: Appends): string =>
  [small, large]
    .map(
      (cost) =>
        `append + extendShape in a session of ${cost.records} records: ${cost.perLine.toFixed(2)} µs a line; a child before its parent: ${(cost.lateParent / 1000).toFixed(2)} ms`,
    )
    .join('\n')
    .concat(
      `\nratio: ${(large.perLine / small.perLine).toFixed(2)} (1 = the cost does not depend on the size of the session); child before parent: ${(large.lateParent / small.lateParent).toFixed(0)}`,
    );

/** The budgets, one line each and size. */
export const judge = (results: readonly SizeResult[], cores: number): readonly Verdict[] =>
  results.flatMap((result) => {
    const { best, ccusage, planted } = result;
    const size = `${mb(result)} MB`;
    const one = best.floor.seconds / best.one.seconds;
    const perCore = best.floor.seconds / best.all.seconds / cores;
    const verdicts: Verdict[] = [
      { isMet: one >= 0.5, text: `${size}: one thread at ${one.toFixed(2)} x floor (budget 0.5)` },
      { isMet: perCore >= 0.5, text: `${size}: all ${cores} cores at ${perCore.toFixed(2)} x floor per core (budget 0.5)` },
    ];
    if (ccusage !== null) {
      const ratio = best.all.processSeconds / ccusage.seconds;
      verdicts.push({ isMet: ratio <= 1, text: `${size}: all cores take ${ratio.toFixed(2)} x ccusage's time (budget 1)` });
    }
    for (const job of ['one', 'all'] as const) {
      const budget = 200 * MB + largestOf(result) * 1000;
      verdicts.push({
        isMet: best[job].peakBytes < budget,
        text: `${size}: ${LABELS[job]} peaks at ${(best[job].peakBytes / MB).toFixed(0)} MB (budget ${(budget / MB).toFixed(0)})`,
      });
    }
    return planted.records > 0 ? verdicts : [{ isMet: false, text: `${size}: measured nothing` }];
  });

const largestOf = ({ planted }: SizeResult): number => planted.sessions.reduce((most, session) => Math.max(most, session.records), 0);

const mb = ({ planted }: SizeResult): string => (planted.bytes / MB).toFixed(0);
