import { useCallback, useEffect, useState } from 'react';

export type Seen = { readonly isSeen: (key: string) => boolean; readonly see: (keys: readonly string[]) => void };

/** PAGE-45: the latest few hundred items opened or marked as read in this browser. */
export const useSeen = (): Seen => {
  const [seen, setSeen] = useState<ReadonlySet<string>>(() => new Set(read()));
  useEffect(() => {
    // Keeps several parts of the page, and several tabs, in step.
    const listen = (): void => setSeen(new Set(read()));
    addEventListener('storage', listen);
    addEventListener(CHANGED, listen);
    return () => {
      removeEventListener('storage', listen);
      removeEventListener(CHANGED, listen);
    };
  }, []);
  const see = useCallback((keys: readonly string[]) => {
    // Another tab may have written in the meantime.
    const next = [...new Set([...read(), ...keys])].slice(-MOST);
    localStorage.setItem(KEY, JSON.stringify(next));
    dispatchEvent(new Event(CHANGED));
  }, []);
  return { isSeen: (key) => seen.has(key), see };
};

const read = (): readonly string[] => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string') : [];
  } catch {
    return []; // something else wrote it: treat everything as unread
  }
};

const CHANGED = 'yarnboard:seen';
const KEY = 'yarnboard.seen';
const MOST = 500;
