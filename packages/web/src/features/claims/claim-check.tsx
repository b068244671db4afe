import { isValidationType, needsReview, type Claim, type Finding } from '@yarnboard/domain';
import { Check, ScanSearch, X } from 'lucide-react';
import { useState } from 'react';
import { useCommand } from '../../live/hooks.tsx';
import { Refusal } from '../../shared/refusal.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Tried } from './tried.tsx';
import './claim-check.css';

/** PAGE-361: a machine check beside a finding: evidence for the reviewer, not a status. */
export const FindingCheck = ({
  sidebarId,
  finding,
  canCheck,
}: {
  readonly sidebarId: string;
  readonly finding: Finding;
  readonly canCheck: boolean;
}) => {
  const { machineCheck, number } = finding;
  if (machineCheck === null && !canCheck) return null;
  return (
    <div className="claim-check">
      {machineCheck === null ? null : (
        <>
          <q className="exchange-mark-words">{machineCheck.words}</q>
          <Tried validation={machineCheck} isOpen={machineCheck.needsReview} />
        </>
      )}
      {canCheck ? (
        <CheckButton sidebarId={sidebarId} claim={`FINDING-${number}`} label={machineCheck === null ? 'Check by machine' : 'Check again'} />
      ) : null}
    </div>
  );
};

/** PAGE-260: machine checks beside a claim: everything tried, what disagrees, and where the text was found instead. */
export const ClaimCheck = ({ sidebarId, claim, canCheck }: { readonly sidebarId: string; readonly claim: Claim; readonly canCheck: boolean }) => {
  const { validation } = claim;
  const isCheckable = claim.words !== null && isValidationType(claim.type);
  if (validation === null && !(canCheck && isCheckable)) return null;
  return (
    <div className="claim-check">
      {validation === null ? null : <Tried validation={validation} isOpen={needsReview(claim)} />}
      {canCheck && isCheckable ? <CheckButton sidebarId={sidebarId} claim={claim.id} label={validation === null ? 'Check' : 'Check again'} /> : null}
      {canCheck && needsReview(claim) ? <Overrule sidebarId={sidebarId} claim={claim.id} /> : null}
    </div>
  );
};

type CheckButtonProps = {
  readonly sidebarId: string;
  readonly claim: string;
  readonly label: string;
  /** VAL-32: check only what a hedged sentence asserts. */
  readonly isCore?: boolean;
};

export const CheckButton = ({ sidebarId, claim, label, isCore = false }: CheckButtonProps) => {
  const check = useCommand('claim_validate');
  return (
    <>
      <Button
        size="small"
        icon={ScanSearch}
        isBusy={check.isSending}
        onClick={() => void check.send({ sidebarId, claimId: claim, ...(isCore ? { core: true } : {}) })}
      >
        {label}
      </Button>
      <Refusal text={check.refusal} />
    </>
  );
};

const Overrule = ({ sidebarId, claim }: { readonly sidebarId: string; readonly claim: string }) => {
  const overrule = useCommand('validation_overrule');
  const [reason, setReason] = useState('');
  const decide = (verification: 'confirmed' | 'contradicted') => void overrule.send({ sidebarId, claimId: claim, verification, reason });
  return (
    <div className="claim-check-overrule" role="group" aria-label="Decide between checks that disagree">
      <TextField label="Your reason" value={reason} onChange={({ target }) => setReason(target.value)} maxLength={2000} />
      <Button size="small" icon={Check} onClick={() => decide('confirmed')}>
        It’s true
      </Button>
      <Button size="small" icon={X} onClick={() => decide('contradicted')}>
        It’s wrong
      </Button>
      <Refusal text={overrule.refusal} />
    </div>
  );
};
