import { printableLine } from '@yarnboard/transcript';
import { Bot, Copy, EyeOff, OctagonAlert, Sparkles, SquareSlash, SquareTerminal, UserRound, type LucideIcon } from 'lucide-react';
import { createElement } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { TakenBackMark } from '../../ui/marks.tsx';
import { ClockTime } from '../../ui/moment.tsx';
import { Reference } from '../../ui/reference.tsx';
import type { Step } from './flow-pages.ts';
import { modelName } from '../../shared/model-name.ts';
import { isPartOfTurn, Spent } from './step-turn.tsx';

/** One quiet line: who, when, and what it cost. */
export const StepHead = ({ step }: { readonly step: Step }) => {
  const { speaker, timestamp, ref, model, usage, costUsd } = step;
  return (
    <header className="step-head">
      {createElement(iconOf(step), { className: 'step-icon', 'aria-hidden': true })}
      <span className="step-speaker one-line">{speakerName(step, speaker)}</span>
      {step.isError ? (
        <Badge tone="bad" icon={OctagonAlert}>
          error
        </Badge>
      ) : null}
      {step.isCopy ? (
        <Badge icon={Copy} title="Copied from the session this one continues.">
          copied
        </Badge>
      ) : null}
      {step.isTakenBack === true ? <TakenBackMark /> : null}
      {step.isForgotten ? (
        <Badge tone="warn" icon={EyeOff} title="The text was deleted for good. Only the record that it existed is kept.">
          forgotten
        </Badge>
      ) : null}
      <span className="step-facts">
        {model === null ? null : <span className="one-line">{modelName(model)}</span>}
        {timestamp === null ? null : <ClockTime at={timestamp} />}
        {ref === null ? null : <Reference to={ref} />}
        {isPartOfTurn(step) ? null : <Spent usage={usage} costUsd={costUsd} />}
      </span>
    </header>
  );
};

const speakerName = ({ role }: Step, speaker: string): string => {
  if (speaker !== 'Human') return printableLine(speaker);
  return role === 'command' ? 'Command' : role === 'bash' ? 'Shell' : role === 'memory' ? 'Memory note' : 'You';
};

const iconOf = ({ kind, speaker, role }: Step): LucideIcon => {
  if (kind === 'reply') return Sparkles;
  if (role === 'command') return SquareSlash;
  if (role === 'bash') return SquareTerminal;
  return speaker === 'Human' ? UserRound : Bot;
};
