import type { FindingStatus, Gold } from '@yarnboard/domain';
import { useState, type SyntheticEvent } from 'react';
import { useDraft } from '../../live/draft.ts';
import { useVerdict } from '../../live/verdict.ts';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/field.tsx';
import { focusFirst } from '../../ui/first-focus.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { InterventionNote } from '../scratchpad/intervention-note.tsx';
import { JUDGEMENTS } from '../scratchpad/judgement-form.tsx';
import { Refusal } from '../sidebars/refusal.tsx';

/** The curator's word about a waypoint. */
export const GoldJudgement = ({
  gold,
  first,
  refusal,
  onJudge,
  onCancel,
}: {
  readonly gold: Gold;
  readonly first: FindingStatus;
  readonly refusal: string | null;
  readonly onJudge: (status: FindingStatus, notes: string) => Promise<boolean>;
  readonly onCancel: () => void;
}) => {
  const [status, setStatus] = useState(first);
  const [notes, write, clear] = useDraft(`gold/${gold.id}`, '');
  const verdict = useVerdict({ type: 'gold.validate', gold: gold.id, status, notes: notes === '' ? '…' : notes });
  const submit = async (): Promise<void> => {
    if (await onJudge(status, notes)) clear();
  };
  return (
    <form
      ref={focusFirst}
      className="gold-form"
      aria-label={`Judge ${gold.ref}`}
      onSubmit={(event: SyntheticEvent) => {
        event.preventDefault();
        void submit();
      }}
    >
      <InterventionNote instead={verdict.instead} />
      <Segmented label="Judgement" segments={JUDGEMENTS} value={status} onChange={setStatus} />
      <TextArea
        label={status === 'rejected' ? 'Reason' : 'Notes'}
        required={status === 'rejected'}
        data-first={status === 'rejected' || undefined}
        rows={2}
        value={notes}
        onChange={(event) => write(event.target.value)}
      />
      <Refusal text={refusal ?? verdict.refusal} />
      <div className="gold-actions">
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
