import { printable, printableLine } from '@yarnboard/transcript';
import type { OutputOf } from '@yarnboard/protocol';
import { minute, spaced } from './sidebar.ts';

type Scratchpad = OutputOf<'scratchpad'>;
type Finding = Scratchpad['confirmed_findings'][number];

/** The findings of a sidebar by what became of them, then what contradicts itself, then checkpoints. */
export const printScratchpad = (pad: Scratchpad): string => {
  const head = [
    `${pad.scratchpad_id} of ${pad.sidebar_id}, curated by ${pad.curator_agent}`,
    `task: ${pad.task_definition}`,
    ...(pad.success_criteria === null ? [] : [`done when: ${pad.success_criteria}`]),
    ...(pad.final_summary === null ? [] : [`summary: ${pad.final_summary}`]),
  ].map(printableLine);
  const sections = [
    section('confirmed', pad.confirmed_findings.map(finding)),
    section('pending', pad.pending_findings.map(finding)),
    section('rejected', pad.rejected_findings.map(finding)),
    section('conflicts', pad.conflicts.map(conflict)),
    section('checkpoints', pad.checkpoints.map(checkpoint)),
  ].filter((text) => text !== '');
  return `${[head.join('\n'), ...(sections.length === 0 ? ['no findings yet'] : sections)].join('\n\n')}\n`;
};

const section = (title: string, items: readonly string[]): string => (items.length === 0 ? '' : `${title} (${items.length})\n${items.join('\n')}`);

const finding = (one: Finding): string => {
  const facts = [
    one.source_refs.length === 0 ? 'no evidence' : `evidence ${one.source_refs.join(', ')}`,
    `by ${one.submitted_by}`,
    one.validated_by === null ? '' : `${one.status} by ${one.validated_by}`,
    one.validation_notes ?? '',
    one.supersedes === null ? '' : `revises ${one.supersedes}`,
    one.superseded_by === null ? '' : `revised by ${one.superseded_by}`,
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

const conflict = (one: Scratchpad['conflicts'][number]): string => {
  const end = one.is_open
    ? ['open', one.resolution_sidebar === null ? '' : ` (${one.resolution_sidebar} deals with it)`].join('')
    : `settled by ${one.resolved_by ?? 'nobody'}: ${one.notes ?? ''}`;
  return `  ${spaced([one.conflict_id, `${one.entry_ids.join(' and ')}: ${one.conflict_description}`])}\n    ${printableLine(end)}`;
};

const checkpoint = (one: Scratchpad['checkpoints'][number]): string => {
  const notes = Object.entries(one.agent_annotations).map(([by, note]) => `    ${printableLine(`${by}: ${note}`)}`);
  return [
    `  ${spaced([minute(one.created_at), `${one.summary} (by ${one.created_by}, ${one.findings_at_checkpoint.length} findings, ${one.checkpoint_id})`])}`,
    ...notes,
  ].join('\n');
};
