import { isEnded, rowsOf, type Sidebar } from '@yarnboard/domain';
import { useBoard, useCommand } from '../../live/hooks.tsx';
import { Select, TextArea, TextField } from '../../ui/field.tsx';
import { useReferenceEntry } from '../../shared/reference-entry.ts';
import { ReferencePicker } from '../../shared/reference-picker.tsx';
import { useAnswers } from '../../shared/answers.ts';
import { CommandDialog } from '../../shared/command-dialog.tsx';
import { inShort } from '../../shared/names.ts';

const DEADLINES = [
  { value: '', label: 'No deadline' },
  { value: '3600', label: '1 hour' },
  { value: '28800', label: '8 hours' },
  { value: '86400', label: '1 day' },
  { value: '604800', label: '1 week' },
  { value: '2592000', label: '30 days' },
] as const;

/** Records what a sidebar is waiting for; it resumes when the sidebars among these end. */
export const WaitDialog = ({ sidebar, onClose }: { readonly sidebar: Sidebar; readonly onClose: () => void }) => {
  const wait = useCommand('sidebar_waiting_update');
  const { answers, change, written, sent } = useAnswers<{
    readonly waitingFor: string;
    readonly description: string;
    readonly dependencies: readonly string[];
    readonly seconds: string;
  }>(`wait/${sidebar.id}`, { waitingFor: '', description: '', dependencies: [], seconds: '' });
  const suggestions = useBoard(
    (board) =>
      rowsOf(board.sidebars)
        .filter(({ id, status, ref }) => id !== sidebar.id && !isEnded(status) && ref !== '')
        .toSorted((a, b) => b.lastActivity - a.lastActivity)
        .slice(0, MOST_NEAR)
        .map(({ ref, task }) => ({ ref, gist: inShort(task) })),
    [sidebar.id],
  );
  const dependencies = useReferenceEntry(answers.dependencies, (refs) => change({ dependencies: refs }));
  const submit = async (): Promise<void> => {
    const refs = dependencies.take();
    if (refs === null) return;
    const seconds = Number(answers.seconds);
    const words = {
      waitingFor: answers.waitingFor.trim(),
      ...(answers.description.trim() === '' ? {} : { description: answers.description.trim() }),
    };
    const outcome = await sent(() =>
      wait.send(
        {
          sidebarId: sidebar.id,
          ...words,
          ...(refs.length === 0 ? {} : { dependencyRefs: refs }),
          ...(seconds > 0 ? { timeoutSeconds: seconds } : {}),
        },
        {
          proposal: {
            type: 'sidebar.wait',
            sidebar: sidebar.id,
            ...words,
            dependencies: refs,
            ...(seconds > 0 ? { timeoutMs: seconds * 1000 } : {}),
          },
        },
      ),
    );
    if (outcome.kind === 'done' || outcome.kind === 'done-before') onClose();
  };
  return (
    <CommandDialog
      title={`Set ${sidebar.ref} to waiting`}
      description="Resumes when the sidebars it depends on end, or when someone resumes it. It fails if the deadline passes."
      confirm="Wait"
      refusal={wait.refusal}
      isSending={wait.isSending}
      written={written}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Waiting for"
        required
        placeholder="An answer from the vendor"
        value={answers.waitingFor}
        onChange={(event) => change({ waitingFor: event.target.value })}
      />
      <TextArea label="Details" rows={2} value={answers.description} onChange={(event) => change({ description: event.target.value })} />
      <ReferencePicker label="Depends on" hint="Resumes when these sidebars finish." entry={dependencies} suggestions={suggestions} />
      <Select label="Deadline" choices={DEADLINES} value={answers.seconds} onChange={(event) => change({ seconds: event.target.value })} />
    </CommandDialog>
  );
};

const MOST_NEAR = 50;
