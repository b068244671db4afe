import { MapPinOff } from 'lucide-react';
import { lazy, Suspense, useCallback, useEffect, useState, type ReactNode } from 'react';
import { Link, Route, Router, Switch } from 'wouter';
import { Banners } from './shell/banners.tsx';
import { Boundary, DialogBoundary, QuietBoundary } from './shell/boundary.tsx';
import { Frame } from './shell/frame.tsx';
import { PaletteContext } from './shell/palette-context.ts';
import type { Live } from './live/live.ts';
import { LiveProvider } from './live/hooks.tsx';
import './ui/base.css';
import { NowProvider } from './ui/now.tsx';
import { Page } from './ui/page.tsx';
import { Empty, Skeleton } from './ui/state.tsx';
import { TextReadingProvider } from './ui/text-reading.tsx';
import { ThemeProvider } from './ui/theme.tsx';
import { ToastProvider } from './ui/toast.tsx';
import { TooltipProvider } from './ui/tooltip.tsx';

const Home = lazy(async () => ({ default: (await import('./features/home/home.tsx')).Home }));
const SessionList = lazy(async () => ({ default: (await import('./features/sessions/session-list.tsx')).SessionList }));
const SessionPage = lazy(async () => ({ default: (await import('./features/sessions/session-page.tsx')).SessionPage }));
const GraphPage = lazy(async () => ({ default: (await import('./features/graph/graph-page.tsx')).GraphPage }));
const SearchPage = lazy(async () => ({ default: (await import('./features/search/search-page.tsx')).SearchPage }));
const ReferencePage = lazy(async () => ({ default: (await import('./features/search/reference-page.tsx')).ReferencePage }));
const Notifier = lazy(async () => ({ default: (await import('./features/home/notifier.tsx')).Notifier }));
const Palette = lazy(async () => ({ default: (await import('./features/search/palette.tsx')).Palette }));
const SidebarBoard = lazy(async () => ({ default: (await import('./features/sidebars/sidebar-board.tsx')).SidebarBoard }));
const SidebarPage = lazy(async () => ({ default: (await import('./features/sidebars/sidebar-page.tsx')).SidebarPage }));
const GoldPage = lazy(async () => ({ default: (await import('./features/citations/gold-page.tsx')).GoldPage }));
const Agents = lazy(async () => ({ default: (await import('./features/agents/agents.tsx')).Agents }));
const Settings = lazy(async () => ({ default: (await import('./features/settings/settings.tsx')).Settings }));
const Health = lazy(async () => ({ default: (await import('./features/settings/health.tsx')).Health }));

export type AppProps = {
  readonly live: Live;
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>;
  readonly entranceTrouble: string | null;
  /** Gives the token back: the page only reads from then on. */
  readonly onLeave: () => void;
};

export const App = ({ live, storage, entranceTrouble, onLeave }: AppProps) => (
  <LiveProvider live={live}>
    <ThemeProvider storage={storage}>
      <NowProvider clock={live.now}>
        <TooltipProvider>
          <ToastProvider>
            <TextReadingProvider>
              <Router>
                <WithPalette>
                  <QuietBoundary>
                    <Suspense fallback={null}>
                      <Notifier />
                    </Suspense>
                  </QuietBoundary>
                  <Frame banners={<Banners entranceTrouble={entranceTrouble} onLeave={onLeave} />}>
                    <Boundary>
                      <Suspense fallback={<Waiting />}>
                        <Routes />
                      </Suspense>
                    </Boundary>
                  </Frame>
                </WithPalette>
              </Router>
            </TextReadingProvider>
          </ToastProvider>
        </TooltipProvider>
      </NowProvider>
    </ThemeProvider>
  </LiveProvider>
);

const Routes = () => (
  <Switch>
    <Route path="/">
      <Home />
    </Route>
    <Route path="/sessions">
      <SessionList />
    </Route>
    <Route path="/sessions/:id/graph">{({ id }) => <GraphPage key={id} sessionId={id} />}</Route>
    <Route path="/sessions/:id">{({ id }) => <SessionPage key={id} sessionId={id} />}</Route>
    <Route path="/search">
      <SearchPage />
    </Route>
    <Route path="/refs/:ref">{({ ref }) => <ReferencePage key={ref} reference={ref} />}</Route>
    <Route path="/sidebars">
      <SidebarBoard />
    </Route>
    <Route path="/sidebars/:id">{({ id }) => <SidebarPage key={id} sidebarRef={id} />}</Route>
    <Route path="/gold">
      <GoldPage />
    </Route>
    <Route path="/agents">
      <Agents />
    </Route>
    <Route path="/settings">
      <Settings />
    </Route>
    <Route path="/health">
      <Health />
    </Route>
    <Route>
      <Nowhere />
    </Route>
  </Switch>
);

/** Ctrl-K or Cmd-K from anywhere; `/` where nothing is typed. */
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
  <Page title="Nothing here">
    <Empty icon={MapPinOff} title="There is no view at this address">
      Go <Link href="/">home</Link>, or search with Ctrl K: every message, sidebar and finding has its own address.
    </Empty>
  </Page>
);

const Waiting = () => (
  <Page title="Loading">
    <Skeleton lines={6} />
  </Page>
);
