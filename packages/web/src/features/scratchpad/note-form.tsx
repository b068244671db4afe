import type { SyntheticEvent } from 'react';
import { useDraft } from '../../live/draft.ts';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/field.tsx';
import { focusFirst } from '../../ui/first-focus.ts';
import { Refusal } from '../sidebars/refusal.tsx';
import { InterventionNote } from './intervention-note.tsx';
import './scratchpad.css';

export type NoteFormProps = {
  readonly label: string;
  readonly placeholder?: string;
  /** What is being written is kept under it. */
  readonly draftKey: string;
  readonly submitText: string;
  readonly instead?: string | null;
  readonly refusal: string | null;
  readonly isSending?: boolean;
  /** Resolves to whether it was done. */
  readonly onSubmit: (note: string) => Promise<boolean>;
  readonly onCancel: () => void;
};

/** A few words about something, where it stands. */
export const NoteForm = ({
  label,
  placeholder,
  draftKey,
  submitText,
  instead = null,
  refusal,
  isSending = false,
  onSubmit,
  onCancel,
}: NoteFormProps) => {
  const [note, write, clear] = useDraft(draftKey, '');
  const submit = async (): Promise<void> => {
    if (await onSubmit(note.trim())) clear();
  };
  return (
    <form
      ref={focusFirst}
      className="scratchpad-form"
      onSubmit={(event: SyntheticEvent) => {
        event.preventDefault();
        if (!isSending) void submit();
      }}
    >
      <InterventionNote instead={instead} />
      <TextArea
        label={label}
        required
        data-first
        rows={2}
        {...(placeholder === undefined ? {} : { placeholder })}
        value={note}
        onChange={(event) => write(event.target.value)}
      />
      <Refusal text={refusal} />
      <div className="scratchpad-actions">
        <Button variant="primary" size="small" type="submit" isBusy={isSending}>
          {submitText}
        </Button>
        <Button
          variant="quiet"
          size="small"
          onClick={() => {
            clear();
            onCancel();
          }}
        >
          Cancel
        </Button>
      </div>
    </form>
  );
};
