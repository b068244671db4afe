import { useEffect, type RefObject } from 'react';

/** PAGE-151: highlights words in the displayed text without changing it; the highlight survives re-rendering. */
export const useFoundWords = (place: RefObject<HTMLElement | null>, selector: string | null, words: readonly string[]): void => {
  const name = words.join('\n');
  useEffect(() => {
    const root = place.current;
    // Not every browser supports this; there only the step is marked.
    if (root === null || selector === null || name === '' || !('highlights' in CSS)) return undefined;
    let shown: Element | null = null;
    const mark = (): void => {
      const ranges = [...root.querySelectorAll(selector)].flatMap((one) => rangesIn(one, name.split('\n')));
      CSS.highlights.set(NAME, new Highlight(...ranges));
      const place = ranges[0]?.startContainer.parentElement?.closest('[role=group]') ?? null;
      if (place !== null && place !== shown && ranges[0] !== undefined) bringIntoSight(place, ranges[0]);
      shown = place;
    };
    mark();
    const changes = new MutationObserver(mark);
    changes.observe(root, { childList: true, subtree: true, characterData: true });
    return () => {
      changes.disconnect();
      CSS.highlights.delete(NAME);
    };
  }, [place, selector, name]);
};

/** Also scrolls any scrollable element inside the step. */
const bringIntoSight = (place: Element, range: Range): void => {
  const [box, found] = [place.getBoundingClientRect(), range.getBoundingClientRect()];
  if (found.top < box.top || found.bottom > box.bottom) place.scrollTop += found.top - box.top - box.height / 3;
};

/** The occurrences of words in an element, ignoring case. */
export const rangesIn = (element: Element, words: readonly string[]): readonly Range[] => {
  const ranges: Range[] = [];
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null && ranges.length < MOST; node = texts.nextNode()) {
    const text = node.textContent?.toLowerCase() ?? '';
    for (const word of words) {
      for (let at = text.indexOf(word); at >= 0 && word !== '' && ranges.length < MOST; at = text.indexOf(word, at + word.length)) {
        // Some letters change their length in lower case.
        if (at + word.length > (node.textContent?.length ?? 0)) break;
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + word.length);
        ranges.push(range);
      }
    }
  }
  return ranges;
};

const NAME = 'found-words';
const MOST = 2000;
