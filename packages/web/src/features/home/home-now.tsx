import type { UseQueryResult } from '@tanstack/react-query';
import { CheckCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { Failure, Skeleton } from '../../ui/state.tsx';
import { turnsIn, type Activity } from '../../shared/activity.ts';
import { isUsual, toolName } from '../../shared/tools.ts';
import { InboxList } from './inbox-list.tsx';
import { PermissionRequests } from '../permissions/permission-requests.tsx';
import { RequestsToMe, useRequests } from '../agents/request-answer.tsx';
import { isOpen, usePermissions } from '../permissions/permissions.ts';
import { ActiveSessions } from './running.tsx';
import { Section } from '../../shared/section.tsx';
import { sessionsByTurn, type WaitingInbox } from './waiting.ts';

type HomeNowProps = { readonly activity: UseQueryResult<Activity>; readonly inbox: WaitingInbox };

/** PAGE-184: what to review, then what is running; if there is nothing, one line says so. */
export const HomeNow = ({ activity, inbox }: HomeNowProps) => {
  const { query, items, isSomebody } = inbox;
  const permissions = usePermissions().data?.items ?? [];
  const { yours, others } = sessionsByTurn(activity.data ?? NOTHING);
  const turns = turnsIn(activity.data ?? NOTHING);
  const requests = useRequests();
  const isKnown = activity.data !== undefined;
  const isAnyWaiting = permissions.some(isOpen) || yours.length > 0;
  const working = others.filter(({ sessionId }) => turns.get(sessionId) !== 'quiet').length;
  return (
    <div className="home-now">
      {permissions.length === 0 ? null : (
        <div className="home-asked">
          <PermissionRequests requests={permissions} />
        </div>
      )}
      <RequestsToMe requests={requests} />
      {yours.length === 0 ? null : (
        <Section title={waitingTitle(yours)} count={yours.length}>
          <ActiveSessions sessions={yours} turns={turns} />
        </Section>
      )}
      <Known query={query} what="your reviews" isWanted={isSomebody}>
        {items === undefined || query.data === undefined || items.length === 0 ? null : (
          <Section title="To review" count={items.length}>
            <InboxList inbox={query.data} items={items} />
          </Section>
        )}
      </Known>
      <Known query={activity} what="running sessions">
        {others.length === 0 ? null : (
          <Section title="Running now" count={working}>
            <ActiveSessions sessions={others} turns={turns} />
          </Section>
        )}
      </Known>
      <Quiet>
        {isSomebody && isKnown && !isAnyWaiting && items?.length === 0 ? <span>You’re all caught up.</span> : null}
        {isKnown && others.length === 0 ? <span>No sessions running – start a coding agent in any project to see it here.</span> : null}
        {isSomebody ? null : (
          <span>
            Read-only. Run <code>yarnboard open</code> to sign in.
          </span>
        )}
      </Quiet>
    </div>
  );
};

/** Who is waiting, by name if all are the same tool. */
const waitingTitle = (sessions: Activity['sessions']): string => {
  const [first, ...others] = new Set(sessions.map(({ tool }) => tool));
  if (first === undefined || others.length > 0) return 'Agents are waiting';
  return `${isUsual(first) ? 'Claude' : toolName(first)} is waiting`;
};

/** Keeps what is already shown when a refresh fails. */
const Known = ({
  query,
  what,
  isWanted = true,
  children,
}: {
  readonly query: UseQueryResult;
  readonly what: string;
  readonly isWanted?: boolean;
  readonly children: ReactNode;
}) => {
  if (query.data !== undefined || !isWanted) return children;
  if (query.error !== null) return <Failure title={`Couldn’t load ${what}`} error={query.error} onRetry={() => void query.refetch()} />;
  return <Skeleton lines={1} label={`Loading ${what}`} />;
};

const Quiet = ({ children }: { readonly children: readonly ReactNode[] }) =>
  children.every((one) => one === null) ? null : (
    <p className="section-quiet home-quiet">
      <CheckCheck aria-hidden />
      {children}
    </p>
  );

const NOTHING: Activity = { sessions: [], permissions: [] };
