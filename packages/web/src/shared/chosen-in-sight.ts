import { useEffect, useRef, type RefObject } from 'react';

/** Scrolls a list, and nothing around it, so that its chosen entry is in sight. */
export const useChosenInSight = (chosen: number, count: number): RefObject<HTMLDivElement | null> => {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const box = list.current;
    const one = box?.children[chosen];
    if (box === null || !(one instanceof HTMLElement)) return;
    const below = one.offsetTop + one.offsetHeight - box.clientHeight;
    if (one.offsetTop < box.scrollTop) box.scrollTop = one.offsetTop;
    else if (below > box.scrollTop) box.scrollTop = below;
  }, [chosen, count]);
  return list;
};
