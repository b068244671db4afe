import { useLayoutEffect, useRef, type RefObject } from 'react';

/** A ref to the latest value, for callbacks that must stay the same while the value changes. */
export const useLatest = <T>(value: T): RefObject<T> => {
  const latest = useRef(value);
  useLayoutEffect(() => {
    latest.current = value;
  });
  return latest;
};
