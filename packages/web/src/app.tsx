import { MapPinOff } from 'lucide-react';
import { lazy, Suspense, useCallback, useEffect, useState, type ReactNode } from 'react';
import { Link, Redirect, Route, Router, Switch } from 'wouter';
import { Banners } from './shell/banners.tsx';
import { Boundary, DialogBoundary, QuietBoundary } from './shell/boundary.tsx';
import { WithNewSession } from './shell/new-session.tsx';
import { Frame } from './shell/frame.tsx';
import { WithKeys } from './shell/keys.tsx';
import { WithPanel } from './shell/panel.tsx';
import { PaletteContext } from './shell/palette-context.ts';
import type { Live } from './live/live.ts';
import { LiveProvider, useRecovery } from './live/hooks.tsx';
import './ui/base.css';
import { NowProvider } from './ui/now.tsx';
import { Page } from './ui/page.tsx';
import { Empty, Skeleton } from './ui/state.tsx';
import { TabCountProvider } from './ui/tab-count.tsx';
import { TextReadingProvider } from './ui/text-reading.tsx';
import { ThemeProvider } from './ui/theme.tsx';
import { ToastProvider } from './ui/toast.tsx';
import { decoded, type Views } from './views.ts';

const Notifier = lazy(async () => ({ default: (await import('./features/home/notifier.tsx')).Notifier }));
const NoticeTray = lazy(async () => ({ default: (await import('./features/home/notice-tray.tsx')).NoticeTray }));
const PermissionTray = lazy(async () => ({ default: (await import('./features/permissions/permission-tray.tsx')).PermissionTray }));
const Palette = lazy(async () => ({ default: (await import('./features/search/palette.tsx')).Palette }));

/** The views as components, each loaded on first use. Create them before the first render: created during one, they would restart it. */
export const drawnViews = (views: Views) => ({
  views,
  Home: lazy(async () => ({ default: (await views.home.load()).Home })),
  SessionList: lazy(async () => ({ default: (await views.sessions.load()).SessionList })),
  SessionPage: lazy(async () => ({ default: (await views.session.load()).SessionPage })),
  GraphPage: lazy(async () => ({ default: (await views.graph.load()).GraphPage })),
  ChangesPage: lazy(async () => ({ default: (await views.changes.load()).ChangesPage })),
  FilePage: lazy(async () => ({ default: (await views.file.load()).FilePage })),
  UsagePage: lazy(async () => ({ default: (await views.usage.load()).UsagePage })),
  SearchPage: lazy(async () => ({ default: (await views.search.load()).SearchPage })),
  ReferencePage: lazy(async () => ({ default: (await views.reference.load()).ReferencePage })),
  TracePage: lazy(async () => ({ default: (await views.trace.load()).TracePage })),
  SidebarBoard: lazy(async () => ({ default: (await views.sidebars.load()).SidebarBoard })),
  SidebarPage: lazy(async () => ({ default: (await views.sidebar.load()).SidebarPage })),
  ArchivePage: lazy(async () => ({ default: (await views.archive.load()).ArchivePage })),
  GoldPage: lazy(async () => ({ default: (await views.gold.load()).GoldPage })),
  Agents: lazy(async () => ({ default: (await views.agents.load()).Agents })),
  RunsPage: lazy(async () => ({ default: (await views.runs.load()).RunsPage })),
  Settings: lazy(async () => ({ default: (await views.settings.load()).Settings })),
  RecoveryPage: lazy(async () => ({ default: (await views.recovery.load()).RecoveryPage })),
  Health: lazy(async () => ({ default: (await views.health.load()).Health })),
});

export type AppProps = {
  readonly live: Live;
  readonly drawn: ReturnType<typeof drawnViews>;
  /** Whether the view's code is loaded. Passed in, because a Suspense fallback would stay for at least a third of a second. */
  readonly isHere: boolean;
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>;
  readonly entranceTrouble: string | null;
  /** Signs out: the page is read-only from then on. */
  readonly onLeave: () => void;
};

