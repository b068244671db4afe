import { isValidationType, needsReview, type Claim, type Finding, type Validation, type ValidationAttempt } from '@yarnboard/domain';
import { Check, CircleHelp, ScanSearch, X } from 'lucide-react';
import { useState } from 'react';
import { useCommand } from '../../live/hooks.tsx';
import { Refusal } from '../../shared/refusal.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Moment } from '../../ui/moment.tsx';
import { counted } from '../../ui/wording.ts';
import './claim-check.css';

/** PAGE-361: what a machine makes of a finding, beside it: evidence for whoever judges it, and no status. */
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

/** PAGE-260: checks by machine beside a claim: everything that was tried, what disagrees, and where it was found instead. */
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

const Tried = ({ validation, isOpen }: { readonly validation: Validation; readonly isOpen: boolean }) => {
  const { outcome, attempts, conflicts, foundAt, at, isAuto, isOutdated } = validation;
  const speaking = attempts.filter(({ says }) => says !== 'nothing');
  return (
    <details className={isOpen ? 'claim-check-tried claim-check-open' : 'claim-check-tried'} open={isOpen}>
      <summary>
        Checked {counted(attempts.length, 'way')}: {outcome}
        {isOutdated ? ', but a file has changed since' : ''} <Moment at={at} />
        {isAuto ? ' · automatic' : ''}
      </summary>
      {conflicts.map((conflict) => (
        <p key={conflict} className="claim-check-conflict">
          {conflict}
        </p>
      ))}
      {foundAt.length === 0 ? null : <p>Found instead at {foundAt.join(', ')}</p>}
      <div className="claim-check-scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">Method</th>
              <th scope="col">Says</th>
              <th scope="col">Because</th>
            </tr>
          </thead>
          <tbody>
            {[...speaking, ...attempts.filter(({ says }) => says === 'nothing')].map((attempt) => (
              <AttemptRow key={`${attempt.method} ${attempt.evidence}`} attempt={attempt} />
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
};

const AttemptRow = ({ attempt: { method, says, evidence, fault } }: { readonly attempt: ValidationAttempt }) => {
  const { tone, icon, word } = SAYING_LOOKS[says];
  return (
    <tr>
      <th scope="row">{method.replaceAll('_', ' ')}</th>
      <td>
        <Badge tone={tone} icon={icon}>
          {word}
        </Badge>
      </td>
      <td>{[evidence, fault ?? ''].filter((text) => text !== '').join(': ')}</td>
    </tr>
  );
};

export const CheckButton = ({ sidebarId, claim, label }: { readonly sidebarId: string; readonly claim: string; readonly label: string }) => {
  const check = useCommand('claim_validate');
  return (
    <>
      <Button size="small" icon={ScanSearch} isBusy={check.isSending} onClick={() => void check.send({ sidebarId, claimId: claim })}>
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

const SAYING_LOOKS = {
  supports: { tone: 'good', icon: Check, word: 'supports' },
  refutes: { tone: 'bad', icon: X, word: 'refutes' },
  nothing: { tone: 'plain', icon: CircleHelp, word: 'can’t tell' },
} as const;
