import { createContext, useContext } from 'react';

/** Opens the dialog that starts a session; null for users who may not. */
export const NewSessionContext = createContext<(() => void) | null>(null);

export const useNewSession = (): (() => void) | null => useContext(NewSessionContext);
