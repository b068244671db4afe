import { createContext, useContext } from 'react';

/** Opens the palette, the search box on top of every view. */
export const PaletteContext = createContext<() => void>(() => {});

export const useOpenPalette = (): (() => void) => useContext(PaletteContext);
