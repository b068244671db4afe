import type { SessionRow } from '@yarnboard/store';
import type { PendingSession } from '../../ingest/ingest.ts';
import type { Conversation } from '../../sessions/conversation.ts';
import { loggedConversation } from '../../sessions/logged-conversation.ts';
import { pendingConversation } from '../../sessions/pending-conversation.ts';
import type { Desk } from '../desk.ts';
import { Refused } from './refusal.ts';

export type FoundSession = { readonly kind: 'imported'; readonly row: SessionRow } | { readonly kind: 'pending'; readonly pending: PendingSession };

/** API-10: the session that is meant by an id or its first characters. While its file is still being read, the file is what counts. */
export const findSession = async (desk: Desk, wanted: string): Promise<FoundSession> => {
  const exact = await sessionCalled(desk, wanted);
  if (exact !== null) return exact;
  // Ids that are uuids may be typed in any case; others are taken as they stand.
  const ids = new Set<string>();
  for (const prefix of new Set([wanted, wanted.toLowerCase()])) {
    for (const id of await desk.store.library.sessionsLike(prefix, MOST_NAMED)) ids.add(id);
    for (const { group } of desk.pending()) if (group.sessionId.startsWith(prefix)) ids.add(group.sessionId);
  }
  const [only] = ids;
  const found = only === undefined || ids.size > 1 ? null : await sessionCalled(desk, only);
  if (found !== null) return found;
  if (ids.size > 1)
    throw new Refused('ambiguous', `"${wanted}" fits several sessions: ${[...ids].slice(0, MOST_NAMED - 1).join(', ')}; give more of the id`);
  throw new Refused('not-found', `there is no session "${wanted}"; GET /api/v1/sessions lists them`);
};

/** The same, without the row of a session that was read before and is called by its whole id: whoever looks at one asks for it again and again. */
export const placeOfSession = async (desk: Desk, wanted: string): Promise<FoundSession | { readonly kind: 'kept'; readonly sessionId: string }> => {
  const isPending = desk.pending().some(({ group }) => group.sessionId === wanted);
  return !isPending && desk.sessions.isKept(wanted) ? { kind: 'kept', sessionId: wanted } : findSession(desk, wanted);
};

export const sessionIdOf = (found: FoundSession): string => (found.kind === 'imported' ? found.row.sessionId : found.pending.group.sessionId);

export const openConversation = async (desk: Desk, wanted: string): Promise<Conversation> => {
  const found = await findSession(desk, wanted);
  if (found.kind === 'imported') return loggedConversation(desk.store, desk.sessions, found.row.sessionId);
  return pendingConversation(
    desk.sessions.loadPending(found.pending),
    async (position) => (await desk.store.library.messageAt(position))?.uuid ?? null,
  );
};

const sessionCalled = async (desk: Desk, sessionId: string): Promise<FoundSession | null> => {
  const waiting = desk.pending().find((one) => one.group.sessionId === sessionId);
  if (waiting !== undefined) return { kind: 'pending', pending: waiting };
  const row = await desk.store.library.session(sessionId);
  return row === null ? null : { kind: 'imported', row };
};

const MOST_NAMED = 6;
