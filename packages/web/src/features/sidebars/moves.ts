import { assertNever, movesFrom, type Status } from '@yarnboard/domain';
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
  Hourglass,
  Rocket,
  ScanEye,
  Undo2,
  type LucideIcon,
} from 'lucide-react';

/** What people call the moves of a sidebar: the same state is reached in different ways. */
export type Step =
  | 'pause'
  | 'resume'
  | 'go-on'
  | 'promote'
  | 'wait'
  | 'spawn-child'
  | 'review'
  | 'consolidate'
  | 'send-back'
  | 'merge'
  | 'fail'
  | 'archive'
  | 'discard'
  | 'fork';

export type StepLook = { readonly label: string; readonly icon: LucideIcon; readonly says: string; readonly isDangerous?: boolean };

export const STEP_LOOKS = {
  pause: { label: 'Pause', icon: CirclePause, says: 'Put it on hold.' },
  resume: { label: 'Resume', icon: CirclePlay, says: 'Continue, with a summary of what changed.' },
  'go-on': { label: 'Back to work', icon: CirclePlay, says: 'Continue working.' },
  promote: { label: 'Promote', icon: Rocket, says: 'Turn the test into real work.' },
  wait: { label: 'Wait', icon: Hourglass, says: 'Wait for something else.' },
  'spawn-child': { label: 'New child sidebar', icon: GitBranchPlus, says: 'Split off part of the task.' },
  review: { label: 'Review', icon: ScanEye, says: 'Review the findings before merging.' },
  consolidate: { label: 'Prepare merge', icon: Combine, says: 'Choose what to merge.' },
  'send-back': { label: 'Send back', icon: Undo2, says: 'Return it to work, with a reason.' },
  merge: { label: 'Merge', icon: GitMerge, says: 'Review and approve the merge.' },
  fail: { label: 'Mark as failed', icon: CircleX, says: 'End it without a result.', isDangerous: true },
  archive: { label: 'Archive', icon: Archive, says: 'Close it. Nothing is lost.' },
  discard: { label: 'Discard', icon: FlaskConicalOff, says: 'Archive the test.' },
  fork: { label: 'Fork', icon: GitFork, says: 'Continue in a new sidebar.' },
} as const satisfies Record<Step, StepLook>;

/** PAGE-84: the buttons of a sidebar, from the one table of the domain, the likeliest first. Archived work is forked, which is no move. */
export const stepsFrom = (status: Status): readonly Step[] => {
  if (status === 'ARCHIVED') return ['fork'];
  const steps = movesFrom(status).map((to) => stepOf(status, to));
  const likeliest = LIKELIEST[status];
  return [...steps.filter((step) => step === likeliest), ...steps.filter((step) => step !== likeliest)];
};

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
