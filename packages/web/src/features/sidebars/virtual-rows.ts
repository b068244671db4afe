import { measureElement, observeElementRect, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import type { RefObject } from 'react';

export type RowsWanted = {
  readonly count: number;
  readonly scroll: RefObject<HTMLDivElement | null>;
  readonly estimate: (n: number) => number;
  readonly keyOf: (n: number) => string | number;
};

/** Rows of any height, of which only the visible ones are drawn. Without layout, as in tests outside a browser, the estimates hold. */
export const useRows = ({ count, scroll, estimate, keyOf }: RowsWanted): Virtualizer<HTMLDivElement, Element> =>
  useVirtualizer({
    count,
    getScrollElement: () => scroll.current,
    estimateSize: estimate,
    getItemKey: keyOf,
    gap: 8,
    overscan: 8,
    observeElementRect: (instance, tell) => observeElementRect(instance, (rect) => tell(rect.height === 0 ? UNSEEN : rect)),
    measureElement: (element, entry, instance) => measureElement(element, entry, instance) || estimate(instance.indexFromElement(element)),
  });

const UNSEEN = { width: 360, height: 800 };
