import { LoaderCircle } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import { useSessionNews } from '../../live/hooks.tsx';
import { Empty, Skeleton } from '../../ui/state.tsx';
import { Page } from '../../ui/page.tsx';
import { projectName } from '../../ui/wording.ts';
import { Composer } from './composer.tsx';
import { useHolder } from './holder.ts';

/** PAGE-414: a session that a run has started but that has no record yet; `otherwise` if no one has started it. */
export const StartingSession = ({
  sessionId,
  above,
  otherwise,
  onSaid,
}: {
  readonly sessionId: string;
  readonly above: ReactNode;
  readonly otherwise: ReactNode;
  readonly onSaid: () => void;
}) => {
  const { holder, error } = useHolder(sessionId);
  useSessionNews(sessionId, onSaid, 300);
  const isBegun = holder !== null;
  useEffect(() => {
    if (!isBegun) return undefined;
    // The server reads the session's file without notifying anyone, so poll.
    const timer = setInterval(onSaid, LOOK);
    return () => clearInterval(timer);
  }, [isBegun, onSaid]);
  if (error !== null && holder === null) return otherwise;
  const title = holder?.run?.prompt ?? 'New session';
  return (
    <Page
      layout="fill"
      title={title.slice(0, 120)}
      above={above}
      subtitle={<span className="session-facts">{projectName(holder?.directory ?? null)}</span>}
    >
      <div className="session-body">
        <div className="session-main">
          <div className="flow">
            {holder === null ? (
              <Skeleton lines={6} label="Loading session" />
            ) : (
              <Empty icon={LoaderCircle} title={holder.holder === 'run' && holder.run?.state !== 'idle' ? 'Claude is starting' : 'No messages yet'}>
                Messages appear here as Claude writes them.
              </Empty>
            )}
          </div>
        </div>
      </div>
      <Composer sessionId={sessionId} />
    </Page>
  );
};

const LOOK = 2000;
