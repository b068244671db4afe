import type { Status } from '@yarnboard/domain';
import {
  Archive,
  CirclePause,
  CirclePlay,
  CircleX,
  Combine,
  FlaskConical,
  GitBranchPlus,
  GitMerge,
  Hourglass,
  ScanEye,
  type LucideIcon,
} from 'lucide-react';
import { Badge, type Tone } from '../../ui/badge.tsx';

export type StatusLook = {
  readonly word: string;
  readonly icon: LucideIcon;
  readonly tone: Tone;
  /** What it means, in a sentence. */ readonly says: string;
};

export const STATUS_LOOKS = {
  ACTIVE: { word: 'Active', icon: CirclePlay, tone: 'accent', says: 'Work goes on.' },
  TESTING: { word: 'Testing', icon: FlaskConical, tone: 'violet', says: 'An experiment that may be thrown away.' },
  PAUSED: { word: 'Paused', icon: CirclePause, tone: 'plain', says: 'Somebody put it on hold.' },
  WAITING: { word: 'Waiting', icon: Hourglass, tone: 'warn', says: 'It is blocked on something.' },
  REVIEWING: { word: 'Reviewing', icon: ScanEye, tone: 'info', says: 'What was found is looked at before it is put together.' },
  SPAWNING_CHILD: { word: 'Spawning', icon: GitBranchPlus, tone: 'accent', says: 'A child is being made.' },
  CONSOLIDATING: {
    word: 'Consolidating',
    icon: Combine,
    tone: 'info',
    says: 'What is to be merged is put together and waits for a check and an approval.',
  },
  MERGED: { word: 'Merged', icon: GitMerge, tone: 'good', says: 'What it found is in its parent.' },
  ARCHIVED: { word: 'Archived', icon: Archive, tone: 'plain', says: 'Closed; it can be cited and forked.' },
  FAILED: { word: 'Failed', icon: CircleX, tone: 'bad', says: 'It ended without a result.' },
} as const satisfies Record<Status, StatusLook>;

/** Where a sidebar stands: an icon, a word and a tone. */
export const StatusBadge = ({ status }: { readonly status: Status }) => {
  const { word, icon, tone, says } = STATUS_LOOKS[status];
  return (
    <Badge tone={tone} icon={icon} title={says}>
      {word}
    </Badge>
  );
};
