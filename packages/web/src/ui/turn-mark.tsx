import { assertNever } from '@yarnboard/domain';
import { ShieldQuestion } from 'lucide-react';
import { Badge, LiveDot } from './badge.tsx';
import type { Turn } from './wording.ts';

/** PAGE-185: the state of a session, in the same words everywhere. */
export const TurnMark = ({ turn }: { readonly turn: Turn }) => {
  switch (turn) {
    case 'asking':
      return (
        <Badge tone="warn" icon={ShieldQuestion}>
          needs permission
        </Badge>
      );
    case 'yours':
      return <Badge tone="accent">waiting for you</Badge>;
    case 'working':
      return <LiveDot label="working" />;
    case 'quiet':
      return <Badge>idle</Badge>;
    default:
      return assertNever(turn);
  }
};
