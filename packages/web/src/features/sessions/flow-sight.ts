import { useEffect, type RefObject } from 'react';
import { useLatest } from './latest.ts';
import type { ShownPart } from './shown-part.ts';

/** PAGE-151: scrolls the requested part of a step into view and keeps it there until it settles or the reader does something. */
export const useBroughtIntoSight = (scroll: RefObject<HTMLElement | null>, part: ShownPart | null, move: (by: number) => void): void => {
  const latest = useLatest(move);
  useEffect(() => {
    const place = scroll.current;
    if (place === null || part === null) return undefined;
    let [left, calm, frame] = [MOST_FRAMES, 0, 0];
    const look = (): void => {
      left -= 1;
      const line = place.querySelector('[data-shown]');
      const by = line === null ? 0 : outOfSight(line.getBoundingClientRect(), place.getBoundingClientRect());
      if (by !== 0) latest.current(by);
      calm = line !== null && by === 0 ? calm + 1 : 0;
      if (left > 0 && calm < CALM_FRAMES) frame = requestAnimationFrame(look);
    };
    frame = requestAnimationFrame(look);
    const stop = (): void => cancelAnimationFrame(frame);
    const acts = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const;
    for (const act of acts) place.addEventListener(act, stop, { passive: true });
    return () => {
      stop();
      for (const act of acts) place.removeEventListener(act, stop);
    };
  }, [scroll, part, latest]);
};

type Box = { readonly top: number; readonly height: number };

/** How far to scroll to bring a line into the upper part of the viewport; 0 if it is already readable there with what follows. */
const outOfSight = (line: Box, place: Box): number => {
  const at = line.top - place.top;
  return at >= 0 && at <= place.height * 0.6 ? 0 : Math.round(at - place.height * 0.2);
};

const MOST_FRAMES = 120;
const CALM_FRAMES = 20;

/** Reports, after a short delay, that the reader has scrolled. */
export const useScrolled = (scroll: RefObject<HTMLElement | null>, tell: () => void): void => {
  const latest = useLatest(tell);
  useEffect(() => {
    const place = scroll.current;
    if (place === null) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const listen = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => latest.current(), MOMENT_MS);
    };
    place.addEventListener('scroll', listen, { passive: true });
    return () => {
      clearTimeout(timer);
      place.removeEventListener('scroll', listen);
    };
  }, [scroll, latest]);
};

// Some browsers refuse more than a hundred history updates in half a minute.
const MOMENT_MS = 300;
