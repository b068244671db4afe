import { useEffect, useRef, type RefObject } from 'react';

/** The focused element and its ancestors. From a menu, the path continues with the button that opened it. */
export const placeOfFocus = (): readonly Element[] => {
  const place: Element[] = [];
  for (let at = document.activeElement; at !== null && at !== document.body; at = outOf(at)) place.push(at);
  return place;
};

const outOf = (element: Element): Element | null => {
  const opener = element.getAttribute('role') === 'menu' ? element.getAttribute('aria-labelledby') : null;
  return (opener === null ? null : document.getElementById(opener)) ?? element.parentElement;
};

/** Returns the focus to where it was or, if that is gone, to the nearest element. */
export const focusAgain = (place: readonly Element[]): void => {
  const [before] = place;
  if (before instanceof HTMLElement && before.isConnected) return before.focus();
  for (const around of place) {
    const near = around.isConnected ? (around.matches(REACHED) ? around : around.querySelector(REACHED)) : null;
    if (near instanceof HTMLElement) return near.focus({ preventScroll: true });
  }
};

const REACHED = 'a[href], :is(button, input, textarea, select):not([disabled]), [tabindex="0"]';

/**
 * Used as `ref` of a container whose buttons disappear when pressed: without it, keyboard users would be sent back to the top of the page. Rows of a
 * virtual list disappear for another reason; their container does without it.
 */
export const useKeptFocus = <T extends HTMLElement = HTMLDivElement>(): RefObject<T | null> => {
  const ref = useRef<T>(null);
  useEffect(() => {
    const root = ref.current;
    if (root === null) return undefined;
    let place: readonly Element[] = [];
    const remember = (): void => {
      place = placeOfFocus();
    };
    const forget = ({ relatedTarget }: FocusEvent): void => {
      if (relatedTarget !== null) place = [];
      // A click elsewhere has moved the focus on purpose; elements being removed are still there now, and not a moment later.
      queueMicrotask(() => {
        if (place[0]?.isConnected === true && document.hasFocus() && document.activeElement === document.body) place = [];
      });
    };
    const keep = new MutationObserver(() => {
      if (place[0]?.isConnected !== false || document.activeElement !== document.body) return;
      const lost = place;
      place = [];
      focusAgain(lost);
    });
    root.addEventListener('focusin', remember);
    root.addEventListener('focusout', forget);
    keep.observe(root, { childList: true, subtree: true });
    return () => {
      keep.disconnect();
      root.removeEventListener('focusin', remember);
      root.removeEventListener('focusout', forget);
    };
  }, []);
  return ref;
};
