import { useState } from 'react';
import { TextArea } from '../../ui/field.tsx';
import { focusFirst } from '../../ui/first-focus.ts';
import { FormActions } from '../../ui/form-actions.tsx';
import { Form } from '../../ui/form.tsx';
import { inputFrom } from './questions.ts';

type EditFormProps = {
  readonly input: Readonly<Record<string, unknown>>;
  readonly isSending: boolean;
  readonly onAllow: (input: Readonly<Record<string, unknown>>) => void;
  readonly onCancel: () => void;
};

/** Edits a tool's input before allowing it, and validates it before sending. */
export const EditForm = ({ input, isSending, onAllow, onCancel }: EditFormProps) => {
  const [text, setText] = useState(() => JSON.stringify(input, null, 2));
  const read = inputFrom(text);
  return (
    <Form
      ref={focusFirst}
      aria-label="Allow with changes"
      className="permission-deny"
      onSubmit={() => {
        if ('input' in read && !isSending) onAllow(read.input);
      }}
    >
      <TextArea
        label="Tool input"
        rows={Math.min(14, text.split('\n').length + 1)}
        spellCheck={false}
        value={text}
        {...('fault' in read ? { error: read.fault } : {})}
        onChange={({ target }) => setText(target.value)}
      />
      <FormActions submit="Allow with changes" isBusy={isSending} isDisabled={'fault' in read} onCancel={onCancel} />
    </Form>
  );
};
