import { timingSafeEqual } from 'node:crypto';
import { tokenHashOf } from '../home/token.ts';

/** SEC-19: links that each let one browser in. Of their keys only the hashes are kept, in memory: a restart makes all of them worthless. */
export type PageLinks = {
  readonly make: () => PageLink;
  /** The operator's token for the key of a link, once; null when the key opens nothing. */
  readonly enter: (key: string) => string | null;
};

export type PageLink = { readonly url: string; readonly expiresAt: number };

export type PageLinksOptions = {
  readonly now: () => number;
  readonly newKey: () => string;
  readonly token: string;
  /** Where the page is. */
  readonly address: () => string;
};

type OpenLink = { readonly hash: Buffer; readonly expiresAt: number };

export const createPageLinks = ({ now, newKey, token, address }: PageLinksOptions): PageLinks => {
  let open: readonly OpenLink[] = [];
  return {
    make: () => {
      const key = newKey();
      const at = now();
      const expiresAt = at + GOOD_FOR;
      open = [...open.filter((one) => one.expiresAt > at), { hash: hashOf(key), expiresAt }].slice(-MOST_OPEN);
      // In the fragment: a browser keeps it to itself.
      return { url: `${address()}/#key=${key}`, expiresAt };
    },
    enter: (key) => {
      const wanted = hashOf(key);
      const at = now();
      // SEC-20: all of them are looked at, also behind one that fits: how long it takes tells nothing.
      const fits = open.map(({ hash }) => timingSafeEqual(hash, wanted));
      const found = open.find((_, n) => fits[n] === true);
      open = open.filter((one) => one !== found && one.expiresAt > at);
      return found !== undefined && found.expiresAt > at ? token : null;
    },
  };
};

const hashOf = (key: string): Buffer => Buffer.from(tokenHashOf(key), 'hex');

const GOOD_FOR = 10 * 60_000;
/** Whoever makes more loses the oldest. */
const MOST_OPEN = 100;
