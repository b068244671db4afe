import type { FamilyEvent, Recorded } from '../messages/catalogue.ts';
import type { Table } from './tables.ts';

/** The operator's labels of a session. */
export type SessionLabels = {
  readonly sessionId: string;
  readonly isPinned: boolean;
  readonly isHidden: boolean;
  readonly name: string | null;
  readonly note: string | null;
  readonly tags: readonly string[];
};

type Labelled = { readonly sessionLabels: Table<SessionLabels> };

export const labelsOf = (board: Labelled, sessionId: string): SessionLabels =>
  board.sessionLabels.get(sessionId) ?? { sessionId, isPinned: false, isHidden: false, name: null, note: null, tags: [] };

export const labelEvents: { readonly [T in FamilyEvent<'labels'>]: (board: Labelled, event: Recorded<T>) => void } = {
  'session.labelled': (board, { payload: { sessionId, ...changed } }) => {
    // LABEL-3: a forgotten entry says nothing about any session.
    if (sessionId === '') return;
    const before = labelsOf(board, sessionId);
    board.sessionLabels.set(sessionId, {
      sessionId,
      isPinned: changed.isPinned ?? before.isPinned,
      isHidden: changed.isHidden ?? before.isHidden,
      name: changed.name === undefined ? before.name : changed.name,
      note: changed.note === undefined ? before.note : changed.note,
      tags: changed.tags ?? before.tags,
    });
  },
};
