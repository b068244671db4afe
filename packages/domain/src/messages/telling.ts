import { OPERATOR, type Actor } from '../actors.ts';
import type { Context, Priority, Status } from './values.ts';

/** How much a notice asks of its recipient. */
export const LEVELS = ['info', 'warning', 'escalate'] as const;
export type Level = (typeof LEVELS)[number];

export const NOTICE_KINDS = [
  'mention',
  'conflict',
  'dispute',
  'escalation',
  'merge',
  'resumed',
  'gold',
  'validated',
  'recruited',
  'tested',
  'joined',
  'left',
  'role',
  'paused',
  'waiting',
  'review',
  'failed',
  'archived',
  'promoted',
  'forked',
  'package',
  'child',
  'changed',
  'intervention',
  'annotated',
  'media',
  'retired',
  'proposal',
  'capacity',
  'request',
  'suggestion',
  'seat',
  'check',
  'permission',
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** What the event tells some of those it affects: in their inbox, and live. The actor is never notified. */
export type Telling = {
  readonly to: readonly string[];
  readonly level: Level;
  readonly kind: NoticeKind;
  readonly text: string;
  /** What to act on; by default, the event's own numbers and its sidebar. */
  readonly refs?: readonly string[];
};

/** The parts of a sidebar that matter for notices. */
export type Concerned = {
  readonly ref: string;
  readonly id: string;
  readonly status: Status;
  readonly priority: Priority;
  readonly task: string;
  readonly parent: Context | null;
  readonly participants: readonly string[];
  readonly coordinator: string;
  readonly curator: string;
  readonly latest: { readonly id: string; readonly ref: string } | null;
  readonly merge: { readonly proposedBy: string } | null;
};

/** The state of the board around an event. */
export type Surroundings = {
  readonly by: Actor;
  /** Its sidebar, before and after. */
  readonly before: Concerned | null;
  readonly sidebar: Concerned | null;
  readonly sidebarOf: (id: string) => Concerned | null;
  readonly findingOf: (id: string) => { readonly ref: string; readonly number: number; readonly submittedBy: string } | null;
  readonly conflictOf: (id: string) => { readonly findings: readonly string[]; readonly description: string } | null;
  readonly goldOf: (id: string) => { readonly ref: string; readonly keyInsight: string; readonly createdBy: string } | null;
  readonly mediaOf: (id: string) => { readonly ref: string; readonly filePath: string; readonly uploadedBy: string } | null;
  readonly proposalOf: (id: string) => { readonly by: string; readonly what: string } | null;
  /** The active sidebars that somebody takes part in. */
  readonly workOf: (agent: string) => readonly Concerned[];
  /** Who recruited somebody in their absence, into which sidebar. */
  readonly awaitedBy: (agent: string) => readonly { readonly by: string; readonly sidebar: Concerned | null }[];
  /** What was said with a recruitment, by its id. */
  readonly noteOf: (request: string) => string | null;
  /** The active tests that the sidebar is compared with. */
  readonly peers: readonly Concerned[];
};

export type Tells<P> = (payload: P, around: Surroundings) => readonly Telling[];

/** Nobody needs to know of it. */
export const nobody = (): readonly Telling[] => [];

export const teamOf = (sidebar: Concerned | null): readonly string[] =>
  sidebar === null ? [] : [...new Set([...sidebar.participants, sidebar.coordinator, sidebar.curator])];

export const nameOf = (sidebar: Concerned | null): string => (sidebar === null ? 'the sidebar' : sidebar.ref === '' ? sidebar.id : sidebar.ref);

/** The actor, in words for somebody else. */
export const doer = ({ by }: Surroundings): string => (by.type === 'system' ? 'Yarnboard' : by.id);

/** ": reason", if one was given. */
export const because = (reason: string | null | undefined): string => (reason === null || reason === undefined || reason === '' ? '' : `: ${reason}`);

/** Notifies everyone who works in the sidebar. */
export const toTeam = (around: Surroundings, level: Level, kind: NoticeKind, text: string): readonly Telling[] => [
  { to: teamOf(around.sidebar), level, kind, text },
];

/** Tells the participants of its parent that it ended. */
export const toParent = ({ sidebar, sidebarOf }: Surroundings, level: Level, how: string): readonly Telling[] => {
  const parent = sidebar?.parent?.kind === 'sidebar' ? sidebarOf(sidebar.parent.sidebarId) : null;
  if (parent === null) return [];
  return [
    {
      to: teamOf(parent),
      level,
      kind: 'child',
      text: `${nameOf(sidebar)}, which branched off ${nameOf(parent)}, ${how}`,
      refs: [nameOf(sidebar), nameOf(parent)],
    },
  ];
};

/** Whoever decides about another member's work. Nobody decides about their own, except the human. */
export const decider = (holder: string, maker: string): string => (holder === maker ? OPERATOR.id : holder);
