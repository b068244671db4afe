import type { FindingStatus } from '@yarnboard/domain';
import { assertNever } from '@yarnboard/domain';
import { CircleCheck, CircleDashed, CircleX, Clock, CloudUpload, Hourglass, ReplaceAll, Siren, Undo2 } from 'lucide-react';
import { Badge } from './badge.tsx';

/** PAGE-100: provisional, superseded, escalated and unconfirmed items look the same in every view. */
export const ProvisionalMark = ({ why = 'It may still change.' }: { readonly why?: string }) => (
  <Badge tone="warn" icon={Hourglass} title={why}>
    provisional
  </Badge>
);

export const SupersededMark = ({ why = 'It has been replaced.' }: { readonly why?: string | undefined }) => (
  <Badge tone="violet" icon={ReplaceAll} title={why}>
    superseded
  </Badge>
);

/** BACK-4 */
export const TakenBackMark = () => (
  <Badge tone="warn" icon={Undo2} title="Rolled back or deleted in the tool it was said in. It stays here.">
    taken back
  </Badge>
);

export const EscalatedMark = ({ why = 'Escalated for a decision.' }: { readonly why?: string | undefined }) => (
  <Badge tone="bad" icon={Siren} title={why}>
    escalated
  </Badge>
);

/** Done here, and not confirmed by the server yet. */
export const UnconfirmedMark = () => (
  <Badge tone="info" icon={CloudUpload} title="Not yet confirmed by the server.">
    sending
  </Badge>
);

/** PAGE-435: it is safe, and not on the log yet. */
export const QueuedMark = () => (
  <Badge tone="warn" icon={Clock} title="The log is unavailable. This is stored safely and gets its number when the log is back.">
    queued
  </Badge>
);

/** The review status of a finding or a waypoint. */
export const JudgementMark = ({ status }: { readonly status: FindingStatus }) => {
  switch (status) {
    case 'pending':
      return (
        <Badge tone="info" icon={CircleDashed}>
          pending
        </Badge>
      );
    case 'confirmed':
      return (
        <Badge tone="good" icon={CircleCheck}>
          confirmed
        </Badge>
      );
    case 'rejected':
      return (
        <Badge tone="bad" icon={CircleX}>
          rejected
        </Badge>
      );
    default:
      return assertNever(status);
  }
};
