import { createContext, useContext } from 'react';

/** Where a fork continues: a message, with a new prompt for it, or null for the latest. */
export type ForkPoint = { readonly at: string; readonly about: string; readonly prompt: string } | null;

/** Opens the dialog that forks the session; null if the user may not fork it. */
export const ForkContext = createContext<((from: ForkPoint) => void) | null>(null);

export const useFork = (): ((from: ForkPoint) => void) | null => useContext(ForkContext);
