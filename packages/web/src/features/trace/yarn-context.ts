import { createContext, useContext, useSyncExternalStore, type KeyboardEvent } from 'react';
import { createWatched, type Watched } from '../../live/watched.ts';
import type { Bundle, YarnCard } from './yarn-board.ts';

/** What the user is looking at on a board. */
export type Sight = {
  readonly current: string | null;
  /** The only card in the tab order. */
  readonly stop: string | null;
  /** The card to focus as soon as it is drawn. */
  readonly wanted: string | null;
  /** PAGE-233: the ends of the highlighted strings. */
  readonly lit: ReadonlySet<string>;
  readonly chosen: ReadonlySet<string>;
};

export const NO_SIGHT: Sight = { current: null, stop: null, wanted: null, lit: new Set(), chosen: new Set() };

/** The actions of a card. */
export type YarnDeeds = {
  readonly toggle: (card: YarnCard, bundle: Bundle | null) => void;
  readonly lift: (card: YarnCard, bundle: Bundle) => void;
  readonly choose: (ref: string) => void;
};

export type YarnActions = YarnDeeds & {
  readonly sight: Watched<Sight>;
  /** Whether cards are large enough to read. */
  readonly isNear: boolean;
  readonly take: (id: string) => void;
  readonly point: (id: string | null) => void;
  readonly onKey: (id: string, event: KeyboardEvent) => void;
};

export const YarnContext = createContext<YarnActions>({
  sight: createWatched(NO_SIGHT),
  isNear: true,
  toggle: () => {},
  lift: () => {},
  choose: () => {},
  take: () => {},
  point: () => {},
  onKey: () => {},
});

export const useYarnActions = (): YarnActions => useContext(YarnContext);

/** The part of the sight that concerns one card, so that a change re-renders only the cards it affects. */
export const useSightOf = (id: string): Readonly<Record<keyof Sight, boolean>> => {
  const { sight } = useYarnActions();
  const flags = (): number => {
    const { current, stop, wanted, lit, chosen } = sight.get();
    return [current === id, stop === id, wanted === id, lit.has(id), chosen.has(id)].reduce((sum, is, n) => sum + (is ? 2 ** n : 0), 0);
  };
  const mine = useSyncExternalStore(sight.subscribe, flags, flags);
  return { current: (mine & 1) > 0, stop: (mine & 2) > 0, wanted: (mine & 4) > 0, lit: (mine & 8) > 0, chosen: (mine & 16) > 0 };
};
