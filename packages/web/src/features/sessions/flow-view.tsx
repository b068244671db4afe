import { MessagesSquare, SearchX } from 'lucide-react';
import { useEffect, useMemo } from 'react';
import { useAsk } from '../../live/hooks.tsx';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Empty, Failure, Skeleton } from '../../ui/state.tsx';
import { GoldMarking } from '../citations/gold-marking.tsx';
import { FoundWordsProvider, ShownPartProvider } from './flow-context.ts';
import { FlowList } from './flow-list.tsx';
import type { FlowAddress } from './flow-pages.ts';
import { partIn, type ShownPart } from './shown-part.ts';
import { useFlow } from './use-flow.ts';

export type FlowViewProps = {
  readonly address: FlowAddress;
  /** The message to show. */
  readonly at: string | null;
  /** Whether that is only where the reader was last time. */
  readonly isResumed: boolean;
  /** The words searched for in it, in lower case. */
  readonly words: readonly string[];
  readonly isFront: boolean;
  readonly label: string;
  /** The reason to show if the conversation is empty. */
  readonly emptiness: string;
  /** Called if the requested message is in another conversation. */
  readonly onElsewhere: (thread: string) => void;
  /** Shows the conversation without the requested message. */
  readonly onForget: () => void;
  readonly onActive: () => void;
  /** Reports the step the reader is at; null at the end. */
  readonly onPlace: (uuid: string | null) => void;
};

/** One conversation of a session: the main one, or a sub-agent's. */
export const FlowView = (props: FlowViewProps) => {
  const { address, at, isResumed, words, isFront, label, emptiness, onElsewhere, onForget, onActive, onPlace } = props;
  const state = useFlow(address, at);
  const part = useShown(address.sessionId, isResumed ? null : at, words);
  const elsewhere = state.kind === 'elsewhere' ? state.thread : null;
  useEffect(() => {
    if (elsewhere !== null) onElsewhere(elsewhere);
  }, [elsewhere, onElsewhere]);
  if (state.kind === 'failed') {
    return (
      <div className="flow">
        {at === null ? (
          <Failure title="Couldn’t load this conversation" error={state.error} onRetry={state.retry} />
        ) : (
          <Empty icon={SearchX} title="Message not found" action={<Button onClick={onForget}>Show conversation</Button>}>
            {state.error.message}
          </Empty>
        )}
      </div>
    );
  }
  if (state.kind !== 'ready') {
    return (
      <div className="flow flow-waiting">
        <Skeleton lines={8} label="Loading conversation" />
      </div>
    );
  }
  const { flow, error } = state;
  if (flow.shape.count === 0) {
    return (
      <div className="flow">
        <Empty icon={MessagesSquare} title="No messages">
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
      {flow.isActive ? null : <Notice action={<Button onClick={onActive}>Go to current branch</Button>}>You’re viewing an abandoned branch.</Notice>}
      <FoundWordsProvider value={words}>
        <ShownPartProvider value={part}>
          <GoldMarking>
            <FlowList flow={flow} label={label} isFront={isFront} isMarking={!isResumed} part={part} words={words} onPlace={onPlace} />
          </GoldMarking>
        </ShownPartProvider>
      </FoundWordsProvider>
    </>
  );
};

/** The part of the requested message that is folded in its step. */
const useShown = (sessionId: string, at: string | null, words: readonly string[]): ShownPart | null => {
  const { data } = useAsk('message', { ref: at ?? '', session: sessionId }, { isWanted: at !== null, staleMs: Infinity });
  return useMemo(() => (at === null || data === undefined ? null : partIn(data.messageData, data.uuid, words)), [at, data, words]);
};
