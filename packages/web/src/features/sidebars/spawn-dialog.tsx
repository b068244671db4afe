import { useLocation } from 'wouter';
import { useActor, useCommand } from '../../live/hooks.tsx';
import { Switch, TextArea } from '../../ui/field.tsx';
import { useAnswers } from '../../shared/answers.ts';
import { useBeside } from '../../shared/beside.ts';
import { CommandDialog } from '../../shared/command-dialog.tsx';
import { NEW_SETUP, setupInput, SetupFields } from './new-sidebar.tsx';
import { READING_ONLY } from '../../live/refusal.ts';

export type SpawnDialogProps = {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** The id of a session, MSG-n or SB-n; null for a sidebar that inherits nothing. */
  readonly parentId: string | null;
  /** Where it branches off, in words: "MSG-12 of “Fix the login”". */
  readonly about: string;
};

/** "Branch here": starts a separate conversation that knows everything said up to this point. */
export const SpawnDialog = (props: SpawnDialogProps) => (props.isOpen ? <OpenSpawnDialog {...props} /> : null);

const OpenSpawnDialog = ({ onClose, parentId, about }: SpawnDialogProps) => {
  const [path, navigate] = useLocation();
  const beside = useBeside();
  const actor = useActor();
  const spawn = useCommand('sidebar_spawn');
  const spawnChild = useCommand('sidebar_child_spawn');
  const {
    answers: draft,
    change,
    written,
    sent,
  } = useAnswers(`spawn/${parentId ?? ''}`, { ...NEW_SETUP, task: '', successCriteria: '', isWaiting: false });
  const child = parentId !== null && /^SB-\d+$/iu.test(parentId) ? parentId.toUpperCase() : null;
  const { refusal } = child === null ? spawn : spawnChild;
  const isSending = spawn.isSending || spawnChild.isSending;

  const submit = async (): Promise<void> => {
    const common = { ...setupInput(draft), ...(draft.successCriteria.trim() === '' ? {} : { successCriteria: draft.successCriteria.trim() }) };
    const task = draft.task.trim();
    const outcome = await (child === null
      ? sent(() => spawn.send({ parentId, taskDescription: task, ...common }))
      : sent(() => spawnChild.send({ parentSidebarId: child, subTaskDescription: task, ...(draft.isWaiting ? { wait: true } : {}), ...common })));
    const ref = outcome.kind === 'done' ? outcome.result.ref : outcome.kind === 'done-before' ? outcome.ref : null;
    if (outcome.kind === 'rejected' || outcome.kind === 'unknown') return;
    onClose();
    // PAGE-602: whoever branches off the session they are reading stays there.
    if (beside !== null && ref !== null && path.startsWith('/sessions/')) beside.open(ref);
    else navigate(ref === null ? '/sidebars' : `/sidebars/${ref}`);
  };

  return (
    <CommandDialog
      title={parentId === null ? 'New sidebar' : 'New sidebar from here'}
      description={parentId === null ? about : `From ${about}. The sidebar sees everything up to this message, nothing later.`}
      confirm="Create sidebar"
      isDisabled={actor === null}
      refusal={actor === null ? READING_ONLY : refusal}
      isSending={isSending}
      written={written}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextArea
        label="Task"
        required
        placeholder="What do you want to find out or do?"
        value={draft.task}
        onChange={(event) => change({ task: event.target.value })}
      />
      <TextArea
        label="Success criteria"
        hint="How will you know it’s done?"
        rows={2}
        value={draft.successCriteria}
        onChange={(event) => change({ successCriteria: event.target.value })}
      />
      <SetupFields setup={draft} onChange={change} />
      {child === null ? null : (
        <Switch
          label={`Pause ${child} until it’s done`}
          hint="It resumes when this sidebar ends."
          isOn={draft.isWaiting}
          onChange={(isWaiting) => change({ isWaiting })}
        />
      )}
    </CommandDialog>
  );
};
