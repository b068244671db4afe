/** PAGE-122: starts connecting before it is known what to send: the first socket made for this address is the one already connecting. */
export const socketAhead = (Sockets: typeof WebSocket, url: string): typeof WebSocket => {
  let ahead: WebSocket | null = new Sockets(url);
  return new Proxy(Sockets, {
    construct: (_, [asked]: [string]) => {
      const socket = ahead;
      ahead = null;
      if (socket === null || asked !== url || socket.readyState > Sockets.OPEN) return new Sockets(asked);
      // A listener added now has missed the event.
      if (socket.readyState === Sockets.OPEN) queueMicrotask(() => socket.dispatchEvent(new Event('open')));
      return socket;
    },
  });
};
