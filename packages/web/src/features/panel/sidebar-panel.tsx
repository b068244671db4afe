import { sidebarOf } from '@yarnboard/domain';
import { ChevronLeft, ChevronRight, List, Maximize2, X } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { useBoard } from '../../live/hooks.tsx';
import { LISTED, useBeside, type Beside } from '../../shared/beside.ts';
import { IconButton } from '../../ui/button.tsx';
import { InPanelProvider } from '../../ui/in-panel.ts';
import { Skeleton } from '../../ui/state.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { sidebarsOf, type SessionSidebar } from '../sessions/session-sidebars.ts';
import { PanelList } from './panel-list.tsx';
import { PanelRouter } from './panel-router.tsx';
import { PanelEdge, usePanelWidth } from './panel-width.tsx';
import './sidebar-panel.css';

const SidebarPage = lazy(async () => ({ default: (await import('../sidebars/sidebar-page.tsx')).SidebarPage }));

/** PAGE-600: a sidebar beside a view, or a list of the session's sidebars. */
export const SidebarPanel = () => {
  const beside = useBeside();
  return beside === null || beside.shown === null ? null : <Shown beside={beside} shown={beside.shown} />;
};

const Shown = ({ beside, shown }: { readonly beside: Beside; readonly shown: string }) => {
  const [path] = useLocation();
  const sidebars = useSiblings(path, shown);
  const [width, setWidth] = usePanelWidth();
  const panel = useRef<HTMLElement>(null);
  const isListed = shown === LISTED;
  const at = sidebars.findIndex(({ sidebar }) => sidebar.ref === shown || sidebar.id === shown);
  const step = (by: number): void => {
    const next = sidebars.at(at < 0 ? (by > 0 ? 0 : -1) : (at + by + sidebars.length) % sidebars.length)?.sidebar;
    if (next !== undefined) beside.open(next.ref === '' ? next.id : next.ref, '', true);
  };

  // Opening the panel moves focus into it; closing it restores focus.
  useEffect(() => {
    const before = document.activeElement;
    panel.current?.focus({ preventScroll: true });
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);

  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTaken(event.target)) return;
      if (event.key === 'Escape') {
        // An open sub-agent or find bar closes first, unless the focus is in the panel.
        const isWithin = event.target instanceof Node && panel.current?.contains(event.target) === true;
        if (!isWithin && document.querySelector('.agent-panel, .find-bar') !== null) return;
        beside.close();
      } else if (event.key === '[' || event.key === ']') step(event.key === ']' ? 1 : -1);
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  });

  return (
    <section ref={panel} className="panel" aria-label={isListed ? 'Sidebars of this session' : `Sidebar ${shown}`} tabIndex={-1} style={{ width }}>
      <PanelEdge width={width} onChange={setWidth} />
      <header className="panel-head">
        <h2 className="panel-title">{isListed ? 'Sidebars of this session' : <span className="visually-hidden">Sidebar {shown}</span>}</h2>
        {sidebars.length < 2 ? null : (
          <>
            <IconButton icon={ChevronLeft} label="Previous sidebar of the session ([)" size="small" onClick={() => step(-1)} aria-keyshortcuts="[" />
            {at < 0 ? null : (
              <span className="numbers small soft">
                {at + 1} of {sidebars.length}
              </span>
            )}
            <IconButton icon={ChevronRight} label="Next sidebar of the session (])" size="small" onClick={() => step(1)} aria-keyshortcuts="]" />
          </>
        )}
        <span className="panel-buttons">
          {isListed || sidebars.length === 0 ? null : (
            <IconButton icon={List} label="All sidebars of the session" size="small" onClick={() => beside.open(LISTED)} />
          )}
          {isListed ? null : (
            <Tooltip text="Open as a page">
              <Link
                href={`/sidebars/${shown}${beside.search === '' ? '' : `?${beside.search}`}`}
                className="button button-quiet button-small button-icon"
                aria-label="Open as a page"
              >
                <Maximize2 aria-hidden />
              </Link>
            </Tooltip>
          )}
          <IconButton icon={X} label="Close panel (Esc)" size="small" onClick={beside.close} aria-keyshortcuts="Escape" />
        </span>
      </header>
      <div className={isListed ? 'panel-body panel-body-list' : 'panel-body'}>
        {isListed ? (
          <PanelList sidebars={sidebars} />
        ) : (
          <InPanelProvider value>
            <PanelRouter shown={shown}>
              <Suspense fallback={<Skeleton lines={6} label={`Loading ${shown}`} />}>
                <SidebarPage key={shown} sidebarRef={shown} />
              </Suspense>
            </PanelRouter>
          </InPanelProvider>
        )}
      </div>
    </section>
  );
};

/** The sidebars of the open session, or else of the session that the shown sidebar branched off from. */
const useSiblings = (path: string, shown: string): readonly SessionSidebar[] => {
  const [, view = '', id = ''] = path.split('/');
  const inView = view === 'sessions' && id !== '' ? decodeURIComponent(id) : null;
  return useBoard(
    (board) => {
      const parent = inView === null ? sidebarOf(board, shown)?.parent : undefined;
      const sessionId = inView ?? (parent?.kind === 'session' ? parent.sessionId : null);
      return sessionId === null ? NONE : sidebarsOf(board, sessionId);
    },
    [inView, shown],
  );
};

const isTaken = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable], [role=dialog], [role=menu], [role=listbox]') !== null;

const NONE: readonly SessionSidebar[] = [];
