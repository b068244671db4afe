import { assertNever } from '@yarnboard/domain';
import { iconOf, printableLine } from '@yarnboard/transcript';
import { Ban, ChevronRight, CircleDashed, CircleX, LoaderCircle } from 'lucide-react';
import { createElement, useEffect, useId } from 'react';
import { durationText } from '../../ui/wording.ts';
import { useShownPart } from './flow-context.ts';
import type { FlowOperation } from './flow-pages.ts';
import { OperationDetail } from './operation-detail.tsx';
import { useOpened } from './opened.ts';
import { toolIcon } from './tool-icons.ts';

/** An operation as one line; opened, it shows the input and the result. */
export const OperationLine = ({
  operation,
  label,
}: {
  readonly operation: FlowOperation;
  /** Replaces the summary of what it does. */ readonly label?: string;
}) => {
  const [isOpen, setIsOpen] = useOpened(operation.uuid);
  const id = useId();
  const part = useShownPart();
  const isShown = part?.kind === 'operation' && part.toolUseId === operation.toolUseId;
  useEffect(() => {
    if (isShown) setIsOpen(true);
  }, [part, isShown, setIsOpen]);
  return (
    <div className={`operation operation-${operation.state}${isShown ? ' operation-shown' : ''}`} data-shown={isShown || undefined}>
      <button
        type="button"
        className="operation-line"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-current={isShown ? 'true' : undefined}
        onClick={() => setIsOpen(!isOpen)}
      >
        <ChevronRight className="step-fold" aria-hidden />
        {createElement(toolIcon(operation.name), { className: 'operation-icon', 'aria-hidden': true })}
        <span className="visually-hidden">{printableLine(operation.name)}: </span>
        <span className="operation-summary one-line">{label ?? summaryOf(operation)}</span>
        <span className="operation-facts">
          <OperationMark state={operation.state} />
          {operation.durationMs === null ? null : <span className="numbers">{durationText(operation.durationMs)}</span>}
        </span>
      </button>
      {isOpen ? (
        <div id={id}>
          <OperationDetail operation={operation} />
        </div>
      ) : null}
    </div>
  );
};

/** Without the text icon at its start, which is for clients that can't draw icons. */
export const summaryOf = ({ name, summary }: FlowOperation): string => {
  const icon = `${iconOf(name)} `;
  return printableLine(summary.startsWith(icon) ? summary.slice(icon.length) : summary);
};

export const OperationMark = ({ state }: { readonly state: FlowOperation['state'] }) => {
  switch (state) {
    case 'done':
      return null;
    case 'running':
      return (
        <span className="operation-mark operation-mark-running">
          <LoaderCircle aria-hidden />
          running
        </span>
      );
    case 'failed':
      return (
        <span className="operation-mark operation-mark-failed">
          <CircleX aria-hidden />
          failed
        </span>
      );
    case 'rejected':
      return (
        <span className="operation-mark operation-mark-rejected">
          <Ban aria-hidden />
          rejected
        </span>
      );
    case 'unanswered':
      return (
        <span className="operation-mark">
          <CircleDashed aria-hidden />
          no result
        </span>
      );
    default:
      return assertNever(state);
  }
};
