import { useCallback, useState } from 'react';

/** What a form was answered so far, and how to change some of it. */
export const useAnswers = <T extends object>(first: T): readonly [T, (change: Partial<T>) => void] => {
  const [answers, setAnswers] = useState(first);
  const change = useCallback((part: Partial<T>) => setAnswers((at) => ({ ...at, ...part })), []);
  return [answers, change];
};
