import { createContext, useContext, useMemo, type ReactNode } from 'react';
import { Router, useLocation } from 'wouter';
import { useBeside } from '../../shared/beside.ts';

type Place = { readonly path: string; readonly search: string; readonly navigate: Navigate };
type Navigate = (to: string, options?: { readonly replace?: boolean }) => void;

const PlaceContext = createContext<Place>({ path: '/', search: '', navigate: () => {} });

// Hooks for the router inside the panel, which calls them wherever it renders.
const usePlace = (): [string, Navigate] => {
  const { path, navigate } = useContext(PlaceContext);
  return [path, navigate];
};
const usePlaceSearch = (): string => useContext(PlaceContext).search;
const goStraight = (navigate: Navigate, to: string, options?: { readonly replace?: boolean }): void => navigate(to, options);

/** Gives the panel's content the address of its own page. Links to sidebars open in the panel, all others in the main view. */
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
