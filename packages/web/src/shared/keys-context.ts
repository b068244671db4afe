import { createContext, useContext } from 'react';

/** Opens the list of keyboard shortcuts; null if there is none. */
export const KeysContext = createContext<(() => void) | null>(null);

export const useOpenKeys = (): (() => void) | null => useContext(KeysContext);
