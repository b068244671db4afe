import { OPERATOR, type Sidebar } from '@yarnboard/domain';
import { useCommand } from '../../live/hooks.tsx';
import { useVerdict } from '../../live/verdict.ts';
import { Select, Switch, TextArea, TextField } from '../../ui/field.tsx';
import { InterventionNote } from '../../shared/intervention-note.tsx';
import { useAnswers } from '../../shared/answers.ts';
import { CommandDialog } from '../../shared/command-dialog.tsx';
import '../../shared/dialogs.css';
import { OPEN_HINT, tagsIn } from './new-sidebar.tsx';
import { ProposalNote } from './proposal-note.tsx';
import { nameOf } from '../../shared/names.ts';
import { usePeople } from '../../shared/people.tsx';

/** Edits the task and the team of a sidebar. Only changes are sent. */
export const EditDialog = ({ sidebar, onClose }: { readonly sidebar: Sidebar; readonly onClose: () => void }) => {
  const update = useCommand('sidebar_update');
  const people = usePeople();
  const { answers, change, written, sent } = useAnswers(`edit/${sidebar.id}`, {
    task: sidebar.task,
    successCriteria: sidebar.successCriteria ?? '',
    taskType: sidebar.taskType ?? '',
    tags: sidebar.tags.join(', '),
    coordinator: sidebar.coordinator,
    curator: sidebar.curator,
    isOpen: sidebar.isOpen,
  });
  const tags = tagsIn(answers.tags);
  const changed = {
    ...(answers.task === sidebar.task ? {} : { task: answers.task.trim() }),
    ...(answers.successCriteria === (sidebar.successCriteria ?? '') ? {} : { successCriteria: answers.successCriteria.trim() }),
    ...(answers.taskType.trim() === (sidebar.taskType ?? '') || answers.taskType.trim() === '' ? {} : { taskType: answers.taskType.trim() }),
    ...(tags.join() === sidebar.tags.join() ? {} : { tags }),
    ...(answers.coordinator === sidebar.coordinator ? {} : { coordinator: answers.coordinator }),
    ...(answers.curator === sidebar.curator ? {} : { curator: answers.curator }),
    ...(answers.isOpen === sidebar.isOpen ? {} : { isOpen: answers.isOpen }),
  };
  const isChanged = Object.keys(changed).length > 0;
  const verdict = useVerdict({ type: 'sidebar.change', sidebar: sidebar.id, ...changed });
  const leaders = [...new Set([OPERATOR.id, ...people.map(({ id }) => id), sidebar.coordinator, sidebar.curator])].map((id) => ({
    value: id,
    label: nameOf(id),
  }));
  const submit = async (): Promise<void> => {
    if (!isChanged) {
      written.clear();
      onClose();
      return;
    }
    const { task, coordinator, curator, isOpen, ...same } = changed;
    const outcome = await sent(() =>
      update.send(
        {
          sidebarId: sidebar.id,
          ...same,
          ...(task === undefined ? {} : { taskDescription: task }),
          ...(coordinator === undefined ? {} : { coordinatorAgent: coordinator }),
          ...(curator === undefined ? {} : { curatorAgent: curator }),
          ...(isOpen === undefined ? {} : { open: isOpen }),
        },
        { proposal: { type: 'sidebar.change', sidebar: sidebar.id, ...changed } },
      ),
    );
    if (outcome.kind === 'done' || outcome.kind === 'done-before') onClose();
  };
  return (
    <CommandDialog
      title={`Edit ${sidebar.ref}`}
      confirm={isChanged && verdict.isProposal ? 'Send proposal' : 'Save'}
      refusal={update.refusal ?? (isChanged ? verdict.refusal : null)}
      isSending={update.isSending}
      written={written}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextArea label="Task" required value={answers.task} onChange={(event) => change({ task: event.target.value })} />
      <TextArea
        label="Success criteria"
        rows={2}
        value={answers.successCriteria}
        onChange={(event) => change({ successCriteria: event.target.value })}
      />
      <div className="dialog-pair">
        <TextField label="Task type" value={answers.taskType} onChange={(event) => change({ taskType: event.target.value })} />
        <TextField label="Tags" hint="Comma-separated." value={answers.tags} onChange={(event) => change({ tags: event.target.value })} />
      </div>
      <div className="dialog-pair">
        <Select
          label="Coordinator"
          hint="Approves the merge."
          choices={leaders}
          value={answers.coordinator}
          onChange={(event) => change({ coordinator: event.target.value })}
        />
        <Select
          label="Curator"
          hint="Reviews findings."
          choices={leaders}
          value={answers.curator}
          onChange={(event) => change({ curator: event.target.value })}
        />
      </div>
      <Switch label="Anyone can join" hint={OPEN_HINT} isOn={answers.isOpen} onChange={(isOpen) => change({ isOpen })} />
      <InterventionNote instead={isChanged ? verdict.instead : null} />
      <ProposalNote isProposal={isChanged && verdict.isProposal} sidebar={sidebar} />
    </CommandDialog>
  );
};
