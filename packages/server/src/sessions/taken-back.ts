import type { MessageRow, SessionRow } from '@yarnboard/store';
import { takenBackIn, type Session } from '@yarnboard/transcript';
import type { SessionLoader } from './session-loader.ts';

/** BACK-4: the messages, by their positions, that their tool has taken back, or with their whole session deleted. */
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
    // Hardly any session has some, and only then all of it is read.
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

/** What was found of a session that is kept: who types a query asks for it with every letter. */
const KNOWN = new WeakMap<Session, { readonly position: number | null; readonly uuids: ReadonlySet<string> }>();
