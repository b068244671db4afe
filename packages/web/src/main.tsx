import { setNonce } from 'get-nonce';
import { startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { App, drawnViews } from './app.tsx';
import type { Connected } from './connect.ts';
import { TOKEN_KEY } from './live/token.ts';
import type { View, Views } from './views.ts';

export type Begun = {
  readonly connected: Connected;
  readonly views: Views;
  /** Settles when the code of the view at this address is here, or cannot be had. */
  readonly isLoaded: Promise<unknown>;
};

export const mount = async (place: Element, { connected: { live, trouble }, views, isLoaded }: Begun): Promise<void> => {
  // Dialogs keep the page behind them from scrolling with a style of their own, which the policy of the page lets in by this.
  setNonce(document.querySelector('meta[name="yarnboard-nonce"]')?.getAttribute('content') ?? '');
  // PAGE-144: what the tab stores survives a reload; what did not fit exists only in this page.
  addEventListener('beforeunload', (event) => {
    if (live.wouldLose() && live.connection.get().kind !== 'open') event.preventDefault();
  });
  const drawn = drawnViews(views);
  const root = createRoot(place);
  const draw = (isHere: boolean): void =>
    root.render(
      <App
        live={live}
        drawn={drawn}
        isHere={isHere}
        storage={localStorage}
        entranceTrouble={trouble}
        onLeave={() => {
          localStorage.removeItem(TOKEN_KEY);
          location.reload();
        }}
      />,
    );
  draw(false);
  await isLoaded.catch(() => {}); // the view says so where it would be
  startTransition(() => draw(true));
  whenIdle(() => loadAll([...Object.values<View>(views).map(({ load }) => load), () => import('./features/search/palette.tsx')]));
};

/** PAGE-188: once the page is open, every view can be reached, even if the server has gone. One after another: no one is waiting for them. */
const loadAll = ([load, ...rest]: readonly (() => Promise<unknown>)[]): void => {
  if (load === undefined) return;
  // A view that fails to load now is requested again when someone goes there.
  void load()
    .catch(() => {})
    .then(() => whenIdle(() => loadAll(rest)));
};

const whenIdle = (work: () => void): void => {
  // Safari has no other way.
  if ('requestIdleCallback' in globalThis) requestIdleCallback(work);
  else setTimeout(work, 200);
};
