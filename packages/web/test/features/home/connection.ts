import { WebSocket } from 'ws';
import { createLive, type Live } from '../../../src/live/live.ts';

/** Another connection to the server of a page, as whoever has this token. Whoever makes it closes it. */
export const connectAs = (serverUrl: string, token: string): Live =>
  createLive({
    url: `${serverUrl.replace(/^http/u, 'ws')}/ws`,
    WebSocket,
    token,
    now: () => Date.now(),
    newId: () => crypto.randomUUID(),
    later: (ms, work) => {
      const timer = setTimeout(work, ms);
      return () => clearTimeout(timer);
    },
    random: () => Math.random(),
  });