export const App = ({ live, drawn, isHere, storage, entranceTrouble, onLeave }: AppProps) => (
  <LiveProvider live={live}>
    <ThemeProvider storage={storage}>
      <NowProvider clock={live.now}>
        <ToastProvider>
          <TextReadingProvider>
            <TabCountProvider>
              <Router>
                <WithPanel>
                  <WithKeys>
                    <WithNewSession>
                      <WithPalette>
                        <QuietBoundary>
                          <Suspense fallback={null}>
                            <Notifier />
                          </Suspense>
                        </QuietBoundary>
                        <Frame
                          banners={<Banners entranceTrouble={entranceTrouble} onLeave={onLeave} />}
                          tray={
                            <QuietBoundary>
                              <Suspense fallback={null}>
                                <NoticeTray />
                                <PermissionTray />
                              </Suspense>
                            </QuietBoundary>
                          }
                        >
                          <Boundary>
                            <Suspense fallback={<Waiting />}>{isHere ? <Routes drawn={drawn} /> : <Waiting />}</Suspense>
                          </Boundary>
                        </Frame>
                      </WithPalette>
                    </WithNewSession>
                  </WithKeys>
                </WithPanel>
              </Router>
            </TabCountProvider>
          </TextReadingProvider>
        </ToastProvider>
      </NowProvider>
    </ThemeProvider>
  </LiveProvider>
);

const Routes = ({ drawn: { views, ...Drawn } }: Pick<AppProps, 'drawn'>) => (
  <Switch>
    <Route path={views.home.path}>
      <StartPage home={<Drawn.Home />} recovery={views.recovery.path} />
    </Route>
    <Route path={views.recovery.path}>
      <Drawn.RecoveryPage />
    </Route>
    <Route path={views.sessions.path}>
      <Drawn.SessionList />
    </Route>
    <Route path={views.graph.path}>{({ id }) => <Drawn.GraphPage key={id} sessionId={decoded(id)} />}</Route>
    <Route path={views.changes.path}>{({ id }) => <Drawn.ChangesPage key={id} sessionId={decoded(id)} />}</Route>
    <Route path={views.file.path}>
      <Drawn.FilePage />
    </Route>
    <Route path={views.usage.path}>
      <Drawn.UsagePage />
    </Route>
    <Route path={views.session.path}>{({ id }) => <Drawn.SessionPage key={id} sessionId={decoded(id)} />}</Route>
    <Route path={views.search.path}>
      <Drawn.SearchPage />
    </Route>
    <Route path={views.reference.path}>{({ ref }) => <Drawn.ReferencePage key={ref} reference={ref} />}</Route>
    <Route path={views.trace.path}>{({ ref }) => <Drawn.TracePage key={ref} reference={decoded(ref)} />}</Route>
    <Route path={views.sidebars.path}>
      <Drawn.SidebarBoard />
    </Route>
    <Route path={views.sidebar.path}>{({ id }) => <Drawn.SidebarPage key={id} sidebarRef={id} />}</Route>
    <Route path={views.archive.path}>
      <Drawn.ArchivePage />
    </Route>
    <Route path={views.gold.path}>
      <Drawn.GoldPage />
    </Route>
    <Route path={views.agents.path}>
      <Drawn.Agents />
    </Route>
    <Route path={views.runs.path}>
      <Drawn.RunsPage />
    </Route>
    <Route path={views.settings.path}>
      <Drawn.Settings />
    </Route>
    <Route path={views.health.path}>
      <Drawn.Health />
    </Route>
    <Route>
      <Nowhere />
    </Route>
  </Switch>
);

/** PAGE-438: shows recovery first if a crash left something behind. */
const StartPage = ({ home, recovery }: { readonly home: ReactNode; readonly recovery: string }) =>
  useRecovery()?.state === 'RECOVERY_NEEDED' ? <Redirect to={recovery} replace /> : home;

/** Ctrl-K or Cmd-K from anywhere; `/` unless you are typing. */
const WithPalette = ({ children }: { readonly children: ReactNode }) => {
  const [isOpen, setIsOpen] = useState(false);
  const open = useCallback(() => setIsOpen(true), []);
  const close = useCallback(() => setIsOpen(false), []);
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const isTyping = event.target instanceof HTMLElement && event.target.closest('input, textarea, select, [contenteditable]') !== null;
      const isAsked = (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) || (event.key === '/' && !isTyping);
      if (!isAsked) return;
      event.preventDefault();
      setIsOpen(true);
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
  return (
    <PaletteContext value={open}>
      {children}
      {isOpen ? (
        <DialogBoundary title="Search everything" onClose={close}>
          <Suspense fallback={null}>
            <Palette isOpen onClose={close} />
          </Suspense>
        </DialogBoundary>
      ) : null}
    </PaletteContext>
  );
};

const Nowhere = () => (
  <Page title="Page not found">
    <Empty icon={MapPinOff} title="Nothing at this address">
      Go <Link href="/">home</Link>, or press Ctrl K to search.
    </Empty>
  </Page>
);

const Waiting = () => (
  <Page title="Loading">
    <Skeleton lines={6} />
  </Page>
);
