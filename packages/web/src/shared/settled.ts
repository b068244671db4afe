import { useEffect, useState } from 'react';

/** The text, once nothing has been typed for a moment. */
export const useSettled = (text: string, ms: number): string => {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), ms);
    return () => clearTimeout(timer);
  }, [text, ms]);
  return settled;
};

/** The pause in typing to wait for. */
export const TYPING_MS = 120;
