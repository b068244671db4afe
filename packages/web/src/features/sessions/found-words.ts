import { useEffect, type RefObject } from 'react';

/** PAGE-151: marks words in what is shown, without a change to it; they stay marked as it is drawn again. */
export const useFoundWords = (place: RefObject<HTMLElement | null>, selector: string | null, words: readonly string[]): void => {
  const name = words.join('\n');
  useEffect(() => {
    const root = place.current;
    // Not every browser can; there the step is marked, as ever.
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

/** What scrolls inside shows what was found in it. */
const bringIntoSight = (place: Element, range: Range): void => {
  const [box, found] = [place.getBoundingClientRect(), range.getBoundingClientRect()];
  if (found.top < box.top || found.bottom > box.bottom) place.scrollTop += found.top - box.top - box.height / 3;
};

/** Where words stand in an element, in lower or upper case. */
export const rangesIn = (element: Element, words: readonly string[]): readonly Range[] => {
  const ranges: Range[] = [];
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null && ranges.length < MOST; node = texts.nextNode()) {
    const text = node.textContent?.toLowerCase() ?? '';
    for (const word of words) {
      for (let at = text.indexOf(word); at >= 0 && word !== '' && ranges.length < MOST; at = text.indexOf(word, at + word.length)) {
        // Some letters have another length in lower case.
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
