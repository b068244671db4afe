import { printableLine } from '@yarnboard/transcript';
import type { OutputOf } from '@yarnboard/protocol';
import { minute } from './sidebar.ts';
import { table } from './table.ts';

type History = OutputOf<'auto_merge_history'>;

/** What merges automatically, how each task type has done, and the last merges with their outcomes. */
export const printAutoMerges = ({ config, types, next_step: step, items }: History): string => {
  const share = (rate: number | null): string => (rate === null ? '' : `${Math.round(rate * 100)} %`);
  const rows = types
    .filter((one) => one.condition !== null || one.auto_merges + one.approvals_in_a_row + one.looked_at > 0)
    .map((one) => [
      one.task_type,
      one.suspended === null ? (one.allowed ? 'yes' : 'no') : `suspended after ${one.suspended.sidebar_id}`,
      String(one.auto_merges),
      share(one.clean_rate),
      `${one.approvals_in_a_row} of ${config.required_approvals}`,
      one.looked_at === 0 ? '' : `${one.would_have_merged} of ${one.looked_at}`,
    ]);
  const allowed = config.allowed_task_types;
  const lines = [
    `automatic merges are ${config.auto_merge_enabled ? 'on' : 'off'}, allowed: ${allowed.length === 0 ? 'none' : allowed.join(', ')}`,
    ...(step === null ? [] : [printableLine(step)]),
    '',
    table(['task type', 'allowed', '>merged', '>clean', 'approvals in a row', 'would have merged'], rows).trimEnd(),
    '',
    ...(items.length === 0 ? ['nothing has merged automatically yet'] : items.flatMap(mergeLines)),
  ];
  return `${lines.join('\n')}\n`;
};

const mergeLines = ({ sidebar_id: id, task_type: type, target, merged_at: at, sample, problems }: History['items'][number]): readonly string[] => [
  printableLine(`${minute(at)}  ${id} into ${target} (${type})${sample && problems.length === 0 ? ', worth a look' : ''}`),
  ...problems.map(
    (one) => `  ${printableLine(`problem: ${one.notes ?? one.kind}${one.ref === null ? '' : ` (${one.ref})`}, ${one.by} at ${minute(one.at)}`)}`,
  ),
];
