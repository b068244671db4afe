import type { Command, Sidebar } from '@yarnboard/domain';
import type { Outcome } from '@yarnboard/protocol';
import type { ReactNode } from 'react';
import type { SendOptions, Sending } from '../../live/hooks.tsx';
import { useCommand } from '../../live/hooks.tsx';
import { useVerdict } from '../../live/verdict.ts';
import { TextArea, TextField } from '../../ui/field.tsx';
import { InterventionNote } from '../../shared/intervention-note.tsx';
import { useAnswers, type Answers } from '../../shared/answers.ts';
import { CommandDialog } from '../../shared/command-dialog.tsx';
import { ProposalNote } from './proposal-note.tsx';

type ReasonDialogProps = {
  readonly title: string;
  readonly description: ReactNode;
  readonly label: string;
  readonly isNeeded: boolean;
  readonly confirm: string;
  readonly isDangerous?: boolean;
  readonly sidebar: Sidebar;
  readonly form: Answers<{ readonly reason: string }>;
  readonly commandOf: (reason: string | undefined) => Command;
  readonly sending: Sending;
  readonly send: (reason: string | undefined, options: SendOptions) => Promise<Outcome<unknown>>;
  readonly onClose: () => void;
  readonly children?: ReactNode;
};

/** The dialog for a move that takes at most a reason. It shows a refusal before anything is sent. */
const ReasonDialog = ({
  title,
  description,
  label,
  isNeeded,
  confirm,
  isDangerous = false,
  sidebar,
  form: { answers, change, written, sent },
  commandOf,
  sending,
  send,
  onClose,
  children,
}: ReasonDialogProps) => {
  const words = answers.reason.trim() === '' ? undefined : answers.reason.trim();
  // Fills in a reason for the check: the field already says that one is required.
  const verdict = useVerdict(commandOf(words ?? (isNeeded ? 'a reason' : undefined)));
  const submit = async (): Promise<void> => {
    const outcome = await sent(() => send(words, { proposal: commandOf(words) }));
    if (outcome.kind === 'done' || outcome.kind === 'done-before') onClose();
  };
  return (
    <CommandDialog
      title={title}
      description={description}
      confirm={verdict.isProposal ? 'Send proposal' : confirm}
      isDangerous={isDangerous && !verdict.isProposal}
      refusal={sending.refusal ?? verdict.refusal}
      isSending={sending.isSending}
      written={written}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextArea label={label} required={isNeeded} value={answers.reason} onChange={(event) => change({ reason: event.target.value })} />
      {children}
      <InterventionNote instead={verdict.instead} />
      <ProposalNote isProposal={verdict.isProposal} sidebar={sidebar} />
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
      description="Nothing is lost. On resuming, you see what changed in the meantime."
      label="Why?"
      isNeeded
      confirm="Pause"
      sidebar={sidebar}
      form={form}
      commandOf={(reason) => ({ type: 'sidebar.pause', sidebar: sidebar.id, reason: reason ?? '', ...resumeCondition })}
      sending={pause}
      send={(reason, options) => pause.send({ sidebarId: sidebar.id, reason: reason ?? '', ...resumeCondition }, options)}
      onClose={onClose}
    >
      <TextField
        label="Resume when"
        placeholder="The new build is out"
        value={condition}
        onChange={(event) => form.change({ condition: event.target.value })}
      />
    </ReasonDialog>
  );
};

type Move = {
  readonly to: 'ACTIVE' | 'REVIEWING' | 'FAILED';
  readonly title: (ref: string) => string;
  readonly description: string;
  readonly label: string;
  readonly isNeeded: boolean;
  readonly confirm: string;
  readonly isDangerous?: boolean;
};

/** The moves that take at most a reason. */
const MOVES_BY_REASON = {
  review: {
    to: 'REVIEWING',
    title: (ref) => `Move ${ref} to review`,
    description: 'Review the findings before merging. Pending ones can be excluded after that.',
    label: 'What should be reviewed?',
    isNeeded: false,
    confirm: 'Move to review',
  },
  fail: {
    to: 'FAILED',
    title: (ref) => `Mark ${ref} as failed`,
    description: 'Ends the sidebar without a result. Findings stay, and you can archive and fork it.',
    label: 'Why?',
    isNeeded: true,
    confirm: 'Mark as failed',
    isDangerous: true,
  },
  promote: {
    to: 'ACTIVE',
    title: (ref) => `Promote ${ref}`,
    description: 'Turns the test into real work that can be merged.',
    label: 'Why this one?',
    isNeeded: false,
    confirm: 'Promote',
  },
  'send-back': {
    to: 'ACTIVE',
    title: (ref) => `Send ${ref} back`,
    description: 'Cancels this merge. You can prepare and review it again later.',
    label: 'What’s missing?',
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
      title={title(sidebar.ref)}
      sidebar={sidebar}
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
      description="Asks the coordinator to decide, then the human operator."
      label="What needs a decision?"
      isNeeded
      confirm="Escalate"
      sidebar={sidebar}
      form={form}
      commandOf={(reason) => ({ type: 'sidebar.escalate', sidebar: sidebar.id, reason: reason ?? '' })}
      sending={escalate}
      send={(reason, options) => escalate.send({ sidebarId: sidebar.id, reason: reason ?? '' }, options)}
      onClose={onClose}
    />
  );
};
