import { useEffect, useState } from 'react';

/** Whether the screen is too narrow for two conversations next to each other. */
export const useNarrow = (): boolean => {
  const [isNarrow, setIsNarrow] = useState(() => matchMedia(NARROW).matches);
  useEffect(() => {
    const query = matchMedia(NARROW);
    const listen = (): void => setIsNarrow(query.matches);
    query.addEventListener('change', listen);
    return () => query.removeEventListener('change', listen);
  }, []);
  return isNarrow;
};

const NARROW = '(max-width: 64rem)';
