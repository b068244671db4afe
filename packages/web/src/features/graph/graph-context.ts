import { createContext, useContext, useSyncExternalStore, type KeyboardEvent } from 'react';
import { createWatched, type Watched } from '../../live/watched.ts';
import type { DrawnItem } from './drawing-desk.ts';

export type Focus = {
  /** The item that was selected last. */
  readonly current: string | null;
  /** The one card in the tab order. */
  readonly stop: string | null;
  /** The card to focus as soon as it is rendered. */
  readonly wanted: string | null;
};

export const NO_FOCUS: Focus = { current: null, stop: null, wanted: null };

/** What every card needs from the page. */
export type GraphActions = {
  readonly sessionId: string;
  readonly focus: Watched<Focus>;
  /** Whether cards are large enough to read. */
  readonly isNear: boolean;
  readonly toggle: (id: string, isOpen: boolean) => void;
  readonly take: (id: string) => void;
  readonly onKey: (item: DrawnItem, event: KeyboardEvent) => void;
};

export const GraphContext = createContext<GraphActions>({
  sessionId: '',
  focus: createWatched(NO_FOCUS),
  isNear: true,
  toggle: () => {},
  take: () => {},
  onKey: () => {},
});

export const useGraphActions = (): GraphActions => useContext(GraphContext);

/** The focus state of one card, so that the others do not re-render when focus moves. */
export const useFocusOf = (id: string): Readonly<Record<keyof Focus, boolean>> => {
  const { focus } = useGraphActions();
  const flags = (): number => {
    const { current, stop, wanted } = focus.get();
    return (current === id ? 1 : 0) + (stop === id ? 2 : 0) + (wanted === id ? 4 : 0);
  };
  const mine = useSyncExternalStore(focus.subscribe, flags, flags);
  return { current: (mine & 1) > 0, stop: (mine & 2) > 0, wanted: (mine & 4) > 0 };
};
