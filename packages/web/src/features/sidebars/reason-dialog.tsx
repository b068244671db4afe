import type { Command, Sidebar } from '@yarnboard/domain';
import type { Outcome } from '@yarnboard/protocol';
import type { ReactNode } from 'react';
import type { SendOptions, Sending } from '../../live/hooks.tsx';
import { useCommand } from '../../live/hooks.tsx';
import { useVerdict } from '../../live/verdict.ts';
import { TextArea, TextField } from '../../ui/field.tsx';
import { InterventionNote } from '../scratchpad/intervention-note.tsx';
import { useAnswers, type Answers } from './answers.ts';
import { CommandDialog } from './command-dialog.tsx';

type ReasonDialogProps = {
  readonly title: string;
  readonly description: ReactNode;
  readonly label: string;
  readonly isNeeded: boolean;
  readonly confirm: string;
  readonly isDangerous?: boolean;
  readonly form: Answers<{ readonly reason: string }>;
  readonly commandOf: (reason: string | undefined) => Command;
  readonly sending: Sending;
  readonly send: (reason: string | undefined, options: SendOptions) => Promise<Outcome<unknown>>;
  readonly onClose: () => void;
  readonly children?: ReactNode;
};

/** A move that needs nothing but a reason, or not even that. What would be refused is said before it is sent. */
const ReasonDialog = ({
  title,
  description,
  label,
  isNeeded,
  confirm,
  isDangerous = false,
  form: { answers, change, written, sent },
  commandOf,
  sending,
  send,
  onClose,
  children,
}: ReasonDialogProps) => {
  const words = answers.reason.trim() === '' ? undefined : answers.reason.trim();
  // Without a reason it would be refused for that, which the field says already.
  const verdict = useVerdict(commandOf(words ?? (isNeeded ? 'a reason' : undefined)));
  const submit = async (): Promise<void> => {
    const outcome = await sent(() => send(words, { proposal: commandOf(words) }));
    if (outcome.kind === 'done' || outcome.kind === 'done-before') onClose();
  };
  return (
    <CommandDialog
      title={title}
      description={description}
      confirm={confirm}
      isDangerous={isDangerous}
      refusal={sending.refusal ?? verdict.refusal}
      isSending={sending.isSending}
      written={written}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextArea label={label} required={isNeeded} value={answers.reason} onChange={(event) => change({ reason: event.target.value })} />
      {children}
      <InterventionNote instead={verdict.instead} />
    </CommandDialog>
  );
};

type DialogOf = { readonly sidebar: Sidebar; readonly onClose: () => void };

export const PauseDialog = ({ sidebar, onClose }: DialogOf) => {
  const pause = useCommand('sidebar_pause');
  const form = useAnswers(`pause/${sidebar.id}`, { reason: '', condition: '' });
  const { condition } = form.answers;
  const resumeCondition = condition.trim() === '' ? {} : { resumeCondition: condition.trim() };
  return (
    <ReasonDialog
      title={`Pause ${sidebar.ref}`}
      description="Hold that thought: nothing is lost, and whoever resumes it is told what happened meanwhile."
      label="Why?"
      isNeeded
      confirm="Pause"
      form={form}
      commandOf={(reason) => ({ type: 'sidebar.pause', sidebar: sidebar.id, reason: reason ?? '', ...resumeCondition })}
      sending={pause}
      send={(reason, options) => pause.send({ sidebarId: sidebar.id, reason: reason ?? '', ...resumeCondition }, options)}
      onClose={onClose}
    >
      <TextField
        label="To be resumed when"
        placeholder="the new build is out …"
        value={condition}
        onChange={(event) => form.change({ condition: event.target.value })}
      />
    </ReasonDialog>
  );
};

type Move = {
  readonly to: 'ACTIVE' | 'REVIEWING' | 'FAILED';
  readonly title: string;
  readonly description: string;
  readonly label: string;
  readonly isNeeded: boolean;
  readonly confirm: string;
  readonly isDangerous?: boolean;
};

/** The moves that go by themselves, with or without a reason. */
const MOVES_BY_REASON = {
  review: {
    to: 'REVIEWING',
    title: 'Move to review',
    description: 'What was found is looked at before it is put together. What is still pending may be left behind then.',
    label: 'What is to be looked at?',
    isNeeded: false,
    confirm: 'Move to review',
  },
  fail: {
    to: 'FAILED',
    title: 'Let it fail',
    description: 'It ends without a result. What was found stays in it; it can be archived and forked.',
    label: 'Why?',
    isNeeded: true,
    confirm: 'Let it fail',
    isDangerous: true,
  },
  promote: {
    to: 'ACTIVE',
    title: 'Promote the test',
    description: 'The test becomes real work: from then on it can be put together and merged.',
    label: 'Why this one?',
    isNeeded: false,
    confirm: 'Promote',
  },
  'send-back': {
    to: 'ACTIVE',
    title: 'Send it back to work',
    description: 'The package is put aside. Before it is merged it has to be put together and checked again.',
    label: 'What is missing?',
    isNeeded: true,
    confirm: 'Send back',
  },
} as const satisfies Record<string, Move>;

export const MoveDialog = ({ sidebar, kind, onClose }: DialogOf & { readonly kind: keyof typeof MOVES_BY_REASON }) => {
  const move = useCommand('sidebar_status_update');
  const form = useAnswers(`${kind}/${sidebar.id}`, { reason: '' });
  const { to, title, ...words } = MOVES_BY_REASON[kind];
  return (
    <ReasonDialog
      {...words}
      title={`${title}: ${sidebar.ref}`}
      form={form}
      commandOf={(reason) => ({ type: 'sidebar.move', sidebar: sidebar.id, to, ...(reason === undefined ? {} : { reason }) })}
      sending={move}
      send={(reason, options) => move.send({ sidebarId: sidebar.id, newStatus: to, ...(reason === undefined ? {} : { reason }) }, options)}
      onClose={onClose}
    />
  );
};

export const EscalateDialog = ({ sidebar, onClose }: DialogOf) => {
  const escalate = useCommand('sidebar_escalate');
  const form = useAnswers(`escalate/${sidebar.id}`, { reason: '' });
  return (
    <ReasonDialog
      title={`Escalate ${sidebar.ref}`}
      description="Hands what you cannot resolve to the coordinator, and from there to the human."
      label="What cannot be resolved here?"
      isNeeded
      confirm="Escalate"
      form={form}
      commandOf={(reason) => ({ type: 'sidebar.escalate', sidebar: sidebar.id, reason: reason ?? '' })}
      sending={escalate}
      send={(reason, options) => escalate.send({ sidebarId: sidebar.id, reason: reason ?? '' }, options)}
      onClose={onClose}
    />
  );
};
