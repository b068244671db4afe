import type { FindingStatus } from '@yarnboard/domain';
import { assertNever } from '@yarnboard/domain';
import { CircleCheck, CircleDashed, CircleX, CloudUpload, Hourglass, ReplaceAll, Siren } from 'lucide-react';
import { Badge } from './badge.tsx';

/** PAGE-100: what may still be taken back, does not hold any more, waits for a human or for the server looks the same in every view. */
export const ProvisionalMark = ({ why = 'It may still be taken back.' }: { readonly why?: string }) => (
  <Badge tone="warn" icon={Hourglass} title={why}>
    provisional
  </Badge>
);

export const SupersededMark = ({ why = 'Something else has taken its place.' }: { readonly why?: string | undefined }) => (
  <Badge tone="violet" icon={ReplaceAll} title={why}>
    superseded
  </Badge>
);

export const EscalatedMark = ({ why = 'It was handed to somebody who can decide it.' }: { readonly why?: string | undefined }) => (
  <Badge tone="bad" icon={Siren} title={why}>
    escalated
  </Badge>
);

/** Done here, and not confirmed by the server yet. */
export const UnconfirmedMark = () => (
  <Badge tone="info" icon={CloudUpload} title="The server has not confirmed it yet.">
    sending
  </Badge>
);

/** How a finding or a waypoint was judged. */
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
