import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';

export const NEAR_END = 60;

export type Following = {
  /** Whether the reader has opened something: then it stays where it is, and new steps below don't move it. */
  readonly isHeld: boolean;
  /** Whether the end is visible nevertheless. */
  readonly isEndSeen: boolean;
  readonly hold: () => void;
  readonly release: () => void;
};

/** PAGE-150: after opening something, the reader no longer follows the end, until they go back there. */
export const useFollowing = (scrollRef: RefObject<HTMLElement | null>): Following => {
  const [isHeld, setIsHeld] = useState(false);
  const [isEndSeen, setIsEndSeen] = useState(true);
  // What was opened grows in steps as it loads, so reaching the end only counts after having left it.
  const wasAway = useRef(false);
  const look = useCallback(() => {
    const place = scrollRef.current;
    if (place === null) return;
    const isNear = place.scrollHeight - place.scrollTop - place.clientHeight <= NEAR_END;
    setIsEndSeen(isNear);
    if (isNear && wasAway.current) setIsHeld(false);
    wasAway.current = !isNear;
  }, [scrollRef]);
  useEffect(() => {
    const place = scrollRef.current;
    if (place === null || !isHeld) return undefined;
    const sizes = new ResizeObserver(look);
    for (const child of place.children) sizes.observe(child);
    place.addEventListener('scroll', look);
    return () => {
      sizes.disconnect();
      place.removeEventListener('scroll', look);
    };
  }, [scrollRef, isHeld, look]);
  const hold = useCallback(() => {
    wasAway.current = false;
    look();
    setIsHeld(true);
  }, [look]);
  const release = useCallback(() => setIsHeld(false), []);
  return { isHeld, isEndSeen, hold, release };
};

/** Whether a click there opens or folds something in a step. */
export const isOpener = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('summary, [aria-expanded]:not([aria-haspopup])') !== null;
