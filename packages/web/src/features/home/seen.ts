import { useCallback, useEffect, useState } from 'react';

export type Seen = { readonly isSeen: (key: string) => boolean; readonly see: (keys: readonly string[]) => void };

/** PAGE-45: what was opened or marked as read in this browser, the latest few hundred. */
export const useSeen = (): Seen => {
  const [seen, setSeen] = useState<ReadonlySet<string>>(() => new Set(read()));
  useEffect(() => {
    // Several places of the page, and several tabs, show the same.
    const listen = (): void => setSeen(new Set(read()));
    addEventListener('storage', listen);
    addEventListener(CHANGED, listen);
    return () => {
      removeEventListener('storage', listen);
      removeEventListener(CHANGED, listen);
    };
  }, []);
  const see = useCallback((keys: readonly string[]) => {
    // Another tab may have written meanwhile.
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
    return []; // somebody else wrote it: everything is unread
  }
};

const CHANGED = 'yarnboard:seen';
const KEY = 'yarnboard.seen';
const MOST = 500;
