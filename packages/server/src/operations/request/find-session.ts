import { hasSecrets } from '@yarnboard/domain';
import type { SessionRow, Store } from '@yarnboard/store';
import type { PendingSession } from '../../ingest/ingest.ts';
import type { Conversation } from '../../sessions/conversation.ts';
import { loggedConversation } from '../../sessions/logged-conversation.ts';
import { pendingConversation } from '../../sessions/pending-conversation.ts';
import type { SessionLoader } from '../../sessions/session-loader.ts';
import { refusedFor } from './refusal.ts';

/** Where to look up sessions by name. */
export type SessionNames = {
  readonly store: { readonly library: Pick<Store['library'], 'session' | 'sessionsLike'> };
  /** Sessions whose files are still being imported. */
  readonly pending: () => readonly PendingSession[];
};

/** Where to look up and read sessions, from the log or from their files. */
export type SessionReading = SessionNames & { readonly store: Store; readonly sessions: SessionLoader };

export type FoundSession = { readonly kind: 'imported'; readonly row: SessionRow } | { readonly kind: 'pending'; readonly pending: PendingSession };

/** API-10: finds a session by its id or the start of it. While its file is still being imported, the file wins. */
export const findSession = async (needs: SessionNames, wanted: string): Promise<FoundSession> => {
  const exact = await sessionCalled(needs, wanted);
  if (exact !== null) return exact;
  // Uuids may be typed in any case; other ids must match exactly.
  const ids = new Set<string>();
  for (const prefix of new Set([wanted, wanted.toLowerCase()])) {
    for (const id of await needs.store.library.sessionsLike(prefix, MOST_NAMED)) ids.add(id);
    for (const { group } of needs.pending()) if (group.sessionId.startsWith(prefix)) ids.add(group.sessionId);
  }
  // SEC-26: a masked id must be given whole; matching prefixes would let someone guess it letter by letter.
  for (const id of ids) if (hasSecrets(id)) ids.delete(id);
  const [only] = ids;
  const found = only === undefined || ids.size > 1 ? null : await sessionCalled(needs, only);
  if (found !== null) return found;
  if (ids.size > 1) throw refusedFor('several-sessions', { asked: wanted, ids: [...ids].slice(0, MOST_NAMED - 1) });
  throw refusedFor('unknown-session', { asked: wanted });
};

/** The same, but skips the row of a loaded session named by its full id: a viewer asks for the same one again and again. */
export const placeOfSession = async (
  needs: SessionReading,
  wanted: string,
): Promise<FoundSession | { readonly kind: 'kept'; readonly sessionId: string }> => {
  const isPending = needs.pending().some(({ group }) => group.sessionId === wanted);
  return !isPending && needs.sessions.isKept(wanted) ? { kind: 'kept', sessionId: wanted } : findSession(needs, wanted);
};

export const sessionIdOf = (found: FoundSession): string => (found.kind === 'imported' ? found.row.sessionId : found.pending.group.sessionId);

export const openConversation = async (needs: SessionReading, wanted: string): Promise<Conversation> => {
  const found = await findSession(needs, wanted);
  if (found.kind === 'imported') return loggedConversation(needs.store, needs.sessions, found.row.sessionId);
  return pendingConversation(
    await needs.sessions.loadPending(found.pending),
    async (position) => (await needs.store.library.messageAt(position))?.uuid ?? null,
  );
};

const sessionCalled = async (needs: SessionNames, sessionId: string): Promise<FoundSession | null> => {
  const waiting = needs.pending().find((one) => one.group.sessionId === sessionId);
  if (waiting !== undefined) return { kind: 'pending', pending: waiting };
  const row = await needs.store.library.session(sessionId);
  return row === null ? null : { kind: 'imported', row };
};

const MOST_NAMED = 6;
