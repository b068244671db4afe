/** PAGE-122: begins to connect before it is known what will be said: the first socket that is made to this address is the one that waits already. */
export const socketAhead = (Sockets: typeof WebSocket, url: string): typeof WebSocket => {
  let ahead: WebSocket | null = new Sockets(url);
  return new Proxy(Sockets, {
    construct: (_, [asked]: [string]) => {
      const socket = ahead;
      ahead = null;
      if (socket === null || asked !== url || socket.readyState > Sockets.OPEN) return new Sockets(asked);
      // Who listens from now on has not heard it.
      if (socket.readyState === Sockets.OPEN) queueMicrotask(() => socket.dispatchEvent(new Event('open')));
      return socket;
    },
  });
};
