import { createContext, useContext } from 'react';

/** What a copy of the session goes on from: a message, with what is asked anew, or null for the latest. */
export type ForkPoint = { readonly at: string; readonly about: string; readonly prompt: string } | null;

/** Opens the dialog that forks the session; null where that is nobody's to do. */
export const ForkContext = createContext<((from: ForkPoint) => void) | null>(null);

export const useFork = (): ((from: ForkPoint) => void) | null => useContext(ForkContext);
