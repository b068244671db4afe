import type { Checks, Command, Finding, FindingStatus, Sidebar } from '@yarnboard/domain';
import { useState } from 'react';
import { useDraft } from '../../live/draft.ts';
import { useVerdict } from '../../live/verdict.ts';
import { Select, TextArea } from '../../ui/field.tsx';
import { focusFirst } from '../../ui/first-focus.ts';
import { Form } from '../../ui/form.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Refusal } from '../../shared/refusal.tsx';
import { JUDGEMENTS, LookAgain, ReviewActions, type ReviewProps } from '../../shared/review.tsx';
import { CHECKS, type CheckName } from './checks.tsx';
import type { Judgement } from './desk.ts';
import { InterventionNote } from '../../shared/intervention-note.tsx';

export type JudgementFormProps = ReviewProps & {
  readonly sidebar: Sidebar;
  readonly finding: Finding;
  readonly onJudge: (judgement: Judgement) => Promise<boolean>;
};

/** The curator's review of a finding: the decision, the checks and the reason. */
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
      <ReviewActions
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
