import { createContext, useContext } from 'react';

/** Opens the search box that is over everything. */
export const PaletteContext = createContext<() => void>(() => {});

export const useOpenPalette = (): (() => void) => useContext(PaletteContext);
