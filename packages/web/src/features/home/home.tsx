import type { UseQueryResult } from '@tanstack/react-query';
import type { InsideOutput } from '@yarnboard/protocol';
import { FolderSearch } from 'lucide-react';
import { useMemo } from 'react';
import { useAsk } from '../../live/hooks.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/state.tsx';
import { useTellTabCount } from '../../ui/tab-count.tsx';
import { turnsIn, useActivity } from './activity.ts';
import { DemoOffer } from './demo-offer.tsx';
import { HomeNow } from './home-now.tsx';
import './home.css';
import { ImportProgress } from './import-progress.tsx';
import { NotificationSwitch } from './notification-switch.tsx';
import { useNotifications } from './notifications.ts';
import { RecentSessions } from './recent-sessions.tsx';
import { SidebarCounts } from './sidebar-counts.tsx';
import { Spending } from './spending.tsx';
import { useWaitingInbox, waitingCount } from './waiting.ts';

/** What one wants to know at a glance. */
export const Home = () => {
  const status = useStatus();
  const isEmpty = useIsEmpty() && status.data !== undefined && status.data.state !== 'importing';
  const activity = useActivity();
  const inbox = useWaitingInbox();
  const turns = useMemo(() => (activity.data === undefined ? new Map() : turnsIn(activity.data)), [activity.data]);
  const { kind } = useNotifications();
  // Whoever allowed notifications is told on every view.
  useTellTabCount(kind === 'on' ? null : waitingCount(activity.data, inbox.items));
  return (
    <Page title="Home" layout="wide">
      {status.data === undefined ? null : <ImportProgress status={status.data} />}
      {isEmpty ? (
        <NothingYet roots={status.data?.roots ?? []} />
      ) : (
        <div className="home">
          <HomeNow activity={activity} inbox={inbox} />
          <RecentSessions turns={turns} />
          <div className="home-side">
            <SidebarCounts />
            <NotificationSwitch />
          </div>
          <div className="home-spending">
            <Spending />
          </div>
        </div>
      )}
    </Page>
  );
};

/** Often while something is imported; else it hardly changes. */
const useStatus = (): UseQueryResult<InsideOutput<'status'>> => {
  const status = useAsk('status', {}, { everyMs: 10_000 });
  useAsk('status', {}, { isWanted: status.data?.state === 'importing', everyMs: 1000 });
  return status;
};

/** Whether there is no session at all. The first one is waited for. */
const useIsEmpty = (): boolean => {
  const { data } = useAsk('sessions', { limit: 1 });
  const isEmpty = data?.items.length === 0;
  useAsk('sessions', { limit: 1 }, { isWanted: isEmpty, everyMs: 2000 });
  return isEmpty;
};

/** PAGE-51 */
const NothingYet = ({ roots }: { readonly roots: readonly string[] }) => (
  <div className="card">
    <Empty icon={FolderSearch} title="No sessions were found yet" action={<DemoOffer />}>
      <p className="home-empty">Yarnboard shows the sessions of Claude Code that are on this machine, as they are written.</p>
      {roots.length === 0 ? null : (
        <>
          <p>It looks into:</p>
          <ul>
            {roots.map((root) => (
              <li key={root}>
                <code>{root}</code>
              </li>
            ))}
          </ul>
        </>
      )}
      <p className="home-empty">
        Run <code>claude</code> in any project and say something; the session appears here at once. What lies elsewhere comes in with{' '}
        <code>yarnboard import PATH</code>.
      </p>
    </Empty>
  </div>
);
