import { Button } from './button.tsx';

export type FormActionsProps = {
  /** The label of the submit button. */
  readonly submit: string;
  readonly isDangerous?: boolean;
  readonly size?: 'small' | 'normal';
  readonly isBusy?: boolean;
  readonly isDisabled?: boolean;
  /** It gets the focus when the form opens. */
  readonly isFirst?: boolean;
  /** Discards the form and its text. */
  readonly onCancel: () => void;
};

/** The footer of a form within a view: submit and cancel. */
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
