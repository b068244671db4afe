import type { MessageRow, SessionRow } from '@yarnboard/store';
import { takenBackIn, type Session } from '@yarnboard/transcript';
import type { SessionLoader } from './session-loader.ts';

/** BACK-4: the positions of messages that their tool has taken back, or deleted with their whole session. */
export const takenBackAmong = async (
  loader: Pick<SessionLoader, 'load'>,
  messages: ReadonlyMap<number, Pick<MessageRow, 'uuid' | 'sessionId'>>,
  sessions: ReadonlyMap<string, Pick<SessionRow, 'inTool' | 'takebacks'>>,
): Promise<ReadonlySet<number>> => {
  const found = new Set<number>();
  const taken = new Map<string, ReadonlySet<string>>();
  for (const [position, { uuid, sessionId }] of messages) {
    const session = sessions.get(sessionId);
    if (session?.inTool === 'deleted') found.add(position);
    // Almost no session has takebacks; only those that do are read in full.
    if ((session?.takebacks ?? 0) === 0) continue;
    const uuids = taken.get(sessionId) ?? (await uuidsIn(loader, sessionId));
    taken.set(sessionId, uuids);
    if (uuids.has(uuid)) found.add(position);
  }
  return found;
};

const uuidsIn = async (loader: Pick<SessionLoader, 'load'>, sessionId: string): Promise<ReadonlySet<string>> => {
  const { session, position } = await loader.load(sessionId);
  const known = KNOWN.get(session);
  if (known !== undefined && known.position === position) return known.uuids;
  const uuids = new Set([...takenBackIn(session)].map(({ uuid }) => uuid));
  KNOWN.set(session, { position, uuids });
  return uuids;
};

/** Results for cached sessions: typing a query asks for them with every letter. */
const KNOWN = new WeakMap<Session, { readonly position: number | null; readonly uuids: ReadonlySet<string> }>();
