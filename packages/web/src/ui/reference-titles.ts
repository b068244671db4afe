import { createContext } from 'react';

/** What to call a reference where its number alone would say nothing; null for those that keep their name. */
export const ReferenceTitles = createContext<(ref: string) => string | null>(() => null);
