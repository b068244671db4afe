import { assertNever } from '@yarnboard/domain';
import { printableLine } from '@yarnboard/transcript';
import {
  Bot,
  Brackets,
  CircleAlert,
  CircleDashed,
  LoaderCircle,
  FoldVertical,
  GitBranch,
  Layers,
  MessageSquare,
  Sparkle,
  SquareTerminal,
  Unlink,
  Wrench,
} from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { counted } from '../../ui/wording.ts';
import type { Item } from './item.ts';

export type Look = { readonly icon: LucideIcon; /** Its type, when none of its text is known yet. */ readonly name: string };

export const lookOf = ({ kind, role, turns, agent }: Item): Look => {
  switch (kind) {
    case 'stretch':
      return { icon: Layers, name: counted(turns, 'turn') };
    case 'branch':
      return { icon: GitBranch, name: 'Other branch' };
    case 'agent':
      return { icon: Bot, name: agent === null || agent.name === 'unknown' ? 'Sub-agent' : printableLine(agent.name) };
    case 'compaction':
      return { icon: FoldVertical, name: 'Compaction' };
    case 'turn':
    case 'message':
      return ROLES.get(role) ?? { icon: Brackets, name: 'Record' };
    default:
      return assertNever(kind);
  }
};

/** How much an item contains. */
export const sizeText = (item: Item): string => {
  const { kind, messages, operations, agents, turns } = item;
  if (kind === 'message')
    return [...(item.ref === null ? [] : [item.ref]), ...(item.records > 1 ? [counted(item.records - 1, 'attachment')] : [])].join(' · ');
  if (kind === 'compaction') return item.ref ?? '';
  return [
    ...(kind === 'branch' && turns > 1 ? [counted(turns, 'turn')] : []),
    counted(messages, 'message'),
    ...(operations > 0 && kind !== 'stretch' && kind !== 'branch' ? [counted(operations, 'operation')] : []),
    ...(agents > 0 && kind !== 'turn' && kind !== 'agent' ? [counted(agents, 'sub-agent')] : []),
  ].join(' · ');
};

export type Mark = { readonly kind: 'branch' | 'error' | 'lost' | 'leaf' | 'state'; readonly text: string; readonly icon: LucideIcon };

/** What is notable about an item, in words: never by colour alone. */
export const marksOf = (item: Item): readonly Mark[] => {
  const { branch, errors, isLost, isLeaf, agent } = item;
  return [
    ...(branch === null ? [] : [{ kind: 'branch', text: `branch ${branch.at} of ${branch.of}`, icon: GitBranch } as const]),
    ...(agent === null || agent.state === 'complete'
      ? []
      : [{ kind: 'state', text: printableLine(agent.state), icon: agent.state === 'running' ? LoaderCircle : CircleDashed } as const]),
    ...(errors === 0 ? [] : [{ kind: 'error', text: errors === 1 ? 'error' : counted(errors, 'error'), icon: CircleAlert } as const]),
    ...(isLost ? [{ kind: 'lost', text: agent === null ? 'parent missing' : 'call missing', icon: Unlink } as const] : []),
    ...(isLeaf ? [{ kind: 'leaf', text: 'latest', icon: Sparkle } as const] : []),
  ];
};

/** The whole item as one sentence, for screen readers. */
export const spoken = (item: Item, gist: string | null): string =>
  [
    lookOf(item).name,
    ...(gist === null ? [] : [gist]),
    sizeText(item),
    ...marksOf(item).map(({ text }) => text),
    ...(item.isActive ? ['on the current branch'] : []),
  ]
    .filter((part) => part !== '')
    .join(', ');

const ROLES: ReadonlyMap<string, Look> = new Map([
  ['prompt', { name: 'Prompt', icon: MessageSquare }],
  ['reply', { name: 'Reply', icon: Sparkle }],
  ['result', { name: 'Result', icon: Wrench }],
  ['boundary', { name: 'Compaction', icon: FoldVertical }],
  ['summary', { name: 'Summary', icon: FoldVertical }],
  ['command', { name: 'Command', icon: SquareTerminal }],
  ['output', { name: 'Output', icon: SquareTerminal }],
  ['bash', { name: 'Shell', icon: SquareTerminal }],
  ['memory', { name: 'Note to memory', icon: MessageSquare }],
  ['notice', { name: 'Notice', icon: Bot }],
  ['interruption', { name: 'Interruption', icon: CircleAlert }],
  ['synthetic', { name: 'CLI message', icon: Brackets }],
  ['meta', { name: 'CLI context', icon: Brackets }],
  ['attachment', { name: 'Attachment', icon: Brackets }],
  ['progress', { name: 'Progress', icon: Brackets }],
  ['system', { name: 'System', icon: Brackets }],
]);
