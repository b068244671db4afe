import { useDraft } from '../../live/draft.ts';
import { TextArea } from '../../ui/field.tsx';
import { focusFirst } from '../../ui/first-focus.ts';
import { Form } from '../../ui/form.tsx';
import { FormActions } from '../../ui/form-actions.tsx';
import { Refusal } from '../../shared/refusal.tsx';
import { InterventionNote } from '../../shared/intervention-note.tsx';
import './scratchpad.css';

export type NoteFormProps = {
  readonly label: string;
  readonly placeholder?: string;
  /** The key under which the draft is kept. */
  readonly draftKey: string;
  readonly submitText: string;
  readonly instead?: string | null;
  readonly refusal: string | null;
  readonly isSending?: boolean;
  /** Resolves to whether it succeeded. */
  readonly onSubmit: (note: string) => Promise<boolean>;
  readonly onCancel: () => void;
};

/** A short note, written in place. */
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
  const [note, write, clear, sent] = useDraft(draftKey, '');
  const submit = async (): Promise<void> => {
    await sent(() => onSubmit(note.trim()));
  };
  return (
    <Form
      ref={focusFirst}
      className="scratchpad-form"
      onSubmit={() => {
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
      <FormActions
        submit={submitText}
        isBusy={isSending}
        onCancel={() => {
          clear();
          onCancel();
        }}
      />
    </Form>
  );
};
