import { setNonce } from 'get-nonce';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { createLive } from './live/live.ts';
import { enter, redeemWith, TOKEN_KEY } from './live/token.ts';

// Dialogs keep the page behind them from scrolling with a style of their own, which the policy of the page lets in by this.
setNonce(document.querySelector('meta[name="yarnboard-nonce"]')?.getAttribute('content') ?? '');

const start = async (place: Element): Promise<void> => {
  const { token, trouble } = await enter({ location, history, storage: localStorage, redeem: redeemWith(fetch.bind(globalThis)) });
  const live = createLive({
    url: `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`,
    WebSocket,
    token,
    now: () => Date.now(),
    newId: () => crypto.randomUUID(),
    later: (ms, work) => {
      const timer = setTimeout(work, ms);
      return () => clearTimeout(timer);
    },
    random: () => Math.random(),
    onTrouble: (what) => console.warn(`yarnboard: ${what}`),
  });
  // PAGE-32: what was sent is in this page only until the server has it.
  addEventListener('beforeunload', (event) => {
    if (live.hasUnanswered() && live.connection.get().kind !== 'open') event.preventDefault();
  });
  createRoot(place).render(
    <App
      live={live}
      storage={localStorage}
      entranceTrouble={trouble}
      onLeave={() => {
        localStorage.removeItem(TOKEN_KEY);
        location.reload();
      }}
    />,
  );
};

const place = document.getElementById('page');
if (place !== null) void start(place);
