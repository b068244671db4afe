// Episodic memory: a page of every filter, against a look at every episode: [--episodes 10000,100000] [--rounds N] [--seed N]
import { parseArgs } from 'node:util';
import { benchFilters } from './episodes/filters.ts';
import { runBench } from './measure/run.ts';

const { values } = parseArgs({
  options: {
    episodes: { type: 'string', default: '10000,100000' },
    rounds: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
  },
});
const sizes = values.episodes.split(',').map(Number);
if (sizes.length !== 2 || !sizes.every((size) => size >= 1000)) throw new Error('--episodes takes two sizes, such as 10000,100000');

await runBench({ name: 'episodes', keep: false }, () => Promise.resolve(benchFilters(sizes, Number(values.rounds), Number(values.seed))));
