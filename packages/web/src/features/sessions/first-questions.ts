import type { Live } from '../../live/live.ts';
import { firstInput } from './flow-pages.ts';
import type { SessionAddress } from './session-address.ts';

/**
 * Sends a session page's first requests, in the order the reader needs the answers. The session's facts come last, because they make the server read
 * the whole session.
 */
export const askFirst = (ask: Live['ask'], { sessionId, at, thread, through }: SessionAddress): void => {
  void ask('conversation', firstInput({ sessionId, thread: 'main', through }, thread === null ? at : null));
  if (thread !== null) void ask('conversation', firstInput({ sessionId, thread, through: null }, at));
  void ask('session', { id: sessionId });
};
