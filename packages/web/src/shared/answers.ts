import { useCallback, useEffect, useRef, useState } from 'react';
import { useDraft, type SendDraft } from '../live/draft.ts';
import { fitsIn } from '../live/kept-drafts.ts';

/** What happens to the text written in a dialog. */
export type Written = {
  /** It was kept from an earlier visit to the dialog. */
  readonly isFromBefore: boolean;
  readonly isBegun: boolean;
  readonly clear: () => void;
};

export type Answers<T> = {
  readonly answers: T;
  readonly change: (part: Partial<T>) => void;
  readonly written: Written;
  /** Sends it; once done, it is no longer a draft. */
  readonly sent: SendDraft;
};

/**
 * PAGE-178: the input of a dialog so far. It is restored when the dialog is opened again for the same thing. Only changed fields are kept: the others
 * get their current values.
 */
export const useAnswers = <T extends object>(draftKey: string, first: T): Answers<T> => {
  const [parts, write, clear, sent] = useDraft<Partial<T>>(draftKey, {});
  const latest = useRef(parts);
  useEffect(() => {
    latest.current = parts;
  });
  const [isFromBefore, setIsFromBefore] = useState(Object.keys(parts).length > 0);
  const change = useCallback(
    (part: Partial<T>) => {
      latest.current = { ...latest.current, ...part };
      write(latest.current);
    },
    [write],
  );
  return {
    answers: fitsIn(first, { ...first, ...parts }) ? { ...first, ...parts } : first,
    change,
    written: {
      isFromBefore,
      isBegun: Object.keys(parts).length > 0,
      clear: () => {
        setIsFromBefore(false);
        clear();
      },
    },
    sent,
  };
};
