import type { Live } from '../../live/live.ts';
import { firstInput } from './flow-pages.ts';
import type { SessionAddress } from './session-address.ts';

/** A session page's first requests, what is read first coming first. The facts make the server read the whole session, so they are last. */
export const askFirst = (ask: Live['ask'], { sessionId, at, thread, through }: SessionAddress): void => {
  void ask('conversation', firstInput({ sessionId, thread: 'main', through }, thread === null ? at : null));
  if (thread !== null) void ask('conversation', firstInput({ sessionId, thread, through: null }, at));
  void ask('session', { id: sessionId });
};
