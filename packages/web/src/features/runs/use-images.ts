import { useCallback, useMemo, useRef, useState } from 'react';
import type { PromptImage } from '../../live/deliveries.ts';
import { imageFrom, roomBeside } from './prompt-image.ts';
import type { Images } from './prompt-images.tsx';

/** PAGE-428: the images of the prompt being written. They exist only in this page. */
export const useImages = (): Images & { readonly putBack: (images: readonly PromptImage[]) => void } => {
  const [all, setAll] = useState<readonly PromptImage[]>([]);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [unread, setUnread] = useState(0);
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
      setUnread((count) => count + files.length);
      for (const file of files) {
        reading.current = reading.current
          .then(() => take(file))
          .catch((cause: unknown) => setRefusal(cause instanceof Error ? cause.message : String(cause)))
          .finally(() => setUnread((count) => count - 1));
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
      clear: (sent) => {
        setRefusal(null);
        set(latest.current.filter((one) => !sent.includes(one)));
      },
      isReading: unread > 0,
      putBack,
      refusal,
    }),
    [all, add, set, putBack, refusal, unread],
  );
};
