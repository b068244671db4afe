import { useEffect, useState, type KeyboardEvent } from 'react';
import type { AnswerKeys } from './run-answer.tsx';

/** PAGE-423: `a`, `e` and `d` answer the focused request, but never one that appeared less than a second ago. */
export const useAnswerKeys = (keys: () => AnswerKeys | null): ((event: KeyboardEvent) => void) => {
  const [isRead, setIsRead] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsRead(true), GUARD_MS);
    return () => clearTimeout(timer);
  }, []);
  return (event) => {
    // React also bubbles key events out of portals such as menus; ignore those, and keys typed into a form.
    const isElsewhere = !(event.target instanceof Element) || !event.currentTarget.contains(event.target) || event.target.closest('form') !== null;
    const key = event.key.toLowerCase();
    if (
      event.defaultPrevented ||
      isElsewhere ||
      event.repeat ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      (key !== 'a' && key !== 'e' && key !== 'd')
    )
      return;
    const at = keys();
    if (at === null) return;
    event.preventDefault();
    event.stopPropagation();
    if (!isRead) return;
    if (key === 'a') at.allow();
    else if (key === 'e') at.edit();
    else at.deny();
  };
};

const GUARD_MS = 1000;
