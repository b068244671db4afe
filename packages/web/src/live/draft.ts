import type { Outcome } from '@yarnboard/protocol';
import { useCallback, useEffect, useState } from 'react';
import { createKeptDrafts, fitsIn, TEXT_ROOM, type DraftOwner, type DraftRoom, type DraftStorage } from './kept-drafts.ts';
import { useActor, useAsk, useLive } from './hooks.tsx';
import { refusalIn } from './refusal.ts';

/** Does something with the text; resolves to the outcome, or to whether it was done. */
export type SendDraft = <R extends boolean | Outcome<unknown>>(send: () => Promise<R>) => Promise<R>;

/**
 * A draft that outlives its view and a reload of the page, so that it is still there after looking something up elsewhere. Sent text is no longer a
 * draft; it becomes one again only if sending failed (`sent`).
 */
export const useDraft = <T>(
  key: string,
  first: T,
  room: DraftRoom = TEXT_ROOM,
): readonly [draft: T, write: (next: T) => void, clear: () => void, sent: SendDraft] => {
  const { queries } = useLive();
  const owner = useOwner();
  const [empty] = useState(first);
  const [kept] = useState(() => createKeptDrafts(tabStorage(), room));
  const find = (): T | undefined => {
    const here = queries.getQueryData<T>(['draft', key]);
    if (here !== undefined || owner === null) return here;
    const found = kept.read(owner, key);
    return fitsIn(empty, found) ? withAll(empty, found) : undefined;
  };
  const [draft, setDraft] = useState<T>(() => find() ?? empty);
  const board = owner?.board;
  const actor = owner?.actor;

  const hold = useCallback(
    (next: T) => {
      queries.setQueryDefaults(['draft'], { gcTime: Infinity });
      queries.setQueryData(['draft', key], next);
    },
    [queries, key],
  );
  const store = useCallback(
    (next: T | undefined) => {
      if (board === undefined || actor === undefined) return;
      const isNothing = next === undefined || JSON.stringify(next) === JSON.stringify(empty);
      kept.write({ board, actor }, key, isNothing ? undefined : next);
    },
    [kept, board, actor, key, empty],
  );

  // The author and the board may be known a moment after the form appears.
  useEffect(() => {
    const found = find();
    if (found === undefined) return;
    hold(found);
    setDraft(found);
    // Only when they become known, not whenever the text changes.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [board, actor, key]);

  const write = useCallback(
    (next: T) => {
      hold(next);
      store(next);
      setDraft(next);
    },
    [hold, store],
  );
  const clear = useCallback(() => {
    queries.removeQueries({ queryKey: ['draft', key] });
    store(undefined);
    setDraft(empty);
  }, [queries, store, key, empty]);
  const sent: SendDraft = useCallback(
    async (send) => {
      const written = queries.getQueryData<T>(['draft', key]);
      // PAGE-140: waiting commands are stored separately; keeping the draft as well would send it twice.
      store(undefined);
      const became = await send();
      if (became === true || (typeof became === 'object' && refusalIn(became) === null)) clear();
      else if (written !== undefined) write(written);
      return became;
    },
    [queries, key, store, clear, write],
  );
  return [draft, write, clear, sent];
};

/** PAGE-143: a draft is for nobody else, and for no other board. */
const useOwner = (): DraftOwner | null => {
  const actor = useActor();
  const { data } = useAsk('status', {}, { staleMs: 60_000 });
  return actor === null || data === undefined ? null : { board: data.board, actor: actor.id };
};

/** Null if the browser stores nothing for this page. */
const tabStorage = (): DraftStorage | null => {
  try {
    return globalThis.sessionStorage;
  } catch {
    return null; // it says so by throwing; a draft then lives in the page only
  }
};

/** Fields that an older version of the page didn't have get their initial values. */
const withAll = <T>(empty: T, found: T): T => (typeof empty === 'object' && empty !== null && !Array.isArray(empty) ? { ...empty, ...found } : found);
