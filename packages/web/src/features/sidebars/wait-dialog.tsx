import { isEnded, rowsOf, type Sidebar } from '@yarnboard/domain';
import { useId, type SyntheticEvent } from 'react';
import { useBoard, useCommand } from '../../live/hooks.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select, TextArea, TextField } from '../../ui/field.tsx';
import { ReferencePicker } from '../citations/reference-picker.tsx';
import { useAnswers } from './answers.ts';
import './dialogs.css';
import { inShort } from './names.ts';
import { Refusal } from './refusal.tsx';

const DEADLINES = [
  { value: '', label: 'Without a deadline' },
  { value: '3600', label: 'An hour' },
  { value: '28800', label: 'Eight hours' },
  { value: '86400', label: 'A day' },
  { value: '604800', label: 'A week' },
  { value: '2592000', label: 'Thirty days' },
] as const;

/** Says what a sidebar is blocked on; sidebars among it let it go on when they end. */
export const WaitDialog = ({ sidebar, onClose }: { readonly sidebar: Sidebar; readonly onClose: () => void }) => {
  const form = useId();
  const wait = useCommand('sidebar_waiting_update');
  const [answers, change] = useAnswers<{
    readonly waitingFor: string;
    readonly description: string;
    readonly dependencies: readonly string[];
    readonly seconds: string;
  }>({ waitingFor: '', description: '', dependencies: [], seconds: '' });
  const suggestions = useBoard(
    (board) =>
      rowsOf(board.sidebars)
        .filter(({ id, status, ref }) => id !== sidebar.id && !isEnded(status) && ref !== '')
        .toSorted((a, b) => b.lastActivity - a.lastActivity)
        .slice(0, MOST_NEAR)
        .map(({ ref, task }) => ({ ref, gist: inShort(task) })),
    [sidebar.id],
  );
  const submit = async (): Promise<void> => {
    const seconds = Number(answers.seconds);
    const words = {
      waitingFor: answers.waitingFor.trim(),
      ...(answers.description.trim() === '' ? {} : { description: answers.description.trim() }),
    };
    const outcome = await wait.send(
      {
        sidebarId: sidebar.id,
        ...words,
        ...(answers.dependencies.length === 0 ? {} : { dependencyRefs: answers.dependencies }),
        ...(seconds > 0 ? { timeoutSeconds: seconds } : {}),
      },
      {
        proposal: {
          type: 'sidebar.wait',
          sidebar: sidebar.id,
          ...words,
          dependencies: answers.dependencies,
          ...(seconds > 0 ? { timeoutMs: seconds * 1000 } : {}),
        },
      },
    );
    if (outcome.kind === 'done' || outcome.kind === 'done-before') onClose();
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Let ${sidebar.ref} wait`}
      description="It goes on when the last of the sidebars it depends on has ended, or when somebody resumes it. A deadline that passes lets it fail."
      actions={
        <>
          <Refusal text={wait.refusal} />
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={form} isBusy={wait.isSending}>
            Wait
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="dialog-form"
        onSubmit={(event: SyntheticEvent) => {
          event.preventDefault();
          void submit();
        }}
      >
        <TextField
          label="Waits for"
          required
          placeholder="an answer from the vendor …"
          value={answers.waitingFor}
          onChange={(event) => change({ waitingFor: event.target.value })}
        />
        <TextArea label="In more words" rows={2} value={answers.description} onChange={(event) => change({ description: event.target.value })} />
        <ReferencePicker
          label="Depends on"
          hint="Sidebars let it go on when they end; other references are for reading."
          value={answers.dependencies}
          onChange={(dependencies) => change({ dependencies })}
          suggestions={suggestions}
        />
        <Select label="At most" choices={DEADLINES} value={answers.seconds} onChange={(event) => change({ seconds: event.target.value })} />
      </form>
    </Dialog>
  );
};

const MOST_NEAR = 50;
