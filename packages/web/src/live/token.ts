/** SEC-20: the token comes through a link that works once; the key in its fragment is gone from the address before anything else happens. */
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
    // Whoever was let in before may come again with an old link, and another tab may have come in by this one meanwhile.
    const kept = storage.getItem(TOKEN_KEY);
    return { token: kept, trouble: kept === null ? redeemed.trouble : null };
  }
  storage.setItem(TOKEN_KEY, redeemed.token);
  return { token: redeemed.token, trouble: null };
};

/** The one request that does not go through the socket: the socket's hello needs what it brings. */
export const redeemWith =
  (fetch: typeof globalThis.fetch): EntranceParts['redeem'] =>
  async (key) => {
    try {
      const answer = await fetch('/api/v1/enter', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ key }),
      });
      const body = (await answer.json()) as { readonly token?: unknown; readonly detail?: unknown }; // looked at below
      if (answer.ok && typeof body.token === 'string') return { token: body.token };
      return {
        trouble: typeof body.detail === 'string' ? body.detail : `Couldn’t sign in (error ${answer.status}). Run “yarnboard open” for a new link.`,
      };
    } catch (cause) {
      return { trouble: cause instanceof Error ? cause.message : String(cause) };
    }
  };

export const TOKEN_KEY = 'yarnboard.token';
