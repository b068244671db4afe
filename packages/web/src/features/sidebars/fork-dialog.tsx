import type { Sidebar } from '@yarnboard/domain';
import { useId, type SyntheticEvent } from 'react';
import { useLocation } from 'wouter';
import { useActor, useCommand } from '../../live/hooks.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextArea } from '../../ui/field.tsx';
import { useAnswers } from './answers.ts';
import './dialogs.css';
import { NEW_SETUP, setupInput, SetupFields } from './new-sidebar.tsx';
import { READING_ONLY } from '../../live/refusal.ts';
import { Refusal } from './refusal.tsx';

/** Takes archived work up again in a new sidebar that inherits all of it. */
export const ForkDialog = ({ sidebar, onClose }: { readonly sidebar: Sidebar; readonly onClose: () => void }) => {
  const form = useId();
  const [, navigate] = useLocation();
  const actor = useActor();
  const fork = useCommand('sidebar_fork');
  const [answers, change] = useAnswers({ ...NEW_SETUP, taskType: sidebar.taskType ?? '', reason: '', task: sidebar.task });
  const submit = async (): Promise<void> => {
    const task = answers.task.trim();
    const outcome = await fork.send({
      originalSidebarId: sidebar.id,
      forkReason: answers.reason.trim(),
      ...(task === '' || task === sidebar.task.trim() ? {} : { taskDescription: task }),
      ...setupInput(answers),
    });
    if (outcome.kind !== 'done' && outcome.kind !== 'done-before') return;
    onClose();
    const ref = outcome.kind === 'done' ? outcome.result.ref : outcome.ref;
    navigate(ref === null ? '/sidebars' : `/sidebars/${ref}`);
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Fork ${sidebar.ref}`}
      description={`A new sidebar that knows all that ${sidebar.ref} inherited and did. ${sidebar.ref} stays as it is.`}
      actions={
        <>
          <Refusal text={actor === null ? READING_ONLY : fork.refusal} />
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={form} isBusy={fork.isSending} disabled={actor === null}>
            Fork
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
        <TextArea
          label="Why is it taken up again?"
          required
          rows={2}
          value={answers.reason}
          onChange={(event) => change({ reason: event.target.value })}
        />
        <TextArea label="Task" value={answers.task} onChange={(event) => change({ task: event.target.value })} />
        <SetupFields setup={answers} onChange={change} />
      </form>
    </Dialog>
  );
};
