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
import { Badge, type Tone } from '../ui/badge.tsx';

export type StatusLook = {
  readonly word: string;
  readonly icon: LucideIcon;
  readonly tone: Tone;
  /** What it means, in a sentence. */ readonly says: string;
};

export const STATUS_LOOKS = {
  ACTIVE: { word: 'Active', icon: CirclePlay, tone: 'accent', says: 'Work in progress.' },
  TESTING: { word: 'Testing', icon: FlaskConical, tone: 'violet', says: 'An experiment you can discard.' },
  PAUSED: { word: 'Paused', icon: CirclePause, tone: 'plain', says: 'On hold.' },
  WAITING: { word: 'Waiting', icon: Hourglass, tone: 'warn', says: 'Blocked by something else.' },
  REVIEWING: { word: 'Reviewing', icon: ScanEye, tone: 'info', says: 'Findings are being reviewed before the merge.' },
  SPAWNING_CHILD: { word: 'Spawning', icon: GitBranchPlus, tone: 'accent', says: 'Creating a child sidebar.' },
  CONSOLIDATING: {
    word: 'Consolidating',
    icon: Combine,
    tone: 'info',
    says: 'The merge is prepared and waiting for review and approval.',
  },
  MERGED: { word: 'Merged', icon: GitMerge, tone: 'good', says: 'Its findings are in the parent.' },
  ARCHIVED: { word: 'Archived', icon: Archive, tone: 'plain', says: 'Closed. You can cite and fork it.' },
  FAILED: { word: 'Failed', icon: CircleX, tone: 'bad', says: 'Ended without a result.' },
} as const satisfies Record<Status, StatusLook>;

/** The status of a sidebar: an icon, a word and a tone. */
export const StatusBadge = ({ status }: { readonly status: Status }) => {
  const { word, icon, tone, says } = STATUS_LOOKS[status];
  return (
    <Badge tone={tone} icon={icon} title={says}>
      {word}
    </Badge>
  );
};
