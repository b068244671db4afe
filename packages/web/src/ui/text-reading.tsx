import { createContext, useCallback, useContext, useEffect, useState, type ReactNode } from 'react';
import { plainTextOf } from './plain-text.ts';
import { createTextReader, type Reading, type TextReader } from './text-reader.ts';
import { keyOf, type Writing } from './writing.ts';

const Context = createContext<TextReader | null>(null);

type TextReadingProps = { readonly children: ReactNode; /** Whether there will be texts to read in a moment. */ readonly isSoon?: boolean };

/** Lets texts beneath it be read in a thread of their own, which is shared with those around it; without one they are read where they are shown. */
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

/** What is to be shown of a text; null while it is read. Nothing is read of a text that is null. */
export const useReading = (writing: Writing | null): Reading | null => {
  const reader = useContext(Context);
  const [read, setRead] = useState<{ readonly key: string; readonly reading: Reading } | null>(null);
  const key = writing === null ? null : keyOf(writing);
  const known = writing === null ? 'as-it-is' : read !== null && read.key === key ? read.reading : (reader?.known(writing) ?? null);
  const isRead = known !== null;
  useEffect(() => {
    if (isRead || writing === null || key === null) return undefined;
    return (reader?.want ?? wantHere)(writing, (reading) => setRead({ key, reading }));
    // The key tells everything of the writing, which is another object each time.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [reader, key, isRead]);
  return known;
};

/** Has Markdown read before it comes into view, so that nothing changes its size there. Without a thread of their own texts are read when they are seen. */
export const useReadAhead = (texts: readonly string[]): void => {
  const reader = useContext(Context);
  useEffect(() => {
    reader?.readAhead(texts.map((text) => ({ kind: 'markdown', text })));
  }, [reader, texts]);
};

/** Markdown as plain text, once it is read; what cannot be read is told as it is. */
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
