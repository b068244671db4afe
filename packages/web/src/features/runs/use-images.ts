import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { PromptImage } from '../../live/deliveries.ts';
import { useDraft } from '../../live/draft.ts';
import { IMAGE_ROOM } from '../../live/kept-drafts.ts';
import { imageFrom, roomBeside } from './prompt-image.ts';
import type { Images } from './prompt-images.tsx';

/** PAGE-428: the images of the prompt being written, kept in this tab like its text. */
export const useImages = (draftKey: string): Images & { readonly putBack: (images: readonly PromptImage[]) => void } => {
  const [{ all }, write] = useDraft<{ readonly all: readonly PromptImage[] }>(`images/${draftKey}`, NONE, IMAGE_ROOM);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [unread, setUnread] = useState(0);
  const latest = useRef(all);
  useEffect(() => {
    latest.current = all;
  }, [all]);
  const set = useCallback(
    (next: readonly PromptImage[]) => {
      latest.current = next;
      write({ all: next });
    },
    [write],
  );
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
      drop: (image) => set(without(latest.current, [image])),
      clear: (sent) => {
        setRefusal(null);
        set(without(latest.current, sent));
      },
      isReading: unread > 0,
      putBack,
      refusal,
    }),
    [all, add, set, putBack, refusal, unread],
  );
};

const NONE: { readonly all: readonly PromptImage[] } = { all: [] };

/** By what they are: a stored image comes back as another object. Of two that are the same, only one is removed. */
const without = (all: readonly PromptImage[], gone: readonly PromptImage[]): readonly PromptImage[] =>
  gone.reduce((left, image) => {
    const at = left.findIndex(({ name, data }) => name === image.name && data === image.data);
    return at === -1 ? left : left.toSpliced(at, 1);
  }, all);
