import type { Claim, Verification } from '@yarnboard/domain';
import { Check, CircleHelp, X } from 'lucide-react';
import { useState } from 'react';
import { useDraft } from '../../live/draft.ts';
import { useAsk, useCommand } from '../../live/hooks.tsx';
import { useReferenceEntry } from '../../shared/reference-entry.ts';
import { ReferencePicker } from '../../shared/reference-picker.tsx';
import { Refusal } from '../../shared/refusal.tsx';
import { TextArea, TextField } from '../../ui/field.tsx';
import { focusFirst } from '../../ui/first-focus.ts';
import { FormActions } from '../../ui/form-actions.tsx';
import { Form } from '../../ui/form.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Reference } from '../../ui/reference.tsx';
import { Segmented } from '../../ui/segmented.tsx';

/** Judge whether a claim is true, end a dispute, or overrule a check. */
export type ClaimDeed = 'judge' | 'settle' | 'overrule';

type ClaimFormProps = {
  readonly sidebarId: string;
  readonly claim: Claim;
  readonly deed: ClaimDeed;
  /** The mark when the form was opened. */
  readonly seen: Verification;
  readonly canTakeBack: boolean;
  readonly onClose: () => void;
};

type Draft = { readonly notes: string; readonly confidence: string; readonly evidence: readonly string[] };

/** PAGE-472: judges, settles or overrules a claim where it is listed. */
export const ClaimForm = ({ sidebarId, claim, deed, seen, canTakeBack, onClose }: ClaimFormProps) => {
  const [verification, setVerification] = useState<Verification>('confirmed');
  const [draft, write, clear, sent] = useDraft<Draft>(`claim/${deed}/${claim.id}`, { notes: '', confidence: '', evidence: [] });
  const evidence = useReferenceEntry(draft.evidence, (refs) => write({ ...draft, evidence: refs }));
  const verify = useCommand('claim_verify');
  const settle = useCommand('claim_settle');
  const overrule = useCommand('validation_overrule');
  const { title, why, isWhyNeeded, submit } = DEEDS[deed];
  const isLeftOpen = deed !== 'judge' || canTakeBack;
  const send = (refs: readonly string[]) => {
    const to = { sidebarId, claimId: claim.id, verification };
    const sure = draft.confidence.trim() === '' || verification === 'unverified' ? {} : { confidence: Number(draft.confidence) };
    const notes = draft.notes.trim();
    if (deed === 'settle') return settle.send({ ...to, ...sure, notes });
    if (deed === 'overrule') return overrule.send({ ...to, reason: notes });
    return verify.send({ ...to, ...sure, seen, ...(notes === '' ? {} : { notes }), ...(refs.length === 0 ? {} : { evidence: refs }) });
  };
  const give = async (): Promise<void> => {
    const refs = evidence.take();
    if (refs === null) return;
    const outcome = await sent(() => send(refs));
    if (outcome.kind === 'done') onClose();
  };
  return (
    <Form ref={focusFirst} className="claim-form" aria-label={`${title} claim ${claim.number}`} onSubmit={() => void give()}>
      <Elsewhere sidebarId={sidebarId} claim={claim} />
      <Segmented
        label="Is it true here?"
        segments={
          isLeftOpen ? [...VERDICTS, { value: 'unverified', label: deed === 'judge' ? 'Take back' : 'Leave open', icon: CircleHelp }] : VERDICTS
        }
        value={verification}
        onChange={setVerification}
      />
      <TextArea
        label={why}
        rows={2}
        required={isWhyNeeded}
        data-first
        maxLength={2000}
        value={draft.notes}
        onChange={({ target }) => write({ ...draft, notes: target.value })}
      />
      {deed === 'overrule' || verification === 'unverified' ? null : (
        <TextField
          label="Confidence (optional)"
          hint="From 0 to 1: how sure you are that it’s true."
          type="number"
          min={0}
          max={1}
          step="any"
          value={draft.confidence}
          onChange={({ target }) => write({ ...draft, confidence: target.value })}
        />
      )}
      {deed === 'judge' ? <ReferencePicker label="Evidence (optional)" entry={evidence} /> : null}
      <Refusal text={verify.refusal ?? settle.refusal ?? overrule.refusal} />
      <FormActions
        submit={submit}
        isBusy={verify.isSending || settle.isSending || overrule.isSending}
        onCancel={() => {
          clear();
          onClose();
        }}
      />
    </Form>
  );
};

/** CLAIM-8: findings from other sidebars inform the reviewer, but do not count here. */
const Elsewhere = ({ sidebarId, claim }: Pick<ClaimFormProps, 'sidebarId' | 'claim'>) => {
  const { data } = useAsk('claim', { sidebarId, claimId: claim.id });
  return (data?.elsewhere ?? []).map((other) => (
    <p key={other.sidebarId} className="small soft">
      {other.verification} in <Reference to={other.sidebarId} /> <Moment at={other.markedAt} />; does not count here
    </p>
  ));
};

const VERDICTS = [
  { value: 'confirmed', label: 'Confirm', icon: Check },
  { value: 'contradicted', label: 'Contradict', icon: X },
] as const;

const DEEDS = {
  judge: { title: 'Judge', why: 'Why (optional)', isWhyNeeded: false, submit: 'Save' },
  settle: { title: 'Settle', why: 'Why?', isWhyNeeded: true, submit: 'Settle dispute' },
  overrule: { title: 'Overrule the check of', why: 'Why was the check wrong?', isWhyNeeded: true, submit: 'Overrule check' },
} as const satisfies Record<ClaimDeed, { readonly title: string; readonly why: string; readonly isWhyNeeded: boolean; readonly submit: string }>;
