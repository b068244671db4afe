import { useRef, type KeyboardEvent, type RefObject } from 'react';

export type ResultStops = {
  /** The element that contains the boxes and the results. */
  readonly place: RefObject<HTMLDivElement | null>;
  /** The text field; Escape leads back to it. */
  readonly box: RefObject<HTMLInputElement | null>;
  /** For every box and every result; results have `data-stop`. */
  readonly onKeyDown: (event: KeyboardEvent) => void;
};

/** PAGE-66: arrow keys lead from a box into its results and back, Home and End to the first and the last. */
export const useResultStops = (): ResultStops => {
  const place = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLInputElement>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const stops = [...(place.current?.querySelectorAll<HTMLElement>('[data-stop]') ?? [])];
    const at = stops.findIndex((one) => one === document.activeElement);
    const next = nextStop(event.key, at, stops.length, document.activeElement instanceof HTMLInputElement);
    if (next === null) return;
    event.preventDefault();
    (next < 0 ? box.current : stops[next])?.focus();
  };
  return { place, box, onKeyDown };
};

/** The result that a key leads to: -1 is the box, null is not ours to handle. */
const nextStop = (key: string, at: number, length: number, isInBox: boolean): number | null => {
  if (length === 0) return null;
  if (isInBox) return key === 'ArrowDown' || key === 'Enter' ? 0 : null;
  switch (key) {
    case 'ArrowDown':
      return Math.min(length - 1, at + 1);
    case 'ArrowUp':
      return at - 1;
    case 'Home':
      return 0;
    case 'End':
      return length - 1;
    case 'Escape':
      return -1;
    default:
      return null;
  }
};
