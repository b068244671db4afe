/**
 * Brings something that stands low in a long step into sight, once the conversation has come to rest at that step: while it does, it takes the scroll back.
 * Whoever scrolls meanwhile is left where he is. `onDone` is told when it is over, one way or the other.
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

/** All of it, or as much as there is room for. */
const isSeen = (element: Element, place: Element): boolean => {
  const [own, room] = [element.getBoundingClientRect(), place.getBoundingClientRect()];
  return own.height > room.height ? own.top < room.bottom && own.bottom > room.top : own.top >= room.top - 1 && own.bottom <= room.bottom + 1;
};

const BY_HAND = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const;
/** Pictures, one after the other, in which it stood where it stands. */
const RESTS = 8;
const MOST_FRAMES = 600;
