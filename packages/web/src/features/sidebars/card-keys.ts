import type { Virtualizer } from '@tanstack/react-virtual';
import { useEffect, type RefObject } from 'react';

/** PAGE-82: moves up, down, to the first and to the last card, whether they are drawn or not. */
export const useCardKeys = (scroll: RefObject<HTMLDivElement | null>, count: number, rows: Virtualizer<HTMLDivElement, Element>): void => {
  useEffect(() => {
    const element = scroll.current;
    if (element === null) return undefined;
    const listen = (event: KeyboardEvent): void => {
      const row = event.target instanceof Element ? event.target.closest('[data-index]') : null;
      const to = nextOf(event.key, Number(row?.getAttribute('data-index') ?? 0), count);
      if (row === null || to === null) return;
      event.preventDefault();
      rows.scrollToIndex(to, { align: 'auto' });
      focusRow(element, to, MOST_TRIES);
    };
    element.addEventListener('keydown', listen);
    return () => element.removeEventListener('keydown', listen);
  }, [scroll, count, rows]);
};

const nextOf = (key: string, at: number, count: number): number | null => {
  switch (key) {
    case 'ArrowDown':
      return Math.min(at + 1, count - 1);
    case 'ArrowUp':
      return Math.max(at - 1, 0);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
};

/** A row far away is drawn a moment after scrolling to it. */
const focusRow = (element: HTMLElement, n: number, tries: number): void => {
  const link = element.querySelector<HTMLElement>(`[data-index="${n}"] .sidebar-card-link`);
  if (link !== null) link.focus();
  else if (tries > 0) requestAnimationFrame(() => focusRow(element, n, tries - 1));
};

const MOST_TRIES = 30;
