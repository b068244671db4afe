import { createContext, useContext, useMemo, type ReactNode } from 'react';
import { Router, useLocation } from 'wouter';
import { useBeside } from '../../shared/beside.ts';

type Place = { readonly path: string; readonly search: string; readonly navigate: Navigate };
type Navigate = (to: string, options?: { readonly replace?: boolean }) => void;

const PlaceContext = createContext<Place>({ path: '/', search: '', navigate: () => {} });

// Hooks of the router that is within the panel; it calls them wherever it draws something.
const usePlace = (): [string, Navigate] => {
  const { path, navigate } = useContext(PlaceContext);
  return [path, navigate];
};
const usePlaceSearch = (): string => useContext(PlaceContext).search;
const goStraight = (navigate: Navigate, to: string, options?: { readonly replace?: boolean }): void => navigate(to, options);

/** What stands in the panel has the address that its page has; what it leads to opens in the panel where that is a sidebar, and else in the middle. */
export const PanelRouter = ({ shown, children }: { readonly shown: string; readonly children: ReactNode }) => {
  const beside = useBeside();
  const [, navigate] = useLocation();
  const search = beside?.search ?? '';
  const place = useMemo((): Place => {
    const go: Navigate = (to, options) => {
      const [, ref, own = ''] = /^\/sidebars\/([^/?#]+)(?:\?([^#]*))?$/u.exec(to) ?? [];
      if (ref === undefined || beside === null) navigate(to, options);
      else beside.open(decodeURIComponent(ref), own, options?.replace === true);
    };
    return { path: `/sidebars/${shown}`, search, navigate: go };
  }, [shown, search, beside, navigate]);
  return (
    <PlaceContext value={place}>
      <Router hook={usePlace} searchHook={usePlaceSearch} aroundNav={goStraight}>
        {children}
      </Router>
    </PlaceContext>
  );
};
