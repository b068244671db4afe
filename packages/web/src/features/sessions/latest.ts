import { useLayoutEffect, useRef, type RefObject } from 'react';

/** What was given last, for what must stay the same while that changes. */
export const useLatest = <T>(value: T): RefObject<T> => {
  const latest = useRef(value);
  useLayoutEffect(() => {
    latest.current = value;
  });
  return latest;
};
