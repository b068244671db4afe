import { describe, expect, test } from 'vitest';
import { enter, TOKEN_KEY, type EntranceParts } from '../../src/live/token.ts';

const pageAt = (hash: string, known: string | null, answer: Awaited<ReturnType<EntranceParts['redeem']>>) => {
  const stored = new Map(known === null ? [] : [[TOKEN_KEY, known]]);
  const addresses: string[] = [];
  const keys: string[] = [];
  const parts: EntranceParts = {
    location: { hash, pathname: '/sessions', search: '?q=1' },
    history: { replaceState: (_data, _unused, url) => void addresses.push(String(url)) },
    storage: {
      getItem: (key) => stored.get(key) ?? null,
      setItem: (key, value) => void stored.set(key, value),
      removeItem: (key) => void stored.delete(key),
    },
    redeem: async (key) => {
      // The key must be out of the address before anybody is asked.
      keys.push(`${key} ${addresses.length}`);
      return answer;
    },
  };
  return { parts, stored, addresses, keys };
};

describe('coming in', () => {
  test('[PAGE-30] the key of a link is out of the address before it is redeemed, and the token stays in the browser', async () => {
    const { parts, stored, addresses, keys } = pageAt('#key=abc-DEF_1', null, { token: 'secret' });
    expect(await enter(parts)).toEqual({ token: 'secret', trouble: null });
    expect({ addresses, keys, stored: [...stored] }).toEqual({
      addresses: ['/sessions?q=1'],
      keys: ['abc-DEF_1 1'],
      stored: [[TOKEN_KEY, 'secret']],
    });
  });

  test('[PAGE-30] a link that was used leaves whoever has no token reading, and says why', async () => {
    const { parts, stored } = pageAt('#key=old', null, { trouble: 'this link was used' });
    expect(await enter(parts)).toEqual({ token: null, trouble: 'this link was used' });
    expect(stored.size).toBe(0);
  });

  test('[PAGE-30] a link that was used takes nothing from whoever came in before', async () => {
    const { parts } = pageAt('#key=old', 'mine', { trouble: 'this link was used' });
    expect(await enter(parts)).toEqual({ token: 'mine', trouble: null });
  });

  test('[PAGE-30] of two tabs that come with one link at once, the one that is late is let in by what the other was given', async () => {
    const { parts, stored } = pageAt('#key=once', null, { trouble: 'this link was used' });
    const redeem: EntranceParts['redeem'] = async (key) => {
      stored.set(TOKEN_KEY, 'given to the other tab');
      return parts.redeem(key);
    };
    expect(await enter({ ...parts, redeem })).toEqual({ token: 'given to the other tab', trouble: null });
  });

  test('[PAGE-30] without a link nobody is asked, and the address stays', async () => {
    const { parts, addresses, keys } = pageAt('#message-1', 'mine', { token: 'other' });
    expect(await enter(parts)).toEqual({ token: 'mine', trouble: null });
    expect({ addresses, keys }).toEqual({ addresses: [], keys: [] });
  });
});
