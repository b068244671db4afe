import { printable, printableLine } from '@yarnboard/transcript';
import { contradiction, type OutputOf } from '@yarnboard/protocol';
import { counted } from './number.ts';
import { minute, spaced } from './sidebar.ts';

type Scratchpad = OutputOf<'scratchpad'>;
type Finding = Scratchpad['confirmed_findings'][number];
type Conflict = Scratchpad['conflicts'][number];

/** The findings of a sidebar by status, then conflicts, then checkpoints. */
export const printScratchpad = (pad: Scratchpad): string => {
  const head = [
    `${pad.scratchpad_id} of ${pad.sidebar_id}, curated by ${pad.curator_agent}`,
    `task: ${pad.task_definition}`,
    ...(pad.success_criteria === null ? [] : [`done when: ${pad.success_criteria}`]),
    ...(pad.final_summary === null ? [] : [`summary: ${pad.final_summary}`]),
  ].map(printableLine);
  const { counts } = pad;
  const sections = [
    section('confirmed', pad.confirmed_findings.filter(isLatest).map(finding), counts.confirmed),
    section('pending', pad.pending_findings.filter(isLatest).map(finding), counts.pending),
    section('rejected', pad.rejected_findings.filter(isLatest).map(finding), counts.rejected),
    section('revised', revisedIn(pad).map(finding), counts.revised),
    section('conflicts', pad.conflicts.map(conflict), counts.conflicts),
    section('checkpoints', pad.checkpoints.map(checkpoint), counts.checkpoints),
  ].filter((text) => text !== '');
  return `${[head.join('\n'), ...(sections.length === 0 ? ['no findings yet'] : sections)].join('\n\n')}\n`;
};

const isLatest = ({ superseded_by: by }: Finding): boolean => by === null;

const revisedIn = (pad: Scratchpad): readonly Finding[] =>
  [...pad.confirmed_findings, ...pad.pending_findings, ...pad.rejected_findings].filter((one) => !isLatest(one));

const section = (title: string, items: readonly string[], all: number): string => {
  if (items.length === 0) return all === 0 ? '' : `${title} (${all}, not shown)`;
  return `${title} (${items.length === all ? all : `the newest ${items.length} of ${all}`})\n${items.join('\n')}`;
};

const finding = (one: Finding): string => {
  const facts = [
    one.source_refs.length === 0 ? 'no evidence' : `evidence ${one.source_refs.join(', ')}`,
    `by ${one.submitted_by}`,
    one.validated_by === null ? '' : `${one.status} by ${one.validated_by}`,
    one.validation_notes ?? '',
    one.supersedes === null ? '' : `revises ${one.supersedes}`,
    one.superseded_by === null ? '' : `revised by ${one.superseded_by}`,
    one.same_as === null ? '' : `says the same as ${one.same_as}`,
  ];
  const notes = one.annotations.map(({ by, note }) => `    ${printableLine(`note by ${by}: ${note}`)}`);
  const [first = '', ...rest] = printable(one.content.trim()).split('\n');
  return [
    `  ${printableLine(one.entry_id)}  ${first}`,
    ...rest.map((line) => `    ${line}`),
    `    ${printableLine(facts.filter((fact) => fact !== '').join('; '))}`,
    ...notes,
  ].join('\n');
};

const conflict = (one: Conflict): string =>
  `  ${spaced([one.conflict_id, contradiction(one.entry_ids, one.conflict_description)])}\n    ${printableLine(endOf(one))}`;

const endOf = (one: Conflict): string => {
  if (one.is_open) return one.resolution_sidebar === null ? 'open' : `open (${one.resolution_sidebar} deals with it)`;
  if (one.outcome === null) return 'over';
  const who = one.resolved_by === null ? '' : ` by ${one.resolved_by}`;
  const when = one.resolved_at === null ? '' : `, ${minute(one.resolved_at)}`;
  const why = one.notes === null ? '' : `: ${one.notes}`;
  return one.outcome === 'settled'
    ? `settled${who}${when}${why}`
    : `over: ${one.outcome_entry_id ?? 'a finding'} was ${one.outcome}${who}${when}${why}`;
};

const checkpoint = (one: Scratchpad['checkpoints'][number]): string => {
  const notes = Object.entries(one.agent_annotations).map(([by, note]) => `    ${printableLine(`${by}: ${note}`)}`);
  return [
    `  ${spaced([one.checkpoint_id, minute(one.created_at), `${one.summary} (by ${one.created_by}, ${counted(one.findings_at_checkpoint.length, 'finding')})`])}`,
    ...notes,
  ].join('\n');
};
