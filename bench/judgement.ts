// Judgement: contradictions and GOLD on blind sets, by kind and with intervals, and on the published transcripts: [--verbatim] [--sentences N]
import { parseArgs } from 'node:util';
import { runBench } from './measure/run.ts';
import { describeConflicts } from './judgement/conflicts.ts';
import { describeTriggers } from './judgement/triggers.ts';

const { values } = parseArgs({
  options: { verbatim: { type: 'boolean', default: false }, sentences: { type: 'string', default: '150' } },
});
const sentences = Number(values.sentences);
if (!(sentences >= 10)) throw new Error('--sentences takes a number of at least 10: how many of a session are compared with each other');

await runBench({ name: 'judgement', keep: false }, async () => [
  ...describeConflicts({ isVerbatim: values.verbatim, sentences }),
  ...describeTriggers({ isVerbatim: values.verbatim }),
]);
