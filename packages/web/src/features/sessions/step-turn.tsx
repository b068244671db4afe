import { printableLine } from '@yarnboard/transcript';
import { ClockTime } from '../../ui/moment.tsx';
import { Reference } from '../../ui/reference.tsx';
import { durationText, shortCount, usdText } from '../../ui/wording.ts';
import type { Step } from './flow-pages.ts';
import { tokensIn, tokensText } from './step-words.ts';

/** PAGE-618: a turn has one head. A reply in it has a head of its own only if there is more to say about it. */
export const isBare = (step: Step): boolean =>
  step.kind === 'reply' && step.isGoingOn === true && !step.isError && !step.isForgotten && step.isTakenBack !== true;

/** Whether its turn has other replies: their cost is shown together. */
export const isPartOfTurn = ({ kind, isGoingOn, turn }: Step): boolean => kind === 'reply' && (isGoingOn === true || turn === undefined);

/** PAGE-618: below the last reply of a turn, what the whole turn took. Reserves its space until that is known. */
export const TurnLine = ({ step }: { readonly step: Step }) => {
  const { turn } = step;
  if (turn === undefined || !isPartOfTurn(step)) return null;
  const { durationMs, usage, costUsd } = turn;
  // An unfinished turn has no final duration yet.
  const isAtWork = step.operations.some(({ state }) => state === 'running');
  return (
    <p className="step-turn numbers">
      {durationMs === null || isAtWork ? null : <span>Worked for {durationText(durationMs)}</span>}
      <Spent usage={usage} costUsd={costUsd} />
    </p>
  );
};

/** What the head of a turn leaves out about one of its replies, shown on hover or focus. */
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
