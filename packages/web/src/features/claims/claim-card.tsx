import { effectiveConfidence, markOfClaim, needsReview, refOfClaim, stateTtl, type Claim, type Sidebar } from '@yarnboard/domain';
import { Gavel, Scale, Undo2 } from 'lucide-react';
import { memo, useRef, useState } from 'react';
import { useBoard } from '../../live/hooks.tsx';
import { nameOf } from '../../shared/names.ts';
import { itemElementId } from '../../shared/shown-item.ts';
import { TraceLink } from '../../shared/trace-link.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Reference } from '../../ui/reference.tsx';
import { CheckButton } from './claim-check.tsx';
import { ClaimForm, type ClaimDeed } from './claim-form.tsx';
import { useClaimVerdict } from './claim-verdict.ts';
import { kindOfClaim, lookOfMark, shareText } from './mark-look.ts';
import { Tried } from './tried.tsx';
import { Voices, voicesOn } from './voices.tsx';

type ClaimCardProps = { readonly sidebar: Pick<Sidebar, 'id' | 'ref'>; readonly claim: Claim; readonly now: number };

/** PAGE-471: one claim: its mark, who said what about it, its latest check, and what the current user can do. */
export const ClaimCard = memo(({ sidebar, claim, now }: ClaimCardProps) => {
  const [deed, setDeed] = useState<ClaimDeed | null>(null);
  const card = useRef<HTMLElement>(null);
  const verdict = useClaimVerdict(sidebar.id, claim);
  const mark = markOfClaim(claim, now, useBoard(stateTtl));
  const { tone, icon, word } = lookOfMark(mark);
  const isOpen = needsReview(claim);
  const isForgotten = claim.exchange === '';
  const close = (): void => {
    setDeed(null);
    card.current?.focus();
  };
  return (
    <article
      ref={card}
      id={itemElementId('claim', claim.number)}
      className={isOpen || mark.isDisputed ? 'claim-card card claim-card-open' : 'claim-card card'}
      aria-label={`Claim ${claim.number}`}
      tabIndex={-1}
    >
      <header className="claim-card-head">
        <Badge tone={tone} icon={icon}>
          {word}
        </Badge>
        <span className="claim-card-name" title={refOfClaim(sidebar.ref, claim)}>
          Claim {claim.number}
        </span>
        <span className="small soft">{kindOfClaim(claim)}</span>
        <TraceLink to={refOfClaim(sidebar.ref, claim)} />
      </header>
      {claim.words === null ? null : <q className="claim-card-words">{claim.words}</q>}
      <p className="small soft">
        {isForgotten ? (
          'The message was forgotten, and everything said about this claim with it.'
        ) : (
          <>
            {claim.saidBy.map(nameOf).join(', ')} in <Reference to={claim.exchange} /> · Confidence: {shareText(claim.originalConfidence)} stated,{' '}
            {shareText(mark.localConfidence)}
            {mark.isAssumed ? ' (assumed)' : ''} here, counts as {effectiveConfidence(mark).toFixed(2)}
          </>
        )}
      </p>
      {voicesOn(claim).length === 0 ? null : <Voices claim={claim} />}
      {claim.validation === null || isForgotten ? null : <Tried validation={claim.validation} isOpen={isOpen} />}
      {deed === null ? (
        <div className="actions">
          {verdict.canSettle ? (
            <Button variant="primary" size="small" icon={Scale} onClick={() => setDeed('settle')}>
              Settle
            </Button>
          ) : null}
          {verdict.canJudge ? (
            <Button size="small" icon={Gavel} onClick={() => setDeed('judge')}>
              Judge
            </Button>
          ) : null}
          {verdict.canOverrule ? (
            <Button variant={isOpen ? 'primary' : 'quiet'} size="small" icon={Undo2} onClick={() => setDeed('overrule')}>
              {isOpen ? 'Decide' : 'Overrule check'}
            </Button>
          ) : null}
          {verdict.check === null ? null : (
            <CheckButton sidebarId={sidebar.id} claim={claim.id} label={checkLabel(claim, verdict.check)} isCore={verdict.check === 'core'} />
          )}
        </div>
      ) : (
        <ClaimForm sidebarId={sidebar.id} claim={claim} deed={deed} seen={mark.verification} canTakeBack={verdict.canTakeBack} onClose={close} />
      )}
    </article>
  );
});

const checkLabel = ({ validation }: Claim, how: 'plain' | 'core'): string =>
  validation !== null ? 'Check again' : how === 'core' ? 'Check what it says' : 'Check';
