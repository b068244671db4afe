/**
 * Scrolls to something low in a long step, once the conversation has settled at that step: until then it would undo the scroll. Stops if the reader
 * scrolls in the meantime. Calls `onDone` at the end either way.
 */
export const comeIntoSight = (element: HTMLElement, onDone: () => void): (() => void) => {
  const scroll = element.closest<HTMLElement>('.flow-scroll, .dialog-body');
  let [frame, left, still, last] = [0, MOST_FRAMES, 0, NaN];
  const stop = (): void => {
    cancelAnimationFrame(frame);
    for (const kind of BY_HAND) scroll?.removeEventListener(kind, end);
  };
  const end = (): void => {
    stop();
    onDone();
  };
  const look = (): void => {
    const { top } = element.getBoundingClientRect();
    left -= 1;
    still = top === last ? still + 1 : 0;
    last = top;
    if (still >= RESTS) {
      if (scroll === null || isSeen(element, scroll)) return end();
      still = 0;
      element.scrollIntoView({ block: 'nearest' });
    }
    if (left === 0) return end();
    frame = requestAnimationFrame(look);
  };
  for (const kind of BY_HAND) scroll?.addEventListener(kind, end, { passive: true });
  frame = requestAnimationFrame(look);
  return stop;
};

/** Whether all of it is visible, or as much as fits. */
const isSeen = (element: Element, place: Element): boolean => {
  const [own, room] = [element.getBoundingClientRect(), place.getBoundingClientRect()];
  return own.height > room.height ? own.top < room.bottom && own.bottom > room.top : own.top >= room.top - 1 && own.bottom <= room.bottom + 1;
};

const BY_HAND = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const;
/** How many frames in a row it must stay in place to count as settled. */
const RESTS = 8;
const MOST_FRAMES = 600;
