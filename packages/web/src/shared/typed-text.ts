import { useEffect, useRef, useState } from 'react';
import { TYPING_MS, useSettled } from './settled.ts';

/**
 * What somebody types of something that stands in the address. The address follows once nothing has been typed for a moment. Whoever goes back finds what was
 * asked there; whoever types is not interrupted by their own address.
 */
export const useTypedText = (value: string, onSettled: (text: string) => void): readonly [text: string, type: (text: string) => void] => {
  const [text, setText] = useState(value);
  const settled = useSettled(text, TYPING_MS);
  const written = useRef(value);
  useEffect(() => {
    if (settled === written.current) return;
    written.current = settled;
    onSettled(settled);
    // `onSettled` is new every time, and reads the address as it then is.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [settled]);
  useEffect(() => {
    if (value === written.current) return;
    written.current = value;
    setText(value);
  }, [value]);
  return [text, setText];
};
