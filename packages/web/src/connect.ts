import { askFirst } from './features/sessions/first-questions.ts';
import { sessionAddress } from './features/sessions/session-address.ts';
import { withAnswersAhead } from './live/answers-ahead.ts';
import { createLive, type Live, type LiveOptions } from './live/live.ts';
import { enter, redeemWith } from './live/token.ts';
import { partsOf, type Views } from './views.ts';

export type Connected = {
  readonly live: Live;
  /** Why the link did not sign the user in. */
  readonly trouble: string | null;
};

export type Line = Pick<LiveOptions, 'url' | 'WebSocket'> & { readonly views: Views };

/** Connects, and asks what the first view will ask. It is separate from everything that renders, so that the server answers while that code loads. */
export const connect = async ({ url, WebSocket, views }: Line): Promise<Connected> => {
  const { token, trouble } = await enter({ location, history, storage: localStorage, redeem: redeemWith(fetch.bind(globalThis)) });
  const live = createLive({
    url,
    WebSocket,
    token,
    storage: sessionStorage,
    now: () => Date.now(),
    newId: () => crypto.randomUUID(),
    later,
    random: () => Math.random(),
    onTrouble: (what) => console.warn(`yarnboard: ${what}`),
  });
  return { live: askingAhead(live, views), trouble };
};

const askingAhead = (live: Live, views: Views): Live => {
  const sessionId = partsOf(views.session, location.pathname)?.['id'];
  if (sessionId === undefined) return live;
  const address = sessionAddress(sessionId, new URLSearchParams(location.search));
  return withAnswersAhead(live, { sessionId, later, questions: (ask) => askFirst(ask, address) });
};

const later = (ms: number, work: () => void): (() => void) => {
  const timer = setTimeout(work, ms);
  return () => clearTimeout(timer);
};
