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
  /** Settles when the code of the view at this address has loaded or failed to load. */
  readonly isLoaded: Promise<unknown>;
};

export const mount = async (place: Element, { connected: { live, trouble }, views, isLoaded }: Begun): Promise<void> => {
  // Dialogs lock scrolling with an inline style, which the Content-Security-Policy allows only with this nonce.
  setNonce(document.querySelector('meta[name="yarnboard-nonce"]')?.getAttribute('content') ?? '');
  // PAGE-144: what the tab has stored survives a reload; what did not fit exists only in this page.
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
  await isLoaded.catch(() => {}); // if it fails, the view itself says so
  startTransition(() => draw(true));
  whenIdle(() => loadAll([...Object.values<View>(views).map(({ load }) => load), () => import('./features/search/palette.tsx')]));
};

/**
 * PAGE-188: loads all other views once the page is open, so that they work even if the server goes away. One at a time: no one is waiting for them.
 */
const loadAll = ([load, ...rest]: readonly (() => Promise<unknown>)[]): void => {
  if (load === undefined) return;
  // A view that fails to load now is requested again when the user opens it.
  void load()
    .catch(() => {})
    .then(() => whenIdle(() => loadAll(rest)));
};

const whenIdle = (work: () => void): void => {
  // Safari lacks requestIdleCallback.
  if ('requestIdleCallback' in globalThis) requestIdleCallback(work);
  else setTimeout(work, 200);
};
