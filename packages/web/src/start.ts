import { socketAhead } from './live/socket-ahead.ts';
import { createViews, viewAt } from './views.ts';

// PAGE-120: the first screen needs the server's answers, the page's code and its view's code. This file is small and starts all three at once.
const url = `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`;
const sockets = socketAhead(WebSocket, url);
const views = createViews();
const connecting = import('./connect.ts').then(({ connect }) => connect({ url, WebSocket: sockets, views }));
const page = import('./main.tsx');
const isLoaded = viewAt(views, location.pathname)?.load() ?? Promise.resolve();

const start = async (place: Element): Promise<void> => {
  const [{ mount }, connected] = await Promise.all([page, connecting]);
  await mount(place, { connected, views, isLoaded });
};

const place = document.getElementById('page');
if (place !== null) void start(place);
