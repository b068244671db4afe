import { timingSafeEqual } from 'node:crypto';
import { tokenHashOf } from '../home/token.ts';

/** SEC-19: links that each sign in one browser. Only hashes of their keys are kept, and only in memory, so a restart invalidates all of them. */
export type PageLinks = {
  readonly make: () => PageLink;
  /** Exchanges a link's key for the operator's token, once; null if the key is not valid. */
  readonly enter: (key: string) => string | null;
};

export type PageLink = { readonly url: string; readonly expiresAt: number };

export type PageLinksOptions = {
  readonly now: () => number;
  readonly newKey: () => string;
  readonly token: string;
  /** The page's address. */
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
      // In the fragment, which the browser doesn't send.
      return { url: `${address()}/#key=${key}`, expiresAt };
    },
    enter: (key) => {
      const wanted = hashOf(key);
      const at = now();
      // SEC-20: compares with all of them, even after a match, so that timing reveals nothing.
      const fits = open.map(({ hash }) => timingSafeEqual(hash, wanted));
      const found = open.find((_, n) => fits[n] === true);
      open = open.filter((one) => one !== found && one.expiresAt > at);
      return found !== undefined && found.expiresAt > at ? token : null;
    },
  };
};

const hashOf = (key: string): Buffer => Buffer.from(tokenHashOf(key), 'hex');

const GOOD_FOR = 10 * 60_000;
/** Creating more drops the oldest. */
const MOST_OPEN = 100;
