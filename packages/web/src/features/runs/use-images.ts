import { useCallback, useMemo, useRef, useState } from 'react';
import { imageFrom, roomBeside, type PromptImage } from './prompt-image.ts';
import type { Images } from './prompt-images.tsx';

/** PAGE-428: the images of the prompt being written. They exist only in this page. */
export const useImages = (): Images & { readonly putBack: (images: readonly PromptImage[]) => void } => {
  const [all, setAll] = useState<readonly PromptImage[]>([]);
  const [refusal, setRefusal] = useState<string | null>(null);
  const latest = useRef(all);
  const set = useCallback((next: readonly PromptImage[]) => {
    latest.current = next;
    setAll(next);
  }, []);
  // One after another: each needs to know how much room is left.
  const reading = useRef(Promise.resolve());
  const take = useCallback(
    async (file: File) => {
      const taken = await imageFrom(file, roomBeside(latest.current));
      if ('image' in taken) set([...latest.current, taken.image]);
      else setRefusal(taken.why);
    },
    [set],
  );
  const add = useCallback(
    (files: readonly File[]) => {
      setRefusal(null);
      for (const file of files) {
        reading.current = reading.current
          .then(() => take(file))
          .catch((cause: unknown) => setRefusal(cause instanceof Error ? cause.message : String(cause)));
      }
    },
    [take],
  );
  const putBack = useCallback((images: readonly PromptImage[]) => set([...images, ...latest.current]), [set]);
  return useMemo(
    () => ({
      all,
      add,
      drop: (image) => set(latest.current.filter((one) => one !== image)),
      clear: () => {
        setRefusal(null);
        set([]);
      },
      putBack,
      refusal,
    }),
    [all, add, set, putBack, refusal],
  );
};
