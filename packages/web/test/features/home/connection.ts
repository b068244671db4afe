import { WebSocket } from 'ws';
import { createLive, type Live } from '../../../src/live/live.ts';

/** A connection of a page to a server, as whoever has this token. Whoever makes it closes it. */
export const connectAs = (serverUrl: string, token: string | null): Live =>
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
