import { useCallback, useState } from 'react';
import { useOpenedThings } from './flow-context.ts';
import { useReaderWishes } from './reader.tsx';

/** Whether something is open, remembered beyond its row. While “Expand everything” is on, what the reader closes stays closed. */
export const useOpened = (name: string, isOpenFirst = false): readonly [boolean, (isOpen: boolean) => void] => {
  const things = useOpenedThings();
  const isExpanded = useReaderWishes().has('expanded');
  const key = isExpanded ? `${name}, expanded` : name;
  const [own, setOwn] = useState<{ readonly key: string; readonly isOpen: boolean } | null>(null);
  const change = useCallback(
    (next: boolean) => {
      things?.set(key, next);
      setOwn({ key, isOpen: next });
    },
    [things, key],
  );
  return [own?.key === key ? own.isOpen : (things?.get(key) ?? (isExpanded || isOpenFirst)), change];
};
