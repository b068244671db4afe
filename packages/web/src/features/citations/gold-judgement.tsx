import type { Gold } from '@yarnboard/domain';
import { useState } from 'react';
import { useDraft } from '../../live/draft.ts';
import { useVerdict } from '../../live/verdict.ts';
import { TextArea } from '../../ui/field.tsx';
import { focusFirst } from '../../ui/first-focus.ts';
import { Form } from '../../ui/form.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { InterventionNote } from '../../shared/intervention-note.tsx';
import { Refusal } from '../../shared/refusal.tsx';
import { JUDGEMENTS, LookAgain, ReviewActions, type ReviewProps } from '../../shared/review.tsx';
import type { GoldWord } from './gold-desk.ts';

export type GoldJudgementProps = ReviewProps & {
  readonly gold: Gold;
  readonly onJudge: (word: GoldWord) => Promise<boolean>;
};

/** The curator's review of a waypoint. */
export const GoldJudgement = ({ gold, first, seen, refusal, onJudge, onLook, onCancel }: GoldJudgementProps) => {
  const [status, setStatus] = useState(first);
  const [notes, write, clear, sent] = useDraft(`gold/${gold.id}`, '');
  const verdict = useVerdict({ type: 'gold.validate', gold: gold.id, status, notes: notes === '' ? '…' : notes, seen });
  const submit = async (): Promise<void> => {
    await sent(() => onJudge({ status, notes, seen }));
  };
  return (
    <Form
      ref={focusFirst}
      className="gold-form"
      aria-label={`Review ${gold.ref}`}
      onSubmit={() => {
        void submit();
      }}
    >
      <InterventionNote instead={verdict.instead} />
      <Segmented label="Review" segments={JUDGEMENTS} value={status} onChange={setStatus} />
      <TextArea
        label={status === 'rejected' ? 'Reason' : 'Notes'}
        required={status === 'rejected'}
        data-first={status === 'rejected' || undefined}
        rows={2}
        value={notes}
        onChange={(event) => write(event.target.value)}
      />
      <Refusal text={refusal ?? verdict.refusal} remedy={gold.status === seen ? null : <LookAgain onLook={() => onLook(status)} />} />
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
