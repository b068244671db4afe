import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PROBLEMS } from '@yarnboard/protocol';
import { beforeAll, describe, expect, test } from 'vitest';
import { newToken } from '../../../src/home/token.ts';
import { createPageLinks } from '../../../src/operations/page-links.ts';
import { makeBoard, type TestBoard } from '../../operations/boards.ts';

const MINUTE = 60_000;

const makeLinks = () => {
  let now = Date.UTC(2026, 0, 1);
  const links = createPageLinks({ now: () => now, newKey: newToken, token: 'the-token', address: () => 'http://127.0.0.1:4747' });
  const keyIn = (url: string): string => url.split('#key=')[1] ?? '';
  return { links, newKey: (): string => keyIn(links.make().url), pass: (ms: number) => (now += ms) };
};

describe('a link', () => {
  test('[SEC-19] has 256 random bits in its fragment, and ten minutes', () => {
    const { links } = makeLinks();
    const { url, expiresAt } = links.make();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:4747\/#key=[\w-]{43}$/u);
    expect(expiresAt).toBe(Date.UTC(2026, 0, 1, 0, 10));
    expect(new Set(Array.from({ length: 100 }, () => links.make().url)).size).toBe(100);
  });

  test('[SEC-19] is good once', () => {
    const { links, newKey } = makeLinks();
    const [one, other] = [newKey(), newKey()];
    expect([links.enter(one), links.enter(one), links.enter(other), links.enter(other)]).toEqual(['the-token', null, 'the-token', null]);
  });

  test('[SEC-19] is good for less than ten minutes', () => {
    const { links, newKey, pass } = makeLinks();
    const [early, late] = [newKey(), newKey()];
    pass(10 * MINUTE - 1);
    expect(links.enter(early)).toBe('the-token');
    pass(1);
    expect(links.enter(late)).toBeNull();
  });

  test('[SEC-19] is one of 100 at most: whoever makes more loses the oldest', () => {
    const { links, newKey } = makeLinks();
    const keys = Array.from({ length: 101 }, newKey);
    expect(keys.map((key) => links.enter(key))).toEqual([null, ...Array.from({ length: 100 }, () => 'the-token')]);
  });

  test('[SEC-20] nothing but the key itself opens it, and wrong ones change nothing', () => {
    const { links, newKey } = makeLinks();
    const key = newKey();
    for (const wrong of [
      '',
      ' ',
      key.slice(1),
      `${key}x`,
      ` ${key}`,
      key.toUpperCase() === key ? key.toLowerCase() : key.toUpperCase(),
      newToken(),
      'ü',
      '\0',
    ])
      expect(links.enter(wrong)).toBeNull();
    for (let tries = 0; tries < 10_000; tries += 1) links.enter(`wrong ${tries}`);
    expect(links.enter(key)).toBe('the-token');
  });
});

describe('over HTTP', () => {
  let board: TestBoard;
  beforeAll(async () => {
    board = await makeBoard({});
    await board.command('agent_register', { agent_id: 'scout' });
  });
  const keyOf = async (): Promise<string> => new URL((await board.command('page_link')).url).hash.replace('#key=', '');
  const enter = (key: string, headers: Record<string, string> = {}): RequestInit & { readonly body: string } => ({
    method: 'POST',
    body: JSON.stringify({ key }),
    headers,
  });

  test('[SEC-19] a link gives the operator’s token to whoever comes with it first', async () => {
    const key = await keyOf();
    expect(await board.get('enter', { key })).toEqual({ token: board.token });
    expect(await board.problem('/api/v1/enter', enter(key))).toMatchObject({ code: 'bad-key', status: PROBLEMS['bad-key'].status });
  });

  test('[SEC-19] only the operator makes one', async () => {
    const make = { method: 'POST', body: '{}' };
    expect(await board.problem('/api/v1/page/link', make)).toMatchObject({ code: 'token-needed' });
    const { token } = await board.command('agent_token', { agent_id: 'scout' });
    expect(await board.problem('/api/v1/page/link', { ...make, headers: { authorization: `Bearer ${token}` } })).toMatchObject({
      code: 'operator-only',
    });
  });

  test('[SEC-20] a key that is wrong, used or was never one is refused with the same words, which say what to do', async () => {
    const used = await keyOf();
    await board.get('enter', { key: used });
    const told = await Promise.all([used, newToken(), 'x'].map(async (key) => (await board.problem('/api/v1/enter', enter(key))).detail));
    expect(new Set(told).size).toBe(1);
    expect(told[0]).toContain('run `yarnboard open` for a new one');
  });

  test('[SEC-20] another site cannot enter, with whatever key', async () => {
    const key = await keyOf();
    expect(await board.problem('/api/v1/enter', enter(key, { origin: 'http://evil.example' }))).toMatchObject({ code: 'foreign-origin' });
    expect(await board.problem('/api/v1/enter', enter(key, { host: 'evil.example' }))).toMatchObject({ code: 'foreign-host' });
    expect(await board.get('enter', { key })).toEqual({ token: board.token });
  });

  test('[SEC-19] no key is written anywhere', async () => {
    const [key, other] = [await keyOf(), await keyOf()];
    await board.get('enter', { key: other });
    const files = readdirSync(board.folder, { recursive: true, withFileTypes: true }).filter((item) => item.isFile());
    expect(files.length).toBeGreaterThan(2);
    for (const { parentPath, name } of files) expect([key, other].filter((one) => readFileSync(join(parentPath, name)).includes(one))).toEqual([]);
  });
});
