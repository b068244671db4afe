import { useEffect, useRef, type ReactNode } from 'react';
import './offer-list.css';

export type OfferListProps<T> = {
  readonly id: string;
  readonly label: string;
  readonly items: readonly T[];
  readonly nameOf: (item: T) => string;
  readonly chosen: number;
  readonly onTake: (name: string) => void;
  readonly children: (item: T) => ReactNode;
};

/** What could be typed next, above a text field. The field keeps the focus and handles the keys. */
export const OfferList = <T,>({ id, label, items, nameOf, chosen, onTake, children }: OfferListProps<T>) => {
  const list = useRef<HTMLDivElement>(null);
  // Scrolls the list, and nothing around it, so that the chosen item is in sight.
  useEffect(() => {
    const box = list.current;
    const one = box?.children[chosen];
    if (box === null || !(one instanceof HTMLElement)) return;
    const below = one.offsetTop + one.offsetHeight - box.clientHeight;
    if (one.offsetTop < box.scrollTop) box.scrollTop = one.offsetTop;
    else if (below > box.scrollTop) box.scrollTop = below;
  }, [chosen, items.length]);
  return (
    <div ref={list} id={id} className="offer-list" role="listbox" aria-label={label}>
      {items.map((item, n) => (
        <div
          key={nameOf(item)}
          id={`${id}-${n}`}
          className="offer-one"
          role="option"
          tabIndex={-1}
          aria-selected={n === chosen}
          // Not on click: by then the text field would have lost the focus, and the list would be gone.
          onPointerDown={(event) => {
            event.preventDefault();
            onTake(nameOf(item));
          }}
        >
          {children(item)}
        </div>
      ))}
    </div>
  );
};
