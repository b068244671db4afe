import { PencilLine } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { Dialog, type DialogProps } from '../ui/dialog.tsx';
import { Form } from '../ui/form.tsx';
import { Notice } from '../ui/notice.tsx';
import { useToast } from '../ui/toast.tsx';
import type { Written } from './answers.ts';
import './dialogs.css';
import { Refusal } from './refusal.tsx';

export type CommandDialogProps = Pick<DialogProps, 'title' | 'description' | 'size' | 'onClose'> & {
  /** The label of the submit button. */
  readonly confirm: string;
  readonly isDangerous?: boolean;
  /** Why it failed, or would fail. */
  readonly refusal: string | null;
  /** A remedy for the refusal, shown beside it. */
  readonly remedy?: ReactNode;
  readonly isSending: boolean;
  readonly isDisabled?: boolean;
  /** What to know before filling in the form. */
  readonly about?: ReactNode;
  /** The draft. Closing the dialog keeps it; cancelling discards it. */
  readonly written?: Written;
  readonly onSubmit: () => Promise<void>;
  readonly children: ReactNode;
};

/** The frame of a dialog that sends one command: its form, why it is refused, and the two buttons. */
export const CommandDialog = ({
  confirm,
  isDangerous = false,
  refusal,
  remedy,
  isSending,
  isDisabled = false,
  about,
  written,
  onSubmit,
  onClose,
  children,
  ...frame
}: CommandDialogProps) => {
  const form = useId();
  const tell = useToast();
  const leave = (): void => {
    if (written?.isBegun === true) tell({ tone: 'info', title: 'Draft saved', text: 'You’ll find it here when you come back.' });
    onClose();
  };
  const cancel = (): void => {
    written?.clear();
    onClose();
  };
  return (
    <Dialog
      {...frame}
      isOpen
      onClose={leave}
      actions={
        <>
          <Refusal text={refusal} remedy={remedy} />
          <Button onClick={cancel}>Cancel</Button>
          <Button variant={isDangerous ? 'danger' : 'primary'} type="submit" form={form} isBusy={isSending} disabled={isDisabled}>
            {confirm}
          </Button>
        </>
      }
    >
      {about}
      {written?.isFromBefore === true ? (
        <Notice
          icon={PencilLine}
          action={
            <Button size="small" onClick={written.clear}>
              Discard draft
            </Button>
          }
        >
          Draft restored.
        </Notice>
      ) : null}
      <Form
        id={form}
        className="dialog-form"
        onSubmit={() => {
          // Enter in a field submits also while the button is busy.
          if (!isSending) void onSubmit();
        }}
      >
        {children}
      </Form>
    </Dialog>
  );
};
