import { createContext, useContext, type KeyboardEvent } from 'react';
import type { DrawnItem } from './drawing-desk.ts';

/** What every card needs of the page around it. */
export type GraphActions = {
  readonly sessionId: string;
  /** The item that was chosen last. */
  readonly current: string | null;
  /** The one card that Tab leads to. */
  readonly stop: string | null;
  /** The card that is to take the focus as soon as it is there. */
  readonly wanted: string | null;
  /** Whether cards are large enough to be read. */
  readonly isNear: boolean;
  readonly toggle: (id: string, isOpen: boolean) => void;
  readonly take: (id: string) => void;
  readonly onKey: (item: DrawnItem, event: KeyboardEvent) => void;
};

export const GraphContext = createContext<GraphActions>({
  sessionId: '',
  current: null,
  stop: null,
  wanted: null,
  isNear: true,
  toggle: () => {},
  take: () => {},
  onKey: () => {},
});

export const useGraphActions = (): GraphActions => useContext(GraphContext);
