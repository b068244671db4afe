// Judgement: contradictions and GOLD on blind sets, by kind and with intervals, and on the published transcripts: [--verbatim] [--sentences N].
// --sets FOLDER measures its conflicts.jsonl and triggers.jsonl instead and prints figures only, never an item.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runBench, WrongResult } from './measure/run.ts';
import type { Verdict } from './measure/table.ts';
import { countConflicts, describeConflicts } from './judgement/conflicts.ts';
import { countTriggers, describeTriggers } from './judgement/triggers.ts';

const { values } = parseArgs({
  options: { verbatim: { type: 'boolean', default: false }, sentences: { type: 'string', default: '150' }, sets: { type: 'string' } },
});
const sentences = Number(values.sentences);
if (!(sentences >= 10)) throw new Error('--sentences takes a number of at least 10: how many of a session are compared with each other');

const countSets = (folder: string): readonly Verdict[] => {
  const [conflicts, triggers] = [join(folder, 'conflicts.jsonl'), join(folder, 'triggers.jsonl')];
  if (!existsSync(conflicts) && !existsSync(triggers)) throw new WrongResult(`there is neither conflicts.jsonl nor triggers.jsonl in ${folder}`);
  return [...(existsSync(conflicts) ? countConflicts(conflicts) : []), ...(existsSync(triggers) ? countTriggers(triggers) : [])];
};

const { sets } = values;
await runBench({ name: 'judgement', keep: false }, async () =>
  sets === undefined
    ? [...describeConflicts({ isVerbatim: values.verbatim, sentences }), ...describeTriggers({ isVerbatim: values.verbatim })]
    : countSets(resolve(process.env['INIT_CWD'] ?? '.', sets)),
);
