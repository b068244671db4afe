import { useEffect, useRef, useState } from 'react';
import { TYPING_MS, useSettled } from './settled.ts';

/**
 * Text that is mirrored in the address once typing pauses. Going back restores earlier text; one's own changes to the address don't interrupt typing.
 */
export const useTypedText = (value: string, onSettled: (text: string) => void): readonly [text: string, type: (text: string) => void] => {
  const [text, setText] = useState(value);
  const settled = useSettled(text, TYPING_MS);
  const written = useRef(value);
  useEffect(() => {
    if (settled === written.current) return;
    written.current = settled;
    onSettled(settled);
    // `onSettled` is new on every render, and reads the current address.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [settled]);
  useEffect(() => {
    if (value === written.current) return;
    written.current = value;
    setText(value);
  }, [value]);
  return [text, setText];
};
