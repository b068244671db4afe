import { MessagesSquare, SearchX } from 'lucide-react';
import { useEffect } from 'react';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Empty, Failure, Skeleton } from '../../ui/state.tsx';
import { FlowList } from './flow-list.tsx';
import type { FlowAddress } from './flow-pages.ts';
import { useFlow } from './use-flow.ts';

export type FlowViewProps = {
  readonly address: FlowAddress;
  /** The message that is to be shown. */
  readonly at: string | null;
  readonly label: string;
  /** Why nothing is shown, where there is nothing. */
  readonly emptiness: string;
  /** What was asked for stands in another conversation. */
  readonly onElsewhere: (thread: string) => void;
  /** Shows the conversation without what was asked for. */
  readonly onForget: () => void;
  readonly onActive: () => void;
};

/** One conversation of a session: the main one, or a sub-agent's. */
export const FlowView = ({ address, at, label, emptiness, onElsewhere, onForget, onActive }: FlowViewProps) => {
  const state = useFlow(address, at);
  const elsewhere = state.kind === 'elsewhere' ? state.thread : null;
  useEffect(() => {
    if (elsewhere !== null) onElsewhere(elsewhere);
  }, [elsewhere, onElsewhere]);
  if (state.kind === 'failed') {
    return (
      <div className="flow">
        {at === null ? (
          <Failure title="This conversation cannot be shown" error={state.error} onRetry={state.retry} />
        ) : (
          <Empty icon={SearchX} title="What was asked for is not here" action={<Button onClick={onForget}>Show the conversation</Button>}>
            {state.error.message}
          </Empty>
        )}
      </div>
    );
  }
  if (state.kind !== 'ready') {
    return (
      <div className="flow flow-waiting">
        <Skeleton lines={8} label="Loading the conversation" />
      </div>
    );
  }
  const { flow, error } = state;
  if (flow.shape.count === 0) {
    return (
      <div className="flow">
        <Empty icon={MessagesSquare} title="Nothing was said here">
          {emptiness}
        </Empty>
      </div>
    );
  }
  return (
    <>
      {error === null ? null : (
        <Notice tone="warn" action={<Button onClick={onForget}>Dismiss</Button>}>
          {error.message}
        </Notice>
      )}
      {flow.isActive ? null : (
        <Notice action={<Button onClick={onActive}>Show the branch that goes on</Button>}>
          This branch was left; the conversation goes on in another.
        </Notice>
      )}
      <FlowList flow={flow} label={label} />
    </>
  );
};
