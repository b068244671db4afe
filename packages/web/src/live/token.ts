/** SEC-20: the token arrives through a one-time link; the key in its fragment is removed from the address before anything else happens. */
export type Entrance = { readonly token: string | null; readonly trouble: string | null };

export type EntranceParts = {
  readonly location: Pick<Location, 'hash' | 'pathname' | 'search'>;
  readonly history: Pick<History, 'replaceState'>;
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  readonly redeem: (key: string) => Promise<{ readonly token: string } | { readonly trouble: string }>;
};

export const enter = async ({ location, history, storage, redeem }: EntranceParts): Promise<Entrance> => {
  const [, key] = /^#key=([\w-]+)$/u.exec(location.hash) ?? [];
  if (key === undefined) return { token: storage.getItem(TOKEN_KEY), trouble: null };
  history.replaceState(null, '', `${location.pathname}${location.search}`);
  const redeemed = await redeem(key);
  if ('trouble' in redeemed) {
    // A user who is signed in may open an old link again, and another tab may have used this one in the meantime.
    const kept = storage.getItem(TOKEN_KEY);
    return { token: kept, trouble: kept === null ? redeemed.trouble : null };
  }
  storage.setItem(TOKEN_KEY, redeemed.token);
  return { token: redeemed.token, trouble: null };
};

/** The only request outside the socket: the socket's hello needs its result. */
export const redeemWith =
  (fetch: typeof globalThis.fetch): EntranceParts['redeem'] =>
  async (key) => {
    try {
      const answer = await fetch('/api/v1/enter', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ key }),
      });
      const body = (await answer.json()) as { readonly token?: unknown; readonly detail?: unknown }; // checked below
      if (answer.ok && typeof body.token === 'string') return { token: body.token };
      return {
        trouble: typeof body.detail === 'string' ? body.detail : `Couldn’t sign in (error ${answer.status}). Run “yarnboard open” for a new link.`,
      };
    } catch (cause) {
      return { trouble: cause instanceof Error ? cause.message : String(cause) };
    }
  };

export const TOKEN_KEY = 'yarnboard.token';
