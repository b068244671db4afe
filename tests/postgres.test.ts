import { isDeepStrictEqual } from 'node:util';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findPostgres, type Postgres } from './postgres.ts';
import { addressOf, ended, testHome, until } from './home.ts';
import { root } from './source-files.ts';

let postgres: Postgres | null = null;
beforeAll(async () => {
  postgres = await findPostgres();
  if (postgres === null && process.env['CI'] !== undefined) throw new Error('no PostgreSQL to test with');
});
afterAll(async () => {
  await postgres?.stop();
});

test('[CLI-12] the same board on PostgreSQL: the command line imports, searches, verifies and serves it alike', async ({ skip }) => {
  if (postgres === null) {
    skip('no PostgreSQL here: set YARNBOARD_TEST_POSTGRES, or install it');
    return;
  }
  const [sqlite, home] = [testHome(), testHome()];
  const db = `--db=${postgres.url}${postgres.url.includes('?') ? '&' : '?'}board=command`;
  const demo = join(root, 'packages/cli/demo');
  const counts = (text: string): object => {
    const { seconds: _seconds, mb_per_second: _rate, ...rest } = JSON.parse(text) as Record<string, unknown>;
    return rest;
  };
  expect(counts(home.run('import', '--json', demo, db).out)).toEqual(counts(sqlite.run('import', '--json', demo).out));
  for (const args of [
    ['search', 'delegate levels', '--json'],
    ['search', 'delegte', '--json'],
    ['doctor', '--json'],
  ]) {
    const [here, there] = [sqlite.run(...args), home.run(...args, db)];
    expect(there.status).toBe(here.status);
    expect(there.err).toBe('');
  }
  const found = (text: string): readonly number[] =>
    (JSON.parse(text) as { items: { position: number }[] }).items.map(({ position }) => position).sort((a, b) => a - b);
  expect(found(home.run('search', 'delegate levels', '--json', db).out)).toEqual(found(sqlite.run('search', 'delegate levels', '--json').out));
  // Each board begins its chain with its own id, and only PostgreSQL's index is checked by sample.
  const verified = (text: string): object => {
    const { notes, ...rest } = JSON.parse(text) as { readonly notes: readonly string[] };
    return { ...rest, head: '', notes: notes.filter((note) => !note.startsWith('search: a sample of ')) };
  };
  expect(verified(home.run('verify', '--json', db).out)).toEqual(verified(sqlite.run('verify', '--json').out));
  expect(home.run('backup', db)).toMatchObject({ status: 3, err: expect.stringContaining('pg_dump') as string });

  const child = home.start('start', '--no-open', '--port', '0', '--root', demo, db);
  const here = sqlite.start('start', '--no-open', '--port', '0', '--root', demo);
  const [url, other] = [await addressOf(child), await addressOf(here)];
  for (const path of ['/api/v1/sessions?limit=500', '/api/v1/stats', '/api/v1/integrity', '/api/v1/projects']) {
    const answers = async (): Promise<readonly unknown[]> =>
      Promise.all([url, other].map(async (server) => (await fetch(`${server}${path}`)).json()));
    await until(async () => ((await (await fetch(`${url}/healthz`)).json()) as { entries: number }).entries >= 796 || null);
    // Turns that were left open lately are closed on both, each at its own pace: they may be alike, unlike, and alike again.
    await expect
      .poll(async () => {
        const [one, another] = await answers();
        return isDeepStrictEqual(one, another) ? null : [one, another];
      })
      .toBeNull();
  }
  for (const process of [child, here]) {
    process.kill('SIGTERM');
    expect(await ended(process)).toBe(0);
  }
});
