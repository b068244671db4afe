import { createContext, useContext, useSyncExternalStore, type KeyboardEvent } from 'react';
import { createWatched, type Watched } from '../../live/watched.ts';
import type { Bundle, YarnCard } from './yarn-board.ts';

/** What is looked at on a board. */
export type Sight = {
  readonly current: string | null;
  /** The one card that Tab leads to. */
  readonly stop: string | null;
  /** The card that is to take the focus as soon as it is there. */
  readonly wanted: string | null;
  /** PAGE-233: the ends of the strings that are pointed at. */
  readonly lit: ReadonlySet<string>;
  readonly chosen: ReadonlySet<string>;
};

export const NO_SIGHT: Sight = { current: null, stop: null, wanted: null, lit: new Set(), chosen: new Set() };

/** What a card can be told to do. */
export type YarnDeeds = {
  readonly toggle: (card: YarnCard, bundle: Bundle | null) => void;
  readonly lift: (card: YarnCard, bundle: Bundle) => void;
  readonly choose: (ref: string) => void;
};

export type YarnActions = YarnDeeds & {
  readonly sight: Watched<Sight>;
  /** Whether cards are large enough to be read. */
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

/** What of the sight concerns one card: the others are not rendered again when it moves. */
export const useSightOf = (id: string): Readonly<Record<keyof Sight, boolean>> => {
  const { sight } = useYarnActions();
  const flags = (): number => {
    const { current, stop, wanted, lit, chosen } = sight.get();
    return [current === id, stop === id, wanted === id, lit.has(id), chosen.has(id)].reduce((sum, is, n) => sum + (is ? 2 ** n : 0), 0);
  };
  const mine = useSyncExternalStore(sight.subscribe, flags, flags);
  return { current: (mine & 1) > 0, stop: (mine & 2) > 0, wanted: (mine & 4) > 0, lit: (mine & 8) > 0, chosen: (mine & 16) > 0 };
};
