import type { UseQueryResult } from '@tanstack/react-query';
import type { InsideOutput } from '@yarnboard/protocol';
import { FolderSearch } from 'lucide-react';
import { useMemo } from 'react';
import { useAsk } from '../../live/hooks.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/state.tsx';
import { turnsIn, useActivity } from '../../shared/activity.ts';
import { NewSessionButton } from '../../shared/new-session-button.tsx';
import { DemoOffer } from './demo-offer.tsx';
import { HomeNow } from './home-now.tsx';
import './home.css';
import { ImportProgress } from './import-progress.tsx';
import { NotificationSwitch } from './notification-switch.tsx';
import { RecentSessions } from './recent-sessions.tsx';
import { SidebarCounts } from './sidebar-counts.tsx';
import { Spending } from './spending.tsx';
import { SpentLately } from './spent-lately.tsx';
import { useWaitingInbox } from './waiting.ts';

/** Everything at a glance. */
export const Home = () => {
  const status = useStatus();
  const isEmpty = useIsEmpty() && status.data !== undefined && status.data.state !== 'importing';
  const activity = useActivity();
  const inbox = useWaitingInbox();
  const turns = useMemo(() => (activity.data === undefined ? new Map() : turnsIn(activity.data)), [activity.data]);
  return (
    <Page title="Home" intro="home" layout="wide" subtitle={isEmpty ? undefined : <SpentLately />} actions={<NewSessionButton />}>
      {status.data === undefined ? null : <ImportProgress status={status.data} />}
      {isEmpty && (inbox.items ?? []).length === 0 ? (
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

/** Often during an import; otherwise it hardly changes. */
const useStatus = (): UseQueryResult<InsideOutput<'status'>> => {
  const status = useAsk('status', {}, { everyMs: 10_000 });
  useAsk('status', {}, { isWanted: status.data?.state === 'importing', everyMs: 1000 });
  return status;
};

/** Whether there are no sessions at all. Polls until the first appears. */
const useIsEmpty = (): boolean => {
  const { data } = useAsk('sessions', { limit: 1 });
  const isEmpty = data?.items.length === 0;
  useAsk('sessions', { limit: 1 }, { isWanted: isEmpty, everyMs: 2000 });
  return isEmpty;
};

/** PAGE-51 */
const NothingYet = ({ roots }: { readonly roots: readonly string[] }) => (
  <div className="card">
    <Empty icon={FolderSearch} title="No sessions yet" action={<DemoOffer />}>
      <p className="home-empty">Yarnboard shows the sessions of your coding agents on this machine, live.</p>
      {roots.length === 0 ? null : (
        <>
          <p>Watched folders:</p>
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
        Run <code>claude</code> in any project and your session appears here. To add sessions from elsewhere, run <code>yarnboard import PATH</code>.
      </p>
    </Empty>
  </div>
);
