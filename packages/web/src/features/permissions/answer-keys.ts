import { useEffect, useState, type KeyboardEvent } from 'react';
import type { AnswerKeys } from './run-answer.tsx';

/** PAGE-423: `a`, `e` and `d` on the request that has the focus; none of them answers what came into sight less than a second ago. */
export const useAnswerKeys = (keys: () => AnswerKeys | null): ((event: KeyboardEvent) => void) => {
  const [isRead, setIsRead] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsRead(true), GUARD_MS);
    return () => clearTimeout(timer);
  }, []);
  return (event) => {
    // What opens over the page, as a menu does, tells its keys to whoever opened it; in a form a key is no answer beside it.
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
