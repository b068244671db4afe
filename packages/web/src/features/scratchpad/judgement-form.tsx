import type { Checks, Command, Finding, FindingStatus, Sidebar } from '@yarnboard/domain';
import { CircleCheck, CircleDashed, CircleX } from 'lucide-react';
import { useState, type SyntheticEvent } from 'react';
import { useDraft } from '../../live/draft.ts';
import { useVerdict } from '../../live/verdict.ts';
import { Button } from '../../ui/button.tsx';
import { Select, TextArea } from '../../ui/field.tsx';
import { focusFirst } from '../../ui/first-focus.ts';
import { Segmented, type Segment } from '../../ui/segmented.tsx';
import { Refusal } from '../sidebars/refusal.tsx';
import { CHECKS, type CheckName } from './checks.tsx';
import type { Judgement } from './desk.ts';
import { InterventionNote } from './intervention-note.tsx';

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
  readonly refusal: string | null;
  readonly onJudge: (judgement: Judgement) => Promise<boolean>;
  readonly onCancel: () => void;
};

/** The curator's word about a finding: what becomes of it, what was looked at, and why. */
export const JudgementForm = ({ sidebar, finding, first, refusal, onJudge, onCancel }: JudgementFormProps) => {
  const [status, setStatus] = useState(first);
  const [draft, write, clear] = useDraft<Omit<Judgement, 'status'>>(`judgement/${finding.id}`, { notes: '', checks: finding.checks });
  const { notes, checks } = draft;
  const command: Command = { type: 'finding.validate', sidebar: sidebar.id, finding: finding.id, status, notes: notes === '' ? '…' : notes };
  const verdict = useVerdict(command);
  const submit = async (): Promise<void> => {
    if (await onJudge({ ...draft, status })) clear();
  };
  return (
    <form
      ref={focusFirst}
      className="scratchpad-form"
      aria-label={`Judge finding ${finding.number}`}
      onSubmit={(event: SyntheticEvent) => {
        event.preventDefault();
        void submit();
      }}
    >
      <InterventionNote instead={verdict.instead} />
      <Segmented label="Judgement" segments={JUDGEMENTS} value={status} onChange={setStatus} />
      <fieldset className="judgement-checks">
        <legend className="visually-hidden">What was looked at</legend>
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
      <Refusal text={refusal ?? verdict.refusal} />
      <div className="scratchpad-actions">
        <Button
          variant={status === 'rejected' ? 'danger' : 'primary'}
          size="small"
          type="submit"
          data-first={status !== 'rejected' || undefined}
          disabled={verdict.refusal !== null}
        >
          {JUDGEMENTS.find(({ value }) => value === status)?.label ?? 'Judge'}
        </Button>
        <Button
          variant="quiet"
          size="small"
          onClick={() => {
            clear();
            onCancel();
          }}
        >
          Cancel
        </Button>
      </div>
    </form>
  );
};

const PLACEHOLDERS = {
  confirmed: 'What convinced you (optional)',
  pending: 'What is missing: it is asked for in the conversation (optional)',
  rejected: 'Why it is rejected: that is what others learn from',
} as const satisfies Record<FindingStatus, string>;

const ANSWERS = [
  { value: 'unsaid', label: 'not looked at' },
  { value: 'yes', label: 'yes' },
  { value: 'no', label: 'no' },
] as const;

const answerOf = (check: boolean | null): string => (check === null ? 'unsaid' : check ? 'yes' : 'no');

const withCheck = (checks: Checks, name: CheckName, answer: string): Checks => ({ ...checks, [name]: answer === 'unsaid' ? null : answer === 'yes' });
