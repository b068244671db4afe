import { printableLine } from '@yarnboard/transcript';
import type { OutputOf } from '@yarnboard/protocol';
import { minute } from './sidebar.ts';
import { table } from './table.ts';

type Validation = NonNullable<OutputOf<'claim'>['validation']>;

/** Everything that a check tried, and its result. */
export const validationLines = (check: Validation): readonly string[] => {
  const { attempts, conclusion, conflicts, found_at: places, message } = check;
  const rows = attempts.map((one) => [
    `  ${one.method.replaceAll('_', ' ')}`,
    one.says,
    [one.evidence, one.fault ?? ''].filter((text) => text !== '').join(': '),
  ]);
  const who = check.automatic ? 'by itself' : `for ${check.asked_by}`;
  return [
    printableLine(`checked ${minute(check.at)} ${who}: ${conclusion}${check.outdated ? ', but a file has changed since' : ''}`),
    ...table(['  method', 'says', 'because'], rows).trimEnd().split('\n'),
    ...conflicts.map((conflict) => printableLine(`  disagree: ${conflict}`)),
    ...places.map((place) => printableLine(`  found at ${place}`)),
    ...(message === null ? [] : [`  ${message}`]),
  ];
};

export const printValidators = ({ enabled, allowed, state_ttl_minutes: ttl, roots, problems, items }: OutputOf<'validators'>): string => {
  const share = (one: number | null): string => (one === null ? '' : `${Math.round(one * 100)} %`);
  const types = items.map((one) => [
    one.type,
    one.allowed ? 'yes' : 'no',
    String(one.runs),
    share(one.conclusive_share),
    String(one.overruled),
    one.risk,
    one.methods.map(({ method, available }) => (available ? method : `(${method})`)).join(' '),
  ]);
  const missing = items.flatMap(({ methods }) => methods.flatMap(({ method, why }) => (why === null ? [] : [printableLine(`  ${method}: ${why}`)])));
  const lines = [
    `checks by machine are ${enabled ? 'on' : 'off'}, allowed: ${allowed.length === 0 ? 'none' : allowed.join(', ')}`,
    `the mark of a state holds for ${ttl} minutes`,
    ...(roots === null ? [] : [roots.length === 0 ? NO_ROOTS : printableLine(`folders that may be read: ${roots.join(', ')}`)]),
    ...problems.map((problem) => printableLine(`  ${problem}`)),
    '',
    table(['type', 'allowed', '>runs', '>concluded', '>overruled', 'risk', 'methods'], types).trimEnd(),
    ...(missing.length === 0 ? [] : ['', 'not available here:', ...new Set(missing)]),
  ];
  return `${lines.join('\n')}\n`;
};

const NO_ROOTS = 'no folder may be read; add "validation": { "roots": ["/path/to/project"] } to settings.json and restart the server';

type Run = OutputOf<'validation_history'>['items'][number];

export const runRow = (run: Run): readonly string[] => [
  minute(run.at),
  run.claim_id,
  run.type,
  run.conclusion,
  run.automatic ? 'by itself' : run.asked_by,
  run.overruled === null ? (run.needs_human_review ? 'checks disagree' : '') : `overruled: ${run.overruled.reason}`,
];
