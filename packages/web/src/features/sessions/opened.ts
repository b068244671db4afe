import { useCallback, useState } from 'react';
import { useOpenedThings } from './flow-context.ts';

/** Whether something is open, remembered beyond the row it stands in. */
export const useOpened = (name: string, isOpenFirst = false): readonly [boolean, (isOpen: boolean) => void] => {
  const things = useOpenedThings();
  const [isOpen, setIsOpen] = useState(() => things?.get(name) ?? isOpenFirst);
  const change = useCallback(
    (next: boolean) => {
      things?.set(name, next);
      setIsOpen(next);
    },
    [things, name],
  );
  return [isOpen, change];
};
