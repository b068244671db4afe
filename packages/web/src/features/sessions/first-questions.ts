import type { Live } from '../../live/live.ts';
import { firstInput } from './flow-pages.ts';
import type { SessionAddress } from './session-address.ts';

/** What a session's page asks as soon as it is there; what is to be read first. The facts above it make the server read the session as a whole. */
export const askFirst = (ask: Live['ask'], { sessionId, at, thread, through }: SessionAddress): void => {
  void ask('conversation', firstInput({ sessionId, thread: 'main', through }, thread === null ? at : null));
  if (thread !== null) void ask('conversation', firstInput({ sessionId, thread, through: null }, at));
  void ask('session', { id: sessionId });
};
