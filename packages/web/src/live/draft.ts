import { useCallback, useState } from 'react';
import { useLive } from './hooks.tsx';

/** What somebody is writing. It outlives the view it is written in: whoever looks something up elsewhere finds it again. */
export const useDraft = <T>(key: string, first: T): readonly [T, (next: T) => void, () => void] => {
  const { queries } = useLive();
  const [empty] = useState(first);
  const [draft, setDraft] = useState<T>(() => queries.getQueryData<T>(['draft', key]) ?? empty);
  const write = useCallback(
    (next: T) => {
      queries.setQueryDefaults(['draft'], { gcTime: Infinity });
      queries.setQueryData(['draft', key], next);
      setDraft(next);
    },
    [queries, key],
  );
  const clear = useCallback(() => {
    queries.removeQueries({ queryKey: ['draft', key] });
    setDraft(empty);
  }, [queries, key, empty]);
  return [draft, write, clear];
};
