import { createContext, useCallback, useContext, useEffect, useState, type ReactNode } from 'react';
import { plainTextOf } from './plain-text.ts';
import { createTextReader, type Reading, type TextReader } from './text-reader.ts';
import { keyOf, type Writing } from './writing.ts';

const Context = createContext<TextReader | null>(null);

type TextReadingProps = { readonly children: ReactNode; /** Whether there will be texts to read in a moment. */ readonly isSoon?: boolean };

/** Texts below this are read in a separate thread, shared with any surrounding provider; without one, they are read where they are shown. */
export const TextReadingProvider = ({ children, isSoon = false }: TextReadingProps) => {
  const outer = useContext(Context);
  const [own] = useState(() => (outer === null && typeof Worker === 'function' ? createTextReader({ startThread, later }) : null));
  const reader = outer ?? own;
  useEffect(() => {
    if (isSoon) reader?.warm();
  }, [reader, isSoon]);
  useEffect(() => () => own?.close(), [own]);
  return <Context.Provider value={reader}>{children}</Context.Provider>;
};

const startThread = (): Worker => new Worker(new URL('./text-worker.ts', import.meta.url), { type: 'module' });

const later = (ms: number, work: () => void): (() => void) => {
  const timer = setTimeout(work, ms);
  return () => clearTimeout(timer);
};

/** The tree of a text; null while it is being read. A null text isn't read. */
export const useReading = (writing: Writing | null): Reading | null => {
  const reader = useContext(Context);
  const [read, setRead] = useState<{ readonly key: string; readonly reading: Reading } | null>(null);
  const key = writing === null ? null : keyOf(writing);
  const known = writing === null ? 'as-it-is' : read !== null && read.key === key ? read.reading : (reader?.known(writing) ?? null);
  const isRead = known !== null;
  useEffect(() => {
    if (isRead || writing === null || key === null) return undefined;
    return (reader?.want ?? wantHere)(writing, (reading) => setRead({ key, reading }));
    // The key has everything of the writing, which is a new object each time.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [reader, key, isRead]);
  return known;
};

/** Reads Markdown before it scrolls into view, so that nothing changes size there. Without a separate thread, texts are read when they are shown. */
export const useReadAhead = (texts: readonly string[]): void => {
  const reader = useContext(Context);
  useEffect(() => {
    reader?.readAhead(texts.map((text) => ({ kind: 'markdown', text })));
  }, [reader, texts]);
};

/** Markdown as plain text, once it is read; unreadable text is returned as it is. */
export const usePlainText = (): ((text: string) => Promise<string>) => {
  const reader = useContext(Context);
  return useCallback(
    (text) =>
      new Promise((resolve) => {
        (reader?.want ?? wantHere)({ kind: 'markdown', text }, (reading) => resolve(reading === 'as-it-is' ? text : plainTextOf(reading)));
      }),
    [reader],
  );
};

const wantHere: TextReader['want'] = (writing, listener) => {
  let isWanted = true;
  import('./text-trees.ts').then(
    ({ createTreeMaker }) => {
      if (isWanted) listener(createTreeMaker()(writing) ?? 'as-it-is');
    },
    () => (isWanted ? listener('as-it-is') : undefined),
  );
  return () => {
    isWanted = false;
  };
};
