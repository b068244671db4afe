import { useCallback, useState } from 'react';

export type Seen = { readonly isSeen: (key: string) => boolean; readonly see: (keys: readonly string[]) => void };

/** PAGE-45: what was opened or marked as read in this browser, the latest few hundred. */
export const useSeen = (): Seen => {
  const [seen, setSeen] = useState<ReadonlySet<string>>(() => new Set(read()));
  const see = useCallback((keys: readonly string[]) => {
    // Another tab may have written meanwhile.
    const next = [...new Set([...read(), ...keys])].slice(-MOST);
    localStorage.setItem(KEY, JSON.stringify(next));
    setSeen(new Set(next));
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

const KEY = 'yarnboard.seen';
const MOST = 500;
