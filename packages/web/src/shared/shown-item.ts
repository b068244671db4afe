import { useEffect } from 'react';
import { useSearchParams } from 'wouter';

export type ItemName = 'checkpoint' | 'claim' | 'conflict' | 'episode';

/** The element id of a checkpoint, claim, conflict or episode. */
export const itemElementId = (name: ItemName, number: number): string => `${name}-${number}`;

/** REF-13: the number of the item in the address, which is scrolled into view as soon as it is there; null if the address has none. */
export const useShownItem = (name: ItemName, isThere = true): number | null => {
  const [params] = useSearchParams();
  const asked = Number(params.get(name) ?? '0');
  useEffect(() => {
    if (!isThere) return;
    const element = document.getElementById(itemElementId(name, asked));
    element?.scrollIntoView({ block: 'start' });
    element?.focus({ preventScroll: true });
  }, [name, asked, isThere]);
  return asked > 0 ? asked : null;
};
