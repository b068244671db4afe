import type { Priority } from '@yarnboard/domain';
import { ChevronDown, ChevronsDown, ChevronsUp, ChevronUp, type LucideIcon } from 'lucide-react';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { priorityWord } from './new-sidebar.tsx';

const LOOKS: Readonly<Record<Exclude<Priority, 'NORMAL'>, { readonly icon: LucideIcon; readonly tone: Tone }>> = {
  CRITICAL: { icon: ChevronsUp, tone: 'bad' },
  HIGH: { icon: ChevronUp, tone: 'warn' },
  LOW: { icon: ChevronDown, tone: 'plain' },
  BACKGROUND: { icon: ChevronsDown, tone: 'plain' },
};

/** The priority, unless it is normal. */
export const PriorityMark = ({ priority }: { readonly priority: Priority }) => {
  if (priority === 'NORMAL') return null;
  const { icon, tone } = LOOKS[priority];
  return (
    <Badge tone={tone} icon={icon} title={`${priorityWord(priority)} priority`}>
      {priorityWord(priority)}
    </Badge>
  );
};
