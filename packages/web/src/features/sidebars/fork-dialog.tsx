import type { Sidebar } from '@yarnboard/domain';
import { useLocation } from 'wouter';
import { useActor, useCommand } from '../../live/hooks.tsx';
import { TextArea } from '../../ui/field.tsx';
import { useAnswers } from '../../shared/answers.ts';
import { CommandDialog } from '../../shared/command-dialog.tsx';
import { NEW_SETUP, setupInput, SetupFields } from './new-sidebar.tsx';
import { READING_ONLY } from '../../live/refusal.ts';

/** Continues archived work in a new sidebar that inherits all of it. */
export const ForkDialog = ({ sidebar, onClose }: { readonly sidebar: Sidebar; readonly onClose: () => void }) => {
  const [, navigate] = useLocation();
  const actor = useActor();
  const fork = useCommand('sidebar_fork');
  const { answers, change, written, sent } = useAnswers(`fork/${sidebar.id}`, {
    ...NEW_SETUP,
    taskType: sidebar.taskType ?? '',
    reason: '',
    task: sidebar.task,
  });
  const submit = async (): Promise<void> => {
    const task = answers.task.trim();
    const outcome = await sent(() =>
      fork.send({
        originalSidebarId: sidebar.id,
        forkReason: answers.reason.trim(),
        ...(task === '' || task === sidebar.task.trim() ? {} : { taskDescription: task }),
        ...setupInput(answers),
      }),
    );
    if (outcome.kind !== 'done' && outcome.kind !== 'done-before') return;
    onClose();
    const ref = outcome.kind === 'done' ? outcome.result.ref : outcome.ref;
    navigate(ref === null ? '/sidebars' : `/sidebars/${ref}`);
  };
  return (
    <CommandDialog
      title={`Fork ${sidebar.ref}`}
      description={`Creates a new sidebar with everything ${sidebar.ref} knew. ${sidebar.ref} stays as is.`}
      confirm="Fork"
      isDisabled={actor === null}
      refusal={actor === null ? READING_ONLY : fork.refusal}
      isSending={fork.isSending}
      written={written}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextArea label="Why fork it?" required rows={2} value={answers.reason} onChange={(event) => change({ reason: event.target.value })} />
      <TextArea label="Task" value={answers.task} onChange={(event) => change({ task: event.target.value })} />
      <SetupFields setup={answers} onChange={change} />
    </CommandDialog>
  );
};
