import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';

export type TalkScroll = {
  readonly scroll: RefObject<HTMLDivElement | null>;
  readonly content: RefObject<HTMLDivElement | null>;
  /** There are new messages below the visible part. */
  readonly hasNews: boolean;
  readonly toEnd: () => void;
};

/** The message at the upper edge and its distance from it. It stays there, whatever is added above it or grows there. */
type Held = { readonly message: Element; readonly distance: number };

/** PAGE-87: a reader at the end stays at the end as messages arrive; a reader elsewhere stays put and gets a notice. */
export const useTalkScroll = (first: string | undefined, last: string | undefined): TalkScroll => {
  const scroll = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const held = useRef<Held | null>(null);
  const seen = useRef(last);
  const [hasNews, setHasNews] = useState(false);

  const hold = useCallback(() => {
    const element = scroll.current;
    if (element === null) return;
    if (isAtEnd.current) element.scrollTop = element.scrollHeight;
    else if (held.current !== null && held.current.message.isConnected) {
      element.scrollTop += distanceOf(element, held.current.message) - held.current.distance;
    }
  }, []);

  const toEnd = useCallback(() => {
    isAtEnd.current = true;
    setHasNews(false);
    hold();
  }, [hold]);

  useEffect(() => {
    const element = scroll.current;
    if (element === null) return undefined;
    const listen = (): void => {
      isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR;
      if (isAtEnd.current) setHasNews(false);
      else held.current = heldIn(element);
    };
    element.addEventListener('scroll', listen, { passive: true });
    // Texts turn into Markdown a moment after they appear, and the box below grows while somebody types.
    const sizes = new ResizeObserver(hold);
    sizes.observe(element);
    if (content.current !== null) sizes.observe(content.current);
    return () => {
      element.removeEventListener('scroll', listen);
      sizes.disconnect();
    };
  }, [hold]);

  useLayoutEffect(hold, [first, hold]);

  useLayoutEffect(() => {
    if (seen.current === last) return;
    seen.current = last;
    if (isAtEnd.current) hold();
    else setHasNews(true);
  }, [last, hold]);

  return { scroll, content, hasNews, toEnd };
};

const distanceOf = (element: Element, message: Element): number => message.getBoundingClientRect().top - element.getBoundingClientRect().top;

/** The first message that reaches below the edge. Messages are stacked, so binary search finds it. */
const heldIn = (element: Element): Held | null => {
  const messages = element.querySelectorAll('.talk-message');
  const edge = element.getBoundingClientRect().top;
  let [low, high] = [0, messages.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((messages[middle]?.getBoundingClientRect().bottom ?? 0) > edge) high = middle;
    else low = middle + 1;
  }
  const message = messages[low];
  return message === undefined ? null : { message, distance: distanceOf(element, message) };
};

const NEAR = 64;
