import { assertNever, isEnded, movesFrom, rightTo, type Action, type Actor, type Sidebar, type Status } from '@yarnboard/domain';
import {
  Archive,
  CirclePause,
  CirclePlay,
  CircleX,
  Combine,
  FlaskConicalOff,
  GitBranchPlus,
  GitFork,
  GitMerge,
  GitPullRequestArrow,
  Hourglass,
  Rocket,
  RotateCcw,
  ScanEye,
  Undo2,
  type LucideIcon,
} from 'lucide-react';
import { nameOf } from '../../shared/names.ts';

/** The moves of a sidebar as people name them: different moves can lead to the same status. */
export type Step =
  | 'pause'
  | 'resume'
  | 'go-on'
  | 'promote'
  | 'wait'
  | 'spawn-child'
  | 'review'
  | 'finish'
  | 'consolidate'
  | 'send-back'
  | 'merge'
  | 'fail'
  | 'archive'
  | 'discard'
  | 'fork'
  | 'reopen';

export type StepLook = {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly says: string;
  readonly isDangerous?: boolean;
  readonly asking?: string;
};

const STEP_LOOKS = {
  pause: { label: 'Pause', icon: CirclePause, says: 'Put it on hold.' },
  resume: { label: 'Resume', icon: CirclePlay, says: 'Continue, with a summary of what changed.' },
  'go-on': { label: 'Back to work', icon: CirclePlay, says: 'Continue working.' },
  promote: { label: 'Promote', icon: Rocket, says: 'Turn the test into real work.' },
  wait: { label: 'Wait', icon: Hourglass, says: 'Wait for something else.' },
  'spawn-child': { label: 'New child sidebar', icon: GitBranchPlus, says: 'Split off part of the task.' },
  review: { label: 'Review', icon: ScanEye, says: 'Review the findings before merging.' },
  finish: { label: 'Finish', icon: GitMerge, says: 'Merge it in one step. You coordinate and curate it.' },
  consolidate: { label: 'Prepare merge', icon: Combine, says: 'Choose what to merge.' },
  'send-back': { label: 'Send back', icon: Undo2, says: 'Return it to work, with a reason.' },
  merge: { label: 'Merge', icon: GitMerge, says: 'Review and approve the merge.' },
  fail: { label: 'Mark as failed', icon: CircleX, says: 'End it without a result.', isDangerous: true, asking: 'Propose failure' },
  archive: { label: 'Archive', icon: Archive, says: 'Close it. Nothing is lost.', asking: 'Propose archiving' },
  discard: { label: 'Discard', icon: FlaskConicalOff, says: 'Archive the test.', asking: 'Propose discarding' },
  fork: { label: 'Fork', icon: GitFork, says: 'Continue in a new sidebar.' },
  reopen: { label: 'Reopen', icon: RotateCcw, says: 'It ended by mistake: continue with the same team.' },
} as const satisfies Record<Step, StepLook>;

/** PAGE-84: a sidebar's buttons, from the domain's table of moves, the likeliest first. An archived one offers a fork, which isn't a move. */
export const stepsFrom = (status: Status): readonly Step[] => {
  if (status === 'ARCHIVED') return ['fork'];
  const steps = movesFrom(status).map((to) => stepOf(status, to));
  const likeliest = LIKELIEST[status];
  return [...steps.filter((step) => step === likeliest), ...steps.filter((step) => step !== likeliest)];
};

/** A button of a sidebar. */
export type Offer = StepLook & { readonly step: Step; readonly isLikeliest: boolean };

/** PAGE-213, PAGE-214: the moves of the table, and those that depend on the viewer: finishing alone, reopening, and proposing what others decide. */
export const offersFor = (sidebar: Sidebar, actor: Actor): readonly Offer[] => {
  const { status, coordinator, curator } = sidebar;
  const table = stepsFrom(status);
  const isAlone = coordinator === actor.id && curator === actor.id;
  const steps: readonly Step[] = [
    ...(isAlone && table.includes('consolidate') ? ['finish' as const] : []),
    ...table,
    ...(isEnded(status) && rightTo('reopen', sidebar, actor) === 'yes' ? ['reopen' as const] : []),
  ];
  return steps.map((step, n) => ({ ...lookOf(step, sidebar, actor), step, isLikeliest: n === 0 }));
};

/** A button that only proposes its action says so. */
const lookOf = (step: Step, sidebar: Sidebar, actor: Actor): StepLook => {
  const look: StepLook = STEP_LOOKS[step];
  const action = GUARDED.get(step);
  if (look.asking === undefined || action === undefined || rightTo(action, sidebar, actor) !== 'ask') return look;
  return { label: look.asking, icon: GitPullRequestArrow, says: `${nameOf(sidebar.coordinator)}, the coordinator, decides.` };
};

const GUARDED: ReadonlyMap<Step, Action> = new Map([
  ['fail', 'fail'],
  ['archive', 'archive'],
  ['discard', 'discard'],
]);

export const LIKELIEST: Readonly<Record<Status, Step>> = {
  ACTIVE: 'consolidate',
  TESTING: 'promote',
  PAUSED: 'resume',
  WAITING: 'resume',
  REVIEWING: 'consolidate',
  SPAWNING_CHILD: 'go-on',
  CONSOLIDATING: 'merge',
  MERGED: 'archive',
  FAILED: 'archive',
  ARCHIVED: 'fork',
};

const stepOf = (from: Status, to: Status): Step => {
  switch (to) {
    case 'ACTIVE':
      if (from === 'PAUSED' || from === 'WAITING') return 'resume';
      if (from === 'TESTING') return 'promote';
      return from === 'CONSOLIDATING' ? 'send-back' : 'go-on';
    case 'PAUSED':
      return 'pause';
    case 'WAITING':
      return 'wait';
    case 'SPAWNING_CHILD':
    case 'TESTING':
      return 'spawn-child';
    case 'REVIEWING':
      return 'review';
    case 'CONSOLIDATING':
      return 'consolidate';
    case 'MERGED':
      return 'merge';
    case 'FAILED':
      return 'fail';
    case 'ARCHIVED':
      return from === 'TESTING' ? 'discard' : 'archive';
    default:
      return assertNever(to);
  }
};
