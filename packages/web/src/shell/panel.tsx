import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, type ReactNode } from 'react';
import { Router, useLocation, useSearch } from 'wouter';
import { BesideContext, besideIn, keptBeside, withBeside, type Beside } from '../shared/beside.ts';
import { QuietBoundary } from './boundary.tsx';

const SidebarPanel = lazy(async () => ({ default: (await import('../features/panel/sidebar-panel.tsx')).SidebarPanel }));

/** PAGE-600: what the panel shows is part of the address. */
export const WithPanel = ({ children }: { readonly children: ReactNode }) => {
  const [path, navigate] = useLocation();
  const search = useSearch();
  const here = useRef({ path, search });
  useEffect(() => {
    here.current = { path, search };
  }, [path, search]);
  const around = useCallback(
    (go: (to: string, options?: { readonly replace?: boolean }) => void, to: string, options?: { readonly replace?: boolean }) =>
      go(keptBeside(to, here.current), options),
    [],
  );
  const go = useCallback(
    (panel: string | null, isReplacing: boolean) =>
      navigate(`${here.current.path}${withBeside(here.current.search, panel)}`, { replace: isReplacing }),
    [navigate],
  );
  const { shown, search: part } = besideIn(search);
  const beside = useMemo(
    (): Beside => ({
      shown,
      search: part,
      open: (ref, own = '', isReplacing = false) => go(own === '' ? ref : `${ref}?${own}`, isReplacing),
      close: () => go(null, false),
    }),
    [shown, part, go],
  );
  return (
    <BesideContext value={beside}>
      <Router aroundNav={around}>{children}</Router>
    </BesideContext>
  );
};

/** Beside the view, or on top of it if there is no room. */
export const Panel = ({ beside }: { readonly beside: Beside }) =>
  beside.shown === null ? null : (
    <QuietBoundary>
      <Suspense fallback={null}>
        <SidebarPanel />
      </Suspense>
    </QuietBoundary>
  );
