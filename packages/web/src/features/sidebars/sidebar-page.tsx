import { openConflicts, pendingFindings, type Sidebar } from '@yarnboard/domain';
import { Info, SearchX } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { useSidebar } from '../../live/hooks.tsx';
import { Breadcrumbs } from '../../ui/breadcrumbs.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useIsInPanel } from '../../ui/in-panel.ts';
import { EscalatedMark } from '../../ui/marks.tsx';
import { OnItsWayMark } from '../../shared/on-its-way-mark.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Failure, Skeleton } from '../../ui/state.tsx';
import { Tabs, type Tab } from '../../ui/tabs.tsx';
import { TextReadingProvider } from '../../ui/text-reading.tsx';
import { RequestsToMe, useRequests } from '../agents/request-answer.tsx';
import { SeatPanel } from '../agents/seat-panel.tsx';
import { SidebarCitations } from '../citations/sidebar-citations.tsx';
import { isOpenClaim } from '../claims/claim-filter.ts';
import { ClaimsTab } from '../claims/claims-tab.tsx';
import { AnsweredPermission, PermissionRequests } from '../permissions/permission-requests.tsx';
import { isOpen, usePermissions } from '../permissions/permissions.ts';
import { CheckpointsTab } from '../scratchpad/checkpoints-tab.tsx';
import { ScratchpadTab } from '../scratchpad/scratchpad-tab.tsx';
import { ContextLink, SidebarLink } from '../../shared/context-link.tsx';
import { ConversationTab } from './conversation-tab.tsx';
import { useMedia } from './media.ts';
import { TraceLink } from '../../shared/trace-link.tsx';
import { inShort } from '../../shared/names.ts';
import { PriorityMark } from './priority-mark.tsx';
import { SidebarDetails } from './sidebar-details.tsx';
import { MoveDialogs, SidebarMoves, useMoves } from './sidebar-moves.tsx';
import { SidebarNotices } from './sidebar-notices.tsx';
import './sidebar-page.css';
import { StatusBadge } from '../../shared/status-badge.tsx';
import { useUnconfirmed } from './unconfirmed.ts';

/** One sidebar: its status, its actions, its conversation and its findings. */
export const SidebarPage = ({ sidebarRef }: { readonly sidebarRef: string }) => {
  const row = useSidebar(sidebarRef);
  if (row.kind === 'there') {
    return (
      <TextReadingProvider>
        <There sidebar={row.sidebar} />
      </TextReadingProvider>
    );
  }
  return (
    <Page title={sidebarRef}>
      {row.kind === 'loading' ? <Skeleton lines={6} label={`Loading ${sidebarRef}`} /> : null}
      {row.kind === 'failed' ? <Failure title={`Couldn’t load ${sidebarRef}`} error={row.error} /> : null}
      {row.kind === 'missing' ? (
        <Empty icon={SearchX} title={`${sidebarRef} not found`} action={<Link href="/sidebars">All sidebars</Link>}>
          <p>This board has no such sidebar. References look like SB-1.</p>
        </Empty>
      ) : null}
    </Page>
  );
};

const There = ({ sidebar }: { readonly sidebar: Sidebar }) => {
  const moves = useMoves(sidebar);
  const unconfirmed = useUnconfirmed(sidebar);
  const isInPanel = useIsInPanel();
  const isWide = useMedia('(min-width: 80rem)') && !isInPanel;
  const [isShowing, setIsShowing] = useState(false);
  const [params, setParams] = useSearchParams();
  const seat = params.get('seat');
  const closeSeat = (): void => setParams((now) => without(now, 'seat'), { replace: true });
  const { ref, task, status, priority, escalation } = sidebar;
  return (
    <Page
      title={inShort(task, LONGEST_TITLE)}
      intro="sidebar"
      tabTitle={`${ref} ${inShort(task, LONGEST_TITLE)}`}
      layout="fill"
      above={<Trail sidebar={sidebar} />}
      subtitle={
        <span className="sidebar-marks">
          <StatusBadge status={status} />
          <PriorityMark priority={priority} />
          {escalation === null ? null : <EscalatedMark why={escalation.reason} />}
          {unconfirmed === null ? null : <OnItsWayMark id={unconfirmed} />}
          {isWide ? null : (
            <Button variant="quiet" size="small" icon={Info} onClick={() => setIsShowing(true)}>
              Details
            </Button>
          )}
        </span>
      }
      actions={<SidebarMoves sidebar={sidebar} moves={moves} />}
    >
      <div className="sidebar-body">
        <div className="sidebar-main">
          <SidebarNotices sidebar={sidebar} moves={moves} />
          <SidebarRequests sidebar={sidebar} />
          <SidebarTabs sidebar={sidebar} />
        </div>
        {isWide ? (
          <aside className="sidebar-aside" aria-label={`About ${ref}`}>
            {seat === null ? <SidebarDetails sidebar={sidebar} /> : <SeatPanel sidebar={sidebar} agentId={seat} onClose={closeSeat} />}
          </aside>
        ) : null}
      </div>
      <MoveDialogs sidebar={sidebar} moves={moves} />
      {isWide ? null : (
        <Dialog isOpen={isShowing} onClose={() => setIsShowing(false)} title={`About ${ref}`}>
          <SidebarDetails sidebar={sidebar} />
        </Dialog>
      )}
      {isWide || seat === null ? null : (
        <Dialog isOpen onClose={closeSeat} title={`Seat in ${ref}`}>
          <SeatPanel sidebar={sidebar} agentId={seat} onClose={closeSeat} />
        </Dialog>
      )}
    </Page>
  );
};

