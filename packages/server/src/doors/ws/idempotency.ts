import { refusedFor } from '../../operations/request/refusal.ts';
import { keepLatest } from '../../sessions/latest.ts';

/** The effect of a command. */
export type Done = { readonly seq: number; readonly refs: readonly string[]; readonly result: unknown };

/** WIRE-12: accepted commands, by their client-given id, so that a repetition is recognized and not executed again. */
export type Idempotency = {
  /**
   * Does the work unless it was already accepted under this key; a failed one was not accepted. `what` distinguishes a different command under the
   * same key.
   */
  readonly once: (key: string, what: string, work: () => Promise<Done>) => Promise<{ readonly done: Done; readonly isRepeated: boolean }>;
};

export const createIdempotency = (most = MOST): Idempotency => {
  const known = new Map<string, { readonly what: string; readonly done: Promise<Omit<Done, 'result'>> }>();
  return {
    once: async (key, what, work) => {
      const before = known.get(key);
      if (before !== undefined) {
        if (before.what !== what) throw refusedFor('message-id-reused', { id: key.slice(key.lastIndexOf('|') + 1) });
        return { done: { ...(await before.done), result: null }, isRepeated: true };
      }
      const doing = work();
      // Results may be large, and are sent once.
      const kept = doing.then(({ seq, refs }) => ({ seq, refs }));
      keepLatest(known, key, { what, done: kept }, most);
      kept.catch(() => known.delete(key));
      return { done: await doing, isRepeated: false };
    },
  };
};

const MOST = 10_000;
