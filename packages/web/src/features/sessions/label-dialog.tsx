import { useAskAgain, useCommand } from '../../live/hooks.tsx';
import { useAnswers } from '../../shared/answers.ts';
import { CommandDialog } from '../../shared/command-dialog.tsx';
import { sessionTitle } from '../../shared/titles.ts';
import { TextArea, TextField } from '../../ui/field.tsx';
import { NO_LABELS, type Labels } from './labels.ts';

type LabelDialogProps = {
  readonly session: { readonly sessionId: string; readonly title: string | null; readonly labels?: Labels | undefined };
  readonly onClose: () => void;
};

/** PAGE-616: your own name, tags and note for a session. */
export const LabelDialog = ({ session: { sessionId, title, labels = NO_LABELS }, onClose }: LabelDialogProps) => {
  const label = useCommand('session_label');
  const askAgain = useAskAgain();
  const { answers, change, written, sent } = useAnswers(`label/${sessionId}`, {
    name: labels.name ?? '',
    tags: labels.tags.join(', '),
    note: labels.note ?? '',
  });
  const submit = async (): Promise<void> => {
    const outcome = await sent(() => label.send({ id: sessionId, name: answers.name, tags: tagsIn(answers.tags), note: answers.note }));
    askAgain('sessions', 'session');
    if (outcome.kind !== 'rejected' && outcome.kind !== 'unknown') onClose();
  };
  return (
    <CommandDialog
      title="Name, tags and note"
      description="Only on this board: the transcript isn’t changed."
      confirm="Save"
      refusal={label.refusal}
      isSending={label.isSending}
      written={written}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint="Leave it empty to use the title of the transcript."
        placeholder={labels.name === null ? sessionTitle(title) : ''}
        value={answers.name}
        maxLength={300}
        onChange={({ target }) => change({ name: target.value })}
      />
      <TextField label="Tags" hint="Separate them with commas." value={answers.tags} onChange={({ target }) => change({ tags: target.value })} />
      <TextArea label="Note" rows={4} value={answers.note} maxLength={4000} onChange={({ target }) => change({ note: target.value })} />
    </CommandDialog>
  );
};

const tagsIn = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
  ),
];
