import { printableLine } from '@yarnboard/transcript';
import { ChevronRight, Eraser, FoldVertical, History } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Step } from './flow-pages.ts';
import { useOpened } from './opened.ts';
import { StepText } from './step-text.tsx';

/** A line across the conversation where it was compacted, resumed or cleared. */
export const StepMarker = ({ step }: { readonly step: Step }) => {
  const isCompaction = step.kind === 'compaction';
  const isClearing = step.kind === 'resumption' && step.note === CONTEXT_CLEARED;
  const [isOpen, setIsOpen] = useOpened(`${step.uuid} summary`);
  return (
    <div className="step-marker">
      <p className="step-marker-line">
        {isCompaction ? <FoldVertical aria-hidden /> : isClearing ? <Eraser aria-hidden /> : <History aria-hidden />}
        <span>{isCompaction ? 'Compacted' : isClearing ? 'Context cleared' : 'Resumed'}</span>
        {step.note === null || isClearing ? null : <span className="step-marker-note">{withSession(printableLine(step.note))}</span>}
      </p>
      {step.text === '' ? null : (
        <details className="step-thinking" open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
          <summary>
            <ChevronRight className="step-fold" aria-hidden />
            Compaction summary
          </summary>
          {isOpen ? (
            <div className="step-thought">
              <StepText step={step} />
            </div>
          ) : null}
        </details>
      )}
    </div>
  );
};

const CONTEXT_CLEARED = 'the context was cleared';

/** Turns a session named in a note into a link. */
const withSession = (note: string): ReactNode => {
  const [, before, id] = /^(.*session )([0-9a-f]{8}-[0-9a-f-]{27})$/u.exec(note) ?? [];
  return id === undefined ? (
    note
  ) : (
    <>
      {before}
      <Link href={`/sessions/${id}`}>{id.slice(0, 8)}</Link>
    </>
  );
};
