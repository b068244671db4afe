import type { Role } from '../entry.ts';
import type { Node } from '../graph.ts';
import type { Stretch } from '../path.ts';
import type { Session } from '../session.ts';
import type { Sidechain } from '../sidechains.ts';
import { formatInstant } from '../time.ts';
import { partsOf, type Part } from './parts.ts';
import { printable, printableLine } from './printable.ts';
import type { Source } from './source.ts';
import type { Actor, Merged, Reconstruction, Step } from './steps.ts';
import { inTags } from './tags.ts';

// The sentences shared by all formats, so that they say the same.

export const heading = (source: Source, { path, sidechains }: Reconstruction): readonly string[] => {
  const { session, title, project } = source;
  const origin = [...session.forkedFrom].find((id) => id !== session.id);
  const agents = sidechains.length === 0 ? '' : ` · ${sidechains.length} sub-agent${sidechains.length === 1 ? '' : 's'}`;
  return [
    printableLine(title ?? `Session ${session.id}`),
    `${session.id}${project === null ? '' : ` · ${project}`}${programOf(session)}`,
    ...(origin === undefined ? [] : [`fork of ${printableLine(origin)}`]),
    `${span(session.firstAt, session.lastAt)} · ${path.messages} message${path.messages === 1 ? '' : 's'}${agents}`,
  ];
};

const programOf = ({ writtenBy, versions }: Session): string => {
  if (versions.size === 0) return writtenBy === null ? '' : ` · ${writtenBy}`;
  return ` · ${writtenBy ?? 'Claude Code'} ${[...versions].join(', ')}`;
};

/** A record's content; a record missing from its file is reported as gone, never left out. */
export const partsAt = (source: Source, node: Node): readonly Part[] => {
  const record = source.recordOf(node);
  if (record === null) return [{ kind: 'text', text: '[the file that held this record has changed or is gone]' }];
  const { role } = node.entry;
  return WRAPPED.has(role) ? partsOf(record).map((part) => unwrapped(role, part)) : partsOf(record);
};

const unwrapped = (role: Role, part: Part): Part => {
  const words = part.kind === 'text' ? inTags(role, part.text) : null;
  return words === null ? part : { kind: 'text', text: words.join(' ') || '(nothing)' };
};

const WRAPPED: ReadonlySet<string> = new Set(['command', 'output', 'bash', 'memory']);

/**
 * Renders all steps; control characters become visible signs (SHOW-5). `isHeaded` is false for a further block of the API message just shown: it
 * needs no heading of its own. A message with nothing to show renders as "" and doesn't count.
 */
export function* renderSteps(reconstruction: Reconstruction, render: (step: Step, isHeaded: boolean) => string): Generator<string, void, undefined> {
  let shown: string | null = null;
  for (const step of reconstruction.steps()) {
    const message = step.kind === 'message' ? step.node.entry.messageId : null;
    const piece = render(step, message === null || message !== shown);
    if (piece === '') continue;
    shown = message;
    yield printable(piece);
  }
}

/** The indentation of a depth. It stops growing: agents may nest by the thousand, and an indentation per level would be most of the output. */
export const margin = (sign: string, depth: number): string => sign.repeat(Math.min(depth, 24));

export const describeStart = (sidechain: Sidechain, caller: Actor): string => {
  const call = sidechain.toolUseIds[0];
  const origin = call === undefined ? 'no call' : `called by ${caller.name} (${call}), linked by ${sidechain.linkedBy}`;
  return `sub-agent ${sidechain.agent} ${sidechain.id} · ${origin}${mark(sidechain)}`;
};

export const describeEnd = (sidechain: Sidechain): string => `end of ${sidechain.agent} ${sidechain.id}${mark(sidechain)}`;

export const describeCompaction = (node: Node): string => {
  const compaction = node.entry.more?.compaction;
  const tokens = compaction?.preTokens == null ? '' : `, ${compaction.preTokens} tokens before`;
  return `context compacted${compaction?.trigger == null ? '' : ` (${compaction.trigger}${tokens})`}: what follows was said with a summary of the above`;
};

/** SHOW-12 */
export const describeMerged = ({ sidebar, ref, sender, timestamp, findings }: Merged): string =>
  [
    `merged from ${sidebar}`,
    ...(ref === null ? [] : [ref]),
    `by ${sender}${timestamp === null ? '' : ` ${timestamp.slice(0, 19).replace('T', ' ')}`}`,
    ...(findings.length === 0 ? [] : [`${findings.length} finding${findings.length === 1 ? '' : 's'}: ${findings.join(', ')}`]),
  ].join(' · ');

export const CLEARED = 'context cleared: what follows was said without knowledge of the above';

export const describeApart = ({ reason, nodes }: Stretch): string =>
  `on no branch (${REASONS[reason]}): ${nodes.length} message${nodes.length === 1 ? '' : 's'}`;

const REASONS = {
  replayed: 'the same words are above',
  'other root': 'hangs on nothing above',
  'dead end': 'left behind when the conversation went on',
} as const satisfies Record<Stretch['reason'], string>;

/** What the output leaves out, in terms of the command that shows it. */
export const describeRest = ({ unshown, apart, isAll, takenBack }: Reconstruction): readonly string[] => {
  const left = apart.reduce((sum, { nodes }) => sum + nodes.length, 0);
  return [
    ...(unshown === 0 ? [] : [`${unshown} attachments and progress records not shown`]),
    ...(takenBack.messages === 0
      ? []
      : [`${takenBack.messages} message${takenBack.messages === 1 ? ' was' : 's were'} taken back in ${printableLine(takenBack.by)}, and kept here`]),
    ...(isAll || left === 0 ? [] : [`${left} message${left === 1 ? '' : 's'} on no branch: --all shows ${left === 1 ? 'it' : 'them'}`]),
  ];
};

/** BACK-4 */
export const TAKEN_BACK = 'taken back';

export const messageTime = (node: Node): string => formatInstant(node.entry.at)?.slice(0, 19).replace('T', ' ') ?? '';

const mark = (sidechain: Sidechain): string => (sidechain.state === 'complete' ? '' : ` · ${sidechain.state.toUpperCase()}`);

const span = (from: number, to: number): string => {
  const start = formatInstant(from);
  const end = formatInstant(to);
  if (start === null || end === null) return 'no times';
  const isSameDay = start.slice(0, 10) === end.slice(0, 10);
  return `${start.slice(0, 10)} ${start.slice(11, 16)} to ${isSameDay ? '' : `${end.slice(0, 10)} `}${end.slice(11, 16)} UTC`;
};
