import { useDraft } from '../../live/draft.ts';
import type { Run } from '../../live/run-news.ts';

/** An unsaved edit of a queued prompt; `before` is the text when editing began. */
export type Change = { readonly uuid: string; readonly before: string; readonly words: string };

export type Changes = {
  readonly all: readonly Change[];
  readonly write: (change: Change) => void;
  readonly drop: (uuid: string) => void;
};

/**
 * PAGE-424: the user's edits of queued prompts in a session. They survive a reload, and also the prompt itself, which Claude may read at any moment.
 */
export const useChanges = (sessionId: string): Changes => {
  const [{ list }, write] = useDraft<{ readonly list: readonly Change[] }>(`changes/${sessionId}`, NOTHING);
  const without = (uuid: string): readonly Change[] => list.filter((one) => one.uuid !== uuid);
  return {
    all: list,
    write: (change) => write({ list: [...without(change.uuid), change] }),
    drop: (uuid) => write({ list: without(uuid) }),
  };
};

/** Edits that can no longer be saved. */
export const lostChanges = (all: readonly Change[], run: Pick<Run, 'state' | 'queued'> | null): readonly Change[] =>
  all.filter(
    ({ uuid, before, words }) =>
      words.trim() !== '' &&
      words.trim() !== before.trim() &&
      (run === null || run.state === 'ended' || !run.queued.some((one) => one.uuid === uuid)),
  );

const NOTHING: { readonly list: readonly Change[] } = { list: [] };
export const NO_CHANGES: Changes = { all: [], write: () => {}, drop: () => {} };
