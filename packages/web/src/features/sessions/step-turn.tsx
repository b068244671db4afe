import { printableLine } from '@yarnboard/transcript';
import { ClockTime } from '../../ui/moment.tsx';
import { Reference } from '../../ui/reference.tsx';
import { durationText, shortCount, usdText } from '../../ui/wording.ts';
import type { Step } from './flow-pages.ts';
import { tokensIn, tokensText } from './step-words.ts';

/** PAGE-618: a turn has one head. Whatever else has to be said of a reply in it has one of its own. */
export const isBare = (step: Step): boolean =>
  step.kind === 'reply' && step.isGoingOn === true && !step.isError && !step.isForgotten && step.isTakenBack !== true;

/** Whether there are other replies in its turn: what it took is said with all of them. */
export const isPartOfTurn = ({ kind, isGoingOn, turn }: Step): boolean => kind === 'reply' && (isGoingOn === true || turn === undefined);

/** PAGE-618: below the last reply of a turn, what all of it took. Its place is kept while nobody knows. */
export const TurnLine = ({ step }: { readonly step: Step }) => {
  const { turn } = step;
  if (turn === undefined || !isPartOfTurn(step)) return null;
  const { durationMs, usage, costUsd } = turn;
  // A turn that goes on has not taken its time yet.
  const isAtWork = step.operations.some(({ state }) => state === 'running');
  return (
    <p className="step-turn numbers">
      {durationMs === null || isAtWork ? null : <span>Worked for {durationText(durationMs)}</span>}
      <Spent usage={usage} costUsd={costUsd} />
    </p>
  );
};

/** What is not said in the head of a turn: of one reply in it, for whoever comes near. */
export const BareFacts = ({ step }: { readonly step: Step }) => {
  const { timestamp, ref, usage, costUsd } = step;
  return (
    <span className="step-facts step-toolbar-facts numbers">
      {timestamp === null ? null : <ClockTime at={timestamp} />}
      {ref === null ? null : <Reference to={printableLine(ref)} />}
      <Spent usage={usage} costUsd={costUsd} />
    </span>
  );
};

export const Spent = ({ usage, costUsd }: Pick<Step, 'usage' | 'costUsd'>) =>
  usage === null ? null : (
    <span className="step-spent numbers" title={tokensText(usage)}>
      {shortCount(tokensIn(usage))} tokens{costUsd === null ? '' : ` · ${usdText(costUsd)}`}
    </span>
  );
