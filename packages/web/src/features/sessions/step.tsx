import { assertNever } from '@yarnboard/domain';
import { printableLine } from '@yarnboard/transcript';
import { memo, useState } from 'react';
import { BranchSwitch } from './branch-switch.tsx';
import type { Step } from './flow-pages.ts';
import { SidebarChips } from './sidebar-chips.tsx';
import { Operations } from './operations.tsx';
import { StepHead } from './step-head.tsx';
import { StepImages } from './step-images.tsx';
import { StepMarker } from './step-marker.tsx';
import { StepNotice } from './step-notice.tsx';
import { StepText } from './step-text.tsx';
import { StepThinking } from './step-thinking.tsx';
import { isBare, TurnLine } from './step-turn.tsx';
import { StepToolbar } from './step-toolbar.tsx';
import './step.css';

/** One step of a conversation. Its actions are drawn only on hover or focus, because most steps are only read. */
export const StepView = memo(({ step, isNear }: { readonly step: Step; /** Whether it has the focus. */ readonly isNear: boolean }) => {
  const [isPointedAt, setIsPointedAt] = useState(false);
  return (
    <div
      className={`step step-${step.kind}${step.isForgotten ? ' step-forgotten' : ''}${isBare(step) ? ' step-bare' : ''}`}
      onPointerEnter={() => setIsPointedAt(true)}
      onPointerLeave={() => setIsPointedAt(false)}
    >
      {step.branch === null ? null : <BranchSwitch branch={step.branch} />}
      <Content step={step} />
      <TurnLine step={step} />
      <SidebarChips step={step} />
      {(isNear || isPointedAt) && step.kind !== 'resumption' ? <StepToolbar step={step} /> : null}
    </div>
  );
});

const Content = ({ step }: { readonly step: Step }) => {
  switch (step.kind) {
    case 'prompt':
      return (
        <div className="step-card">
          <StepHead step={step} />
          <StepText step={step} />
          <StepImages step={step} />
        </div>
      );
    case 'reply':
      return (
        <>
          {isBare(step) ? null : <StepHead step={step} />}
          <StepThinking step={step} />
          <StepText step={step} />
          <StepImages step={step} />
          <Operations step={step} />
        </>
      );
    case 'system':
      return <StepNotice step={step} />;
    case 'compaction':
    case 'resumption':
      return <StepMarker step={step} />;
    default:
      return assertNever(step.kind);
  }
};

/** A step's label for screen readers. */
export const stepName = ({ kind, speaker: written, ref }: Step): string => {
  const speaker = printableLine(written);
  const name = { prompt: `Prompt by ${speaker}`, reply: `Reply by ${speaker}`, system: 'Notice', compaction: 'Compaction', resumption: 'Resumption' }[
    kind
  ];
  return ref === null ? name : `${name}, ${ref}`;
};
