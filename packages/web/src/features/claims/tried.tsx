import { INCONCLUSIVE, type Validation, type ValidationAttempt } from '@yarnboard/domain';
import { Check, CircleHelp, Hand, X } from 'lucide-react';
import { Badge } from '../../ui/badge.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Scroller } from '../../ui/scroller.tsx';
import { counted } from '../../ui/wording.ts';
import { shareText } from './mark-look.ts';

/** PAGE-260, PAGE-471: what a check tried, what disagrees, and the conclusion. */
export const Tried = ({ validation, isOpen }: { readonly validation: Validation; readonly isOpen: boolean }) => {
  const { outcome, attempts, conflicts, foundAt, at, isAuto, isOutdated, isDenied } = validation;
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
      {isDenied ? <p>Each method answers for the claim without its “not”.</p> : null}
      {foundAt.length === 0 ? null : <p>Found instead at {foundAt.join(', ')}</p>}
      <Scroller label="What each method found" className="claim-check-scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">Method</th>
              <th scope="col">Says</th>
              <th scope="col">Because</th>
              <th scope="col">Looked at</th>
              <th scope="col">Took</th>
            </tr>
          </thead>
          <tbody>
            {[...speaking, ...attempts.filter(({ says }) => says === 'nothing')].map((attempt, n) => (
              // A method may answer more than once in the same words.
              // oxlint-disable-next-line react/no-array-index-key
              <AttemptRow key={`${attempt.method} ${n}`} attempt={attempt} disagrees={validation.needsReview && attempt.says !== 'nothing'} />
            ))}
          </tbody>
        </table>
      </Scroller>
      <p className="claim-check-conclusion">
        {outcome === 'inconclusive'
          ? isOpen
            ? 'The checks disagree, so you decide.'
            : `${INCONCLUSIVE}.`
          : `Conclusion: ${outcome} (${shareText(validation.confidence)})`}{' '}
        {isOpen ? (
          <Badge tone="warn" icon={Hand}>
            Needs review
          </Badge>
        ) : null}
      </p>
    </details>
  );
};

type AttemptRowProps = { readonly attempt: ValidationAttempt; readonly disagrees: boolean };

const AttemptRow = ({ attempt: { method, environment, duration, says, evidence, fault }, disagrees }: AttemptRowProps) => {
  const { tone, icon, word } = SAYING_LOOKS[says];
  return (
    <tr className={disagrees ? 'claim-check-disagrees' : undefined}>
      <th scope="row">{method.replaceAll('_', ' ')}</th>
      <td>
        <Badge tone={tone} icon={icon}>
          {word}
        </Badge>
      </td>
      <td>{[evidence, fault ?? ''].filter((text) => text !== '').join(': ')}</td>
      <td>{PLACES[environment]}</td>
      <td className="numbers">{duration} ms</td>
    </tr>
  );
};

const SAYING_LOOKS = {
  supports: { tone: 'good', icon: Check, word: 'supports' },
  refutes: { tone: 'bad', icon: X, word: 'refutes' },
  nothing: { tone: 'plain', icon: CircleHelp, word: 'can’t tell' },
} as const;

const PLACES = { project: 'project', system: 'machine', declared: 'your settings', log: 'session log' } as const satisfies Record<
  ValidationAttempt['environment'],
  string
>;
