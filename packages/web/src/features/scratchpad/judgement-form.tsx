import type { Checks, Command, Finding, FindingStatus, Sidebar } from '@yarnboard/domain';
import { CircleCheck, CircleDashed, CircleX, Eye } from 'lucide-react';
import { useState } from 'react';
import { useDraft } from '../../live/draft.ts';
import { useVerdict } from '../../live/verdict.ts';
import { Button } from '../../ui/button.tsx';
import { Select, TextArea } from '../../ui/field.tsx';
import { focusFirst } from '../../ui/first-focus.ts';
import { Form } from '../../ui/form.tsx';
import { FormActions, type FormActionsProps } from '../../ui/form-actions.tsx';
import { Segmented, type Segment } from '../../ui/segmented.tsx';
import { Refusal } from '../../shared/refusal.tsx';
import { CHECKS, type CheckName } from './checks.tsx';
import type { Judgement } from './desk.ts';
import { InterventionNote } from '../../shared/intervention-note.tsx';

export const JUDGEMENTS = [
  { value: 'confirmed', label: 'Confirm', icon: CircleCheck },
  { value: 'pending', label: 'Leave pending', icon: CircleDashed },
  { value: 'rejected', label: 'Reject', icon: CircleX },
] as const satisfies readonly Segment<FindingStatus>[];

export type JudgementFormProps = {
  readonly sidebar: Sidebar;
  readonly finding: Finding;
  /** What is chosen when it opens. */
  readonly first: FindingStatus;
  /** What it was when somebody began to judge it. */
  readonly seen: FindingStatus;
  readonly refusal: string | null;
  readonly onJudge: (judgement: Judgement) => Promise<boolean>;
  /** They have seen what it is by now, and go on with what was chosen. */
  readonly onLook: (chosen: FindingStatus) => void;
  readonly onCancel: () => void;
};

/** The curator's word about a finding: what becomes of it, what was looked at, and why. */
export const JudgementForm = ({ sidebar, finding, first, seen, refusal, onJudge, onLook, onCancel }: JudgementFormProps) => {
  const [status, setStatus] = useState(first);
  const [draft, write, clear, sent] = useDraft<Pick<Judgement, 'notes' | 'checks'>>(`judgement/${finding.id}`, { notes: '', checks: finding.checks });
  const { notes, checks } = draft;
  const said = notes === '' ? '…' : notes;
  const command: Command = { type: 'finding.validate', sidebar: sidebar.id, finding: finding.id, status, notes: said, seen };
  const verdict = useVerdict(command);
  const submit = async (): Promise<void> => {
    await sent(() => onJudge({ ...draft, status, seen }));
  };
  return (
    <Form
      ref={focusFirst}
      className="scratchpad-form"
      aria-label={`Review finding ${finding.number}`}
      onSubmit={() => {
        void submit();
      }}
    >
      <InterventionNote instead={verdict.instead} />
      <Segmented label="Review" segments={JUDGEMENTS} value={status} onChange={setStatus} />
      <fieldset className="judgement-checks">
        <legend className="visually-hidden">Checks</legend>
        {CHECKS.map(({ name, question }) => (
          <Select
            key={name}
            label={question}
            choices={ANSWERS}
            value={answerOf(checks[name])}
            onChange={(event) => write({ ...draft, checks: withCheck(checks, name, event.target.value) })}
          />
        ))}
      </fieldset>
      <TextArea
        label={status === 'rejected' ? 'Reason' : 'Notes'}
        required={status === 'rejected'}
        data-first={status === 'rejected' || undefined}
        rows={2}
        placeholder={PLACEHOLDERS[status]}
        value={notes}
        onChange={(event) => write({ ...draft, notes: event.target.value })}
      />
      <Refusal text={refusal ?? verdict.refusal} remedy={finding.status === seen ? null : <LookAgain onLook={() => onLook(status)} />} />
      <JudgementActions
        status={status}
        isDisabled={verdict.refusal !== null}
        onCancel={() => {
          clear();
          onCancel();
        }}
      />
    </Form>
  );
};

/** PAGE-177: somebody else has judged it meanwhile. */
export const LookAgain = ({ onLook }: { readonly onLook: () => void }) => (
  <Button size="small" icon={Eye} onClick={onLook}>
    Review the current version
  </Button>
);

type JudgementActionsProps = Pick<FormActionsProps, 'isDisabled' | 'onCancel'> & { readonly status: FindingStatus };

/** What submitting does is what was chosen. A rejection needs a reason, so that is where it begins. */
export const JudgementActions = ({ status, ...rest }: JudgementActionsProps) => (
  <FormActions
    {...rest}
    submit={JUDGEMENTS.find(({ value }) => value === status)?.label ?? 'Review'}
    isDangerous={status === 'rejected'}
    isFirst={status !== 'rejected'}
  />
);

const PLACEHOLDERS = {
  confirmed: 'What convinced you (optional)',
  pending: 'What’s missing? Posted in the conversation (optional)',
  rejected: 'Why? Others learn from the reason',
} as const satisfies Record<FindingStatus, string>;

const ANSWERS = [
  { value: 'unsaid', label: 'not checked' },
  { value: 'yes', label: 'yes' },
  { value: 'no', label: 'no' },
] as const;

const answerOf = (check: boolean | null): string => (check === null ? 'unsaid' : check ? 'yes' : 'no');

const withCheck = (checks: Checks, name: CheckName, answer: string): Checks => ({ ...checks, [name]: answer === 'unsaid' ? null : answer === 'yes' });
