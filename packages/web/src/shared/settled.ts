import { useEffect, useState } from 'react';

/** What is typed, once nothing has been typed for a moment. */
export const useSettled = (text: string, ms: number): string => {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), ms);
    return () => clearTimeout(timer);
  }, [text, ms]);
  return settled;
};

/** How long somebody who types is waited for. */
export const TYPING_MS = 120;
