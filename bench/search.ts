// Search: latencies of words, phrases, typos, code and filters, every planted word found; or how well questions are answered: [--messages N,N] [--queries N] [--seed N] [--large] [--keep] [--quality]
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildPrograms } from './measure/bundle.ts';
import { runBench, WrongResult } from './measure/run.ts';
import type { Verdict } from './measure/table.ts';
import type { SearchOrder, SearchResult } from './search/job.ts';
import { describeLabelled } from './search/labelled-quality.ts';
import { describeQuality } from './search/quality.ts';
import { describeSearch, judgeSearch } from './search/verdict.ts';

const { values } = parseArgs({
  options: {
    messages: { type: 'string' },
    queries: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    large: { type: 'boolean', default: false },
    quality: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
});
const sizes = (values.messages ?? (values.large ? '200000,2000000' : '200000')).split(',').map(Number);
if (!sizes.every((size) => size >= 10_000)) throw new Error('--messages takes numbers of at least 10000, such as 200000,2000000');

const WORDS = 200_000;
/** Seconds that filling a board may take; longer is a result too. */
const PATIENCE = 600;

await runBench({ name: 'search', keep: values.keep }, async (scratch) => {
  if (values.quality) {
    console.log(await describeLabelled(scratch));
    console.log((await describeQuality(scratch)) ?? 'NOT MEASURED  there are no published transcripts here: name their folder in YARNBOARD_CORPUS');
    return [];
  }
  const { search } = await buildPrograms(join(scratch, 'bundle'), { search: 'bench/search/child.ts' });
  const verdicts: Verdict[] = [];
  for (const messages of sizes) {
    const folder = join(scratch, `board-${messages}`);
    mkdirSync(folder, { recursive: true });
    const order: SearchOrder = { folder, messages, words: WORDS, queries: Number(values.queries), seed: Number(values.seed), patience: PATIENCE };
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--max-old-space-size=4096', search, JSON.stringify(order)], {
      encoding: 'utf8',
    });
    if (status !== 0) throw new WrongResult(`search in ${messages} messages: ${stderr}`);
    const result = JSON.parse(stdout) as SearchResult; // printed by search/child.ts and by nobody else
    console.log(`\n${describeSearch(result)}`);
    verdicts.push(...judgeSearch(result));
    if (!values.keep) rmSync(folder, { recursive: true });
  }
  return verdicts;
});
