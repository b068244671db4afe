import { printableLine } from '@yarnboard/transcript';
import type { OutputOf } from '@yarnboard/protocol';
import { counted } from './number.ts';

type Sidebar = OutputOf<'sidebar'>;

/** One sidebar as a block: its task, its participants, what it waits for, what it may become. */
export const printSidebar = (sidebar: Sidebar): string => {
  const { scratchpad, merge, waiting, escalation } = sidebar;
  const counts = `${scratchpad.confirmed} confirmed, ${scratchpad.pending} pending, ${scratchpad.rejected} rejected`;
  const lines: readonly (readonly [string, string])[] = [
    ['task', sidebar.task_description],
    ['done when', sidebar.success_criteria ?? ''],
    ['inherits', inherits(sidebar)],
    ['participants', sidebar.participants.map((name) => nameWith(name, roleOf(sidebar, name))).join(', ')],
    ['coordinator', sidebar.coordinator_agent],
    ['curator', sidebar.curator_agent],
    ['paused', nameWith(sidebar.pause_reason ?? '', sidebar.resume_condition === null ? '' : `until ${sidebar.resume_condition}`)],
    ['waits for', waiting === null ? '' : waitsFor(waiting)],
    ['failed', sidebar.failure_reason ?? ''],
    ['escalated', escalation === null ? '' : `by ${escalation.by} at ${minute(escalation.at)}: ${escalation.reason}`],
    ...sidebar.proposals.map((one): readonly [string, string] => ['proposed', `${one.proposal_id}: ${one.proposed_by} asks to ${one.proposal}`]),
    ['messages', String(sidebar.messages)],
    ['scratchpad', `${scratchpad.scratchpad_id}: ${counts}, ${counted(scratchpad.checkpoints, 'checkpoint')}`],
    ['conflicts', conflictsOf(sidebar)],
    ['merge package', merge === null ? '' : mergeLine(merge)],
    ['focus', sidebar.active_focus.join(', ')],
    ['to score it', sidebar.to_review.join(', ')],
    ['children', sidebar.child_sidebar_ids.join(', ')],
    ['forked into', sidebar.forked_into.join(', ')],
    ['merged into', sidebar.merged_into ?? ''],
    ['GOLD', sidebar.gold.join(', ')],
    ['media', sidebar.media.join(', ')],
    ['test group', sidebar.test_group ?? ''],
    ...sidebar.test_results.map((one): readonly [string, string] => ['tested', testLine(one)]),
    ...sidebar.test_peers.flatMap(peerLines),
    ['tags', sidebar.tags.join(', ')],
    ['latest', `${minute(sidebar.last_activity)} (seq ${sidebar.seq})`],
    ['may become', sidebar.allowed_moves.length === 0 ? 'nothing else' : sidebar.allowed_moves.join(', ')],
  ];
  const head = spaced([sidebar.sidebar_id, sidebar.status, sidebar.priority, sidebar.task_type ?? '']);
  return `${[head, ...fieldLines(lines)].join('\n')}\n`;
};

/** The facts that exist, on one line. */
export const spaced = (facts: readonly string[]): string =>
  facts
    .filter((fact) => fact !== '')
    .map(printableLine)
    .join('  ');

/** "  name   value" for each field with a value, aligned. */
export const fieldLines = (fields: readonly (readonly [string, string])[]): readonly string[] => {
  const there = fields.filter(([, value]) => value !== '');
  const width = Math.max(0, ...there.map(([name]) => name.length));
  return there.map(([name, value]) => `  ${name.padEnd(width)}  ${printableLine(value)}`);
};

/** Where a sidebar's memory begins. */
export const inherits = ({ branch_point: point, parent_context_id: parent, forked_from: original }: Sidebar): string => {
  if (point === null) return 'nothing: it is a root';
  const from = original === null ? (parent ?? point.context_id) : `${original}, which it forks`;
  return `${from}, as it was at position ${point.position} of the log`;
};

export const minute = (instant: string | null): string => instant?.slice(0, 16).replace('T', ' ') ?? '';

const roleOf = ({ coordinator_agent: coordinator, curator_agent: curator }: Sidebar, name: string): string =>
  [name === coordinator ? 'coordinates' : '', name === curator ? 'curates' : ''].filter((role) => role !== '').join(', ');

const nameWith = (name: string, remark: string): string => (name === '' || remark === '' ? name : `${name} (${remark})`);

const conflictsOf = ({ open_conflicts: open, sidebar_id: id }: Sidebar): string =>
  open === 0 ? '' : `${open} open; \`yarnboard sidebar scratchpad ${id}\` lists ${open === 1 ? 'it' : 'them'}`;

const testLine = ({ test_description: test, result, findings, by }: Sidebar['test_results'][number]): string =>
  `${test}: ${result} (by ${by}${findings.length === 0 ? '' : `; found: ${findings.join('; ')}`})`;

/** The other tests of the group, each with its result. */
const peerLines = ({ sidebar_id: id, status, results }: Sidebar['test_peers'][number]): readonly (readonly [string, string])[] =>
  results.length === 0 ? [['peer', `${id} (${status}): no results yet`]] : results.map((one) => ['peer', `${id} (${status}): ${testLine(one)}`]);

const waitsFor = ({ waiting_for: what, description, dependency_refs: on, deadline }: NonNullable<Sidebar['waiting']>): string =>
  [what, description ?? '', on.length === 0 ? '' : `on ${on.join(', ')}`, deadline === null ? '' : `until ${minute(deadline)}`]
    .filter((part) => part !== '')
    .join('; ');

const mergeLine = ({ package: merged, proposed_by: by, checks }: NonNullable<Sidebar['merge']>): string => {
  const words = checks.map(({ as, fit }) => `${as} ${fit ? 'approves' : 'objects'}`).join(', ');
  return `${merged.key_findings.join(', ')}${merged.key_findings.length === 0 ? 'no findings' : ''}, proposed by ${by}${words === '' ? ', not checked yet' : `, ${words}`}: ${merged.summary}`;
};