const Trail = ({ sidebar: { ref, parent, forkedFrom } }: { readonly sidebar: Sidebar }) => (
  <Breadcrumbs {...(useIsInPanel() ? { label: 'Where the sidebar is from' } : {})}>
    <Link href="/sidebars">Sidebars</Link>
    {parent === null ? null : <ContextLink context={parent} />}
    {forkedFrom === null ? null : (
      <span>
        fork of <SidebarLink id={forkedFrom} isShort />
      </span>
    )}
    <span className="sidebar-here" aria-current="page">
      <span className="sidebar-ref">{ref}</span>
      {ref === '' ? null : (
        <>
          <CopyButton text={ref} label={`Copy ${ref}`} />
          <TraceLink to={ref} />
        </>
      )}
    </span>
  </Breadcrumbs>
);

const SidebarTabs = ({ sidebar }: { readonly sidebar: Sidebar }) => {
  const [params, setParams] = useSearchParams();
  const { scratchpad, golds, citations, claims } = sidebar;
  const waiting = pendingFindings(scratchpad).length + openConflicts(scratchpad).length;
  const undecided = useMemo(() => claims.filter(isOpenClaim).length, [claims]);
  const tabs: readonly Tab[] = [
    { id: 'conversation', label: 'Conversation', content: <ConversationTab key={sidebar.id} sidebar={sidebar} /> },
    {
      id: 'scratchpad',
      label: 'Scratchpad',
      ...(waiting === 0 ? {} : { count: waiting }),
      content: <ScratchpadTab sidebar={sidebar} />,
    },
    { id: 'claims', label: 'Claims', ...(undecided === 0 ? {} : { count: undecided }), content: <ClaimsTab sidebar={sidebar} /> },
    { id: 'checkpoints', label: 'Checkpoints', content: <CheckpointsTab sidebar={sidebar} /> },
    {
      id: 'gold',
      label: 'GOLD & citations',
      ...(golds.length + citations.length === 0 ? {} : { count: golds.length + citations.length }),
      content: <SidebarCitations sidebar={sidebar} />,
    },
  ];
  const asked = params.get('tab');
  const shown = tabs.find(({ id }) => id === asked)?.id ?? 'conversation';
  return (
    <div className={`sidebar-tabs sidebar-tabs-${shown}`}>
      <Tabs
        label={`Sections of ${sidebar.ref}`}
        tabs={tabs}
        value={shown}
        onChange={(id) =>
          setParams((now) => (id === 'conversation' ? without(now, 'tab') : new URLSearchParams([...without(now, 'tab'), ['tab', id]])), {
            replace: true,
          })
        }
      />
    </div>
  );
};

/** PAGE-304, PAGE-310: questions for the viewer, and permission requests of the agents here. */
const SidebarRequests = ({ sidebar }: { readonly sidebar: Sidebar }) => {
  const requests = useRequests(sidebar.id);
  const permissions = (usePermissions().data?.items ?? []).filter(({ sidebarId }) => sidebarId === sidebar.ref);
  const last = permissions.findLast((one) => !isOpen(one));
  return (
    <div className="sidebar-notices">
      <RequestsToMe requests={requests} />
      {permissions.some(isOpen) ? <PermissionRequests requests={permissions} /> : last === undefined ? null : <AnsweredPermission request={last} />}
    </div>
  );
};

const without = (params: URLSearchParams, name: string): URLSearchParams => new URLSearchParams([...params].filter(([key]) => key !== name));

const LONGEST_TITLE = 160;
