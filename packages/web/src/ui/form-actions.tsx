import { Button } from './button.tsx';

export type FormActionsProps = {
  /** What submitting does. */
  readonly submit: string;
  readonly isDangerous?: boolean;
  readonly size?: 'small' | 'normal';
  readonly isBusy?: boolean;
  readonly isDisabled?: boolean;
  /** The focus goes to it when the form opens. */
  readonly isFirst?: boolean;
  /** It is given up, and what was written with it. */
  readonly onCancel: () => void;
};

/** The foot of a form that stands in a view: what does it, and what gives it up. */
export const FormActions = ({
  submit,
  isDangerous = false,
  size = 'small',
  isBusy = false,
  isDisabled = false,
  isFirst = false,
  onCancel,
}: FormActionsProps) => (
  <div className="actions">
    <Button
      variant={isDangerous ? 'danger' : 'primary'}
      size={size}
      type="submit"
      data-first={isFirst || undefined}
      isBusy={isBusy}
      disabled={isDisabled}
    >
      {submit}
    </Button>
    <Button variant="quiet" size={size} onClick={onCancel}>
      Cancel
    </Button>
  </div>
);
