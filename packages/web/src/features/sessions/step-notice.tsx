import { CircleSlash2, Info, OctagonAlert } from 'lucide-react';
import { ClockTime } from '../../ui/moment.tsx';
import { StepText } from './step-text.tsx';
import type { Step } from './flow-pages.ts';

/** A notice from the CLI, an error or an interruption. */
export const StepNotice = ({ step }: { readonly step: Step }) => {
  const Icon = step.isError ? OctagonAlert : step.role === 'interruption' ? CircleSlash2 : Info;
  return (
    <div className={`step-notice${step.isError ? ' step-notice-bad' : ''}`}>
      <Icon className="step-icon" aria-hidden />
      <div className="step-notice-text">
        {step.isError ? <span className="visually-hidden">Error: </span> : null}
        <StepText step={step} />
      </div>
      {step.timestamp === null ? null : (
        <span className="step-time">
          <ClockTime at={step.timestamp} />
        </span>
      )}
    </div>
  );
};
