import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLive } from '../../live/hooks.tsx';
import { Button } from '../../ui/button.tsx';
import { counted } from '../../ui/wording.ts';
import { useFlowDeeds, useShownPart } from './flow-context.ts';
import type { FlowOperation, Step } from './flow-pages.ts';
import type { ShownPart } from './shown-part.ts';
import { OperationLine } from './operation-line.tsx';
import './operations.css';
import { useOpened } from './opened.ts';
import { useReaderWishes } from './reader.tsx';
import { SubAgentCard } from './sub-agent-card.tsx';

/** What a reply did, below its text: the first few operations as one line each, sub-agents as cards, the rest on demand. */
export const Operations = ({ step }: { readonly step: Step }) => {
  const [isOpen, setIsOpen] = useOpened(`${step.uuid} operations`);
  const { operations, operationsTotal } = step;
  const part = useShownPart();
  const isSought = part?.kind === 'operation' && (step.uuids.includes(recordOf(part)) || operations.some((one) => isOf(one, part)));
  useEffect(() => {
    if (isSought) setIsOpen(true);
  }, [part, isSought, setIsOpen]);
  const wishes = useReaderWishes();
  if (operationsTotal === 0) return null;
  if (!isSought && wishes.has('no-tools')) return null;
  if (!isSought && wishes.has('failed-tools')) return <FailedOnly operations={operations} total={operationsTotal} />;
  const isShort = operationsTotal <= MOST_FOLDED + 2;
  const shown = isOpen || isShort ? operations : operations.filter((one, n) => n < MOST_FOLDED || one.agentId !== null || one.state === 'running');
  const hidden = operationsTotal - shown.length;
  const failed = operations.filter((one) => !shown.includes(one) && one.state === 'failed').length;
  return (
    <div className="operations">
      <ul className="operations-list" aria-label={counted(operationsTotal, 'operation')}>
        {shown.map((operation) => (
          <Operation key={operation.uuid} operation={operation} />
        ))}
        {isOpen ? <Further step={step} known={operations.length} isSought={isSought && !operations.some((one) => isOf(one, part))} /> : null}
      </ul>
      {isShort ? null : isOpen ? (
        <Button size="small" variant="quiet" aria-expanded onClick={() => setIsOpen(false)}>
          Show fewer operations
        </Button>
      ) : (
        <Button size="small" variant="quiet" aria-expanded={false} onClick={() => setIsOpen(true)}>
          {counted(hidden, 'more operation')}
          {failed === 0 ? '' : `, ${failed} failed`}
        </Button>
      )}
    </div>
  );
};

/** PAGE-614: only the failed operations of a reply. */
const FailedOnly = ({ operations, total }: { readonly operations: readonly FlowOperation[]; readonly total: number }) => {
  const failed = operations.filter(({ state }) => state === 'failed' || state === 'rejected');
  return failed.length === 0 ? null : (
    <div className="operations">
      <ul className="operations-list" aria-label={`${counted(failed.length, 'failed operation')} of ${total}`}>
        {failed.map((operation) => (
          <Operation key={operation.uuid} operation={operation} />
        ))}
      </ul>
    </div>
  );
};

const Operation = ({ operation }: { readonly operation: FlowOperation }) => (
  <li>{operation.agentId === null ? <OperationLine operation={operation} /> : <SubAgentCard operation={operation} agentId={operation.agentId} />}</li>
);

const isOf = ({ toolUseId }: FlowOperation, part: ShownPart): boolean => part.kind === 'operation' && part.toolUseId === toolUseId;

/** The id of a part contains the id of its record. */
const recordOf = ({ uuid }: ShownPart): string => uuid.replace(/_(?:tool|result)_\d+$/u, '');

type FurtherProps = {
  readonly step: Step;
  readonly known: number;
  /** Whether the operation to show is among them. */
  readonly isSought: boolean;
};

/** A step contains its first operations; this loads the others, a page at a time. */
const Further = ({ step, known, isSought }: FurtherProps) => {
  const { ask } = useLive();
  const { sessionId, thread } = useFlowDeeds();
  const [isWanted, setIsAsked] = useState(false);
  const isAsked = isWanted || isSought;
  const part = useShownPart();
  const { data, error, refetch } = useQuery({
    queryKey: ['conversation', 'operations', sessionId, thread, step.uuid, known],
    queryFn: async () => {
      const told = await ask('conversation', { id: sessionId, at: step.uuid, limit: 1, operationsFrom: known });
      return told.items.find(({ uuid }) => uuid === step.uuid)?.operations ?? [];
    },
    enabled: isAsked,
    staleTime: Infinity,
    gcTime: 60_000,
  });
  const rest = step.operationsTotal - known;
  if (rest <= 0) return null;
  if (data !== undefined) {
    return (
      <>
        {data.map((operation) => (
          <Operation key={operation.uuid} operation={operation} />
        ))}
        {data.length === 0 ? null : (
          <Further step={step} known={known + data.length} isSought={isSought && part !== null && !data.some((one) => isOf(one, part))} />
        )}
      </>
    );
  }
  return (
    <li>
      <Button
        size="small"
        aria-expanded={false}
        isBusy={isAsked && error === null}
        onClick={() => (error === null ? setIsAsked(true) : void refetch())}
      >
        Load {counted(rest, 'more operation')}
      </Button>
      {error === null ? null : <span className="step-refusal">{error.message}</span>}
    </li>
  );
};

const MOST_FOLDED = 5;
