import {
  claimsByExchange,
  effectiveConfidence,
  isOperator,
  isValidationType,
  markOfClaim,
  markOfExchange,
  stateTtl,
  type Claim,
  type Mark,
  type Sidebar,
  type Verification,
} from '@yarnboard/domain';
import { Check, X } from 'lucide-react';
import { useState } from 'react';
import { useActor, useBoard, useCommand } from '../../live/hooks.tsx';
import { Refusal } from '../../shared/refusal.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Moment } from '../../ui/moment.tsx';
import { useNow } from '../../ui/now.tsx';
import { Reference } from '../../ui/reference.tsx';
import { CheckButton, ClaimCheck } from './claim-check.tsx';
import { lookOfMark, shareText } from './mark-look.ts';
import type { Marked } from './marked.ts';
import { Voices, voicesOn } from './voices.tsx';
import './exchange-mark.css';

export type ExchangeMarkProps = {
  readonly sidebar: Sidebar;
  readonly exchange: string;
  readonly marked: Marked;
  readonly canAct: boolean;
};

/** PAGE-217: whether an inherited exchange holds here: a word and an icon, plus a card with who said so and how certain it is. */
export const ExchangeMark = ({ sidebar, exchange, marked, canAct }: ExchangeMarkProps) => {
  const now = useNow();
  const claims = claimsByExchange(sidebar.claims).get(exchange) ?? [];
  const ttl = useBoard(stateTtl);
  const mark = markOfExchange(claims, now, ttl);
  const { tone, icon, word } = lookOfMark(mark);
  const actor = useActor();
  const canCheck = canAct && actor !== null && isOperator(actor);
  // Once its claims are known, each one is checked separately.
  const isRead = claims.some(({ isFound }) => isFound);
  return (
    <details className="exchange-mark">
      <summary aria-label={`${exchange}: ${word}`}>
        <Badge tone={tone} icon={icon}>
          {word}
        </Badge>
      </summary>
      <div className="exchange-mark-card">
        <p className="exchange-mark-sure">
          Confidence: {shareText(marked.originalConfidence)} stated, {shareText(mark.localConfidence)}
          {mark.isAssumed ? ' (assumed)' : ''} here, counts as {effectiveConfidence(mark).toFixed(2)}
        </p>
        {claims.map((claim) => (
          <ClaimVoices key={claim.id} sidebarId={sidebar.id} claim={claim} now={now} canCheck={canCheck} />
        ))}
        {marked.elsewhere.map((other) => (
          <p key={other.sidebarId} className="exchange-mark-elsewhere">
            {other.verification} in <Reference to={other.sidebarId} /> <Moment at={other.markedAt} />; does not count here
          </p>
        ))}
        {canCheck && !isRead ? <CheckButton sidebarId={sidebar.id} claim={exchange} label="Check by machine" /> : null}
        {canAct ? (
          <Judge
            sidebar={sidebar}
            exchange={exchange}
            mark={mark}
            disputed={claims.find((claim) => markOfClaim(claim, now, ttl).isDisputed) ?? null}
          />
        ) : null}
      </div>
    </details>
  );
};

/** Everyone's judgement of a claim, side by side. */
type VoicesProps = { readonly sidebarId: string; readonly claim: Claim; readonly now: number; readonly canCheck: boolean };

const ClaimVoices = ({ sidebarId, claim, now, canCheck }: VoicesProps) => {
  const { words } = claim;
  const mark = markOfClaim(claim, now, useBoard(stateTtl));
  const isCheckable = canCheck && claim.words !== null && isValidationType(claim.type);
  return voicesOn(claim).length === 0 && claim.validation === null && !isCheckable ? null : (
    <div className={mark.isDisputed ? 'exchange-mark-claim exchange-mark-disputed' : 'exchange-mark-claim'}>
      {words === null ? null : <q className="exchange-mark-words">{words}</q>}
      <Voices claim={claim} />
      <ClaimCheck sidebarId={sidebarId} claim={claim} canCheck={canCheck} />
    </div>
  );
};

type JudgeProps = { readonly sidebar: Sidebar; readonly exchange: string; readonly mark: Mark; readonly disputed: Claim | null };

const Judge = ({ sidebar, exchange, mark, disputed }: JudgeProps) => {
  const actor = useActor();
  const verify = useCommand('claim_verify');
  const settle = useCommand('claim_settle');
  const [notes, setNotes] = useState('');
  const isSettling = disputed !== null && actor !== null && (actor.id === sidebar.curator || isOperator(actor));
  const judge = async (verification: Verification): Promise<void> => {
    const why = notes.trim() === '' ? {} : { notes };
    const outcome = isSettling
      ? await settle.send({ sidebarId: sidebar.id, claimId: disputed.id, verification, notes })
      : await verify.send({ sidebarId: sidebar.id, claimId: exchange, verification, seen: mark.verification, ...why });
    if (outcome.kind === 'done') setNotes('');
  };
  return (
    <div className="exchange-mark-judge" role="group" aria-label={`${isSettling ? 'Settle' : 'Verify'} ${exchange}`}>
      <TextField label={isSettling ? 'Why (needed)' : 'Why'} value={notes} onChange={({ target }) => setNotes(target.value)} maxLength={MOST_NOTES} />
      <span className="exchange-mark-deeds">
        <Button size="small" icon={Check} onClick={() => void judge('confirmed')}>
          {isSettling ? 'Settle as confirmed' : 'Confirm'}
        </Button>
        <Button size="small" icon={X} onClick={() => void judge('contradicted')}>
          {isSettling ? 'Settle as contradicted' : 'Contradict'}
        </Button>
      </span>
      <Refusal text={verify.refusal ?? settle.refusal} />
    </div>
  );
};

const MOST_NOTES = 2000;
