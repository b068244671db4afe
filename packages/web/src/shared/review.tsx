import type { FindingStatus } from '@yarnboard/domain';
import { CircleCheck, CircleDashed, CircleX, Eye } from 'lucide-react';
import { Button } from '../ui/button.tsx';
import { FormActions, type FormActionsProps } from '../ui/form-actions.tsx';
import type { Segment } from '../ui/segmented.tsx';

/** The props of a form that reviews a finding or a GOLD. */
export type ReviewProps = {
  /** The initial choice. */
  readonly first: FindingStatus;
  /** The status when the review began. */
  readonly seen: FindingStatus;
  readonly refusal: string | null;
  /** The user has seen the current status, and continues with their choice. */
  readonly onLook: (chosen: FindingStatus) => void;
  readonly onCancel: () => void;
};

export const JUDGEMENTS = [
  { value: 'confirmed', label: 'Confirm', icon: CircleCheck },
  { value: 'pending', label: 'Leave pending', icon: CircleDashed },
  { value: 'rejected', label: 'Reject', icon: CircleX },
] as const satisfies readonly Segment<FindingStatus>[];

/** PAGE-177: someone else reviewed it in the meantime. */
export const LookAgain = ({ onLook }: { readonly onLook: () => void }) => (
  <Button size="small" icon={Eye} onClick={onLook}>
    Review the current version
  </Button>
);

type ReviewActionsProps = Pick<FormActionsProps, 'isDisabled' | 'onCancel'> & { readonly status: FindingStatus };

/** The button is named after the choice. A rejection needs a reason, so the focus starts there. */
export const ReviewActions = ({ status, ...rest }: ReviewActionsProps) => (
  <FormActions
    {...rest}
    submit={JUDGEMENTS.find(({ value }) => value === status)?.label ?? 'Review'}
    isDangerous={status === 'rejected'}
    isFirst={status !== 'rejected'}
  />
);
