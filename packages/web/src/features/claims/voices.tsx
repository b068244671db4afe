import { SYSTEM, type Claim, type Judgement, type Settlement } from '@yarnboard/domain';
import { nameOf } from '../../shared/names.ts';
import { Moment } from '../../ui/moment.tsx';
import { Reference } from '../../ui/reference.tsx';

/** Everyone's judgement of a claim, side by side, with the evidence. */
export const Voices = ({ claim }: { readonly claim: Pick<Claim, 'judgements' | 'settlement'> }) => (
  <ul className="claim-voices">
    {voicesOn(claim).map((voice) => (
      <li key={`${voice.by} ${voice.position}`}>
        <strong>{voice.by === SYSTEM.id ? 'Automatic check' : nameOf(voice.by)}</strong>
        {voice === claim.settlement ? ' settled it: ' : ': '}
        {voice.verification}
        {voice.confidence === null ? '' : ` (${voice.confidence.toFixed(2)})`}
        {voice.notes === null ? '' : `: ${voice.notes}`}
        {'evidence' in voice
          ? voice.evidence.map((ref) => (
              <span key={ref}>
                {' '}
                <Reference to={ref} />
              </span>
            ))
          : null}{' '}
        <Moment at={voice.at} />
      </li>
    ))}
  </ul>
);

export const voicesOn = ({ judgements, settlement }: Pick<Claim, 'judgements' | 'settlement'>): readonly (Judgement | Settlement)[] => [
  ...judgements,
  ...(settlement === null ? [] : [settlement]),
];
