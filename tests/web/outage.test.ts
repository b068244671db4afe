import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium, launch } from '../chromium.ts';
import { testHome, type TestHome } from '../home.ts';
import { PATIENCE } from '../patience.ts';
import { diskFor, fill, isSkipped, mount } from '../small-disk.ts';
import { atRest } from './harness.ts';
import { serve, type Served } from './served.ts';

const executable = findChromium();

/** Somebody else holds the database: nothing can be written until what is returned is called. */
const lock = (home: TestHome): (() => void) => {
  const other = new Database(home.database);
  other.exec('BEGIN EXCLUSIVE');
  return () => {
    other.exec('ROLLBACK');
    other.close();
  };
};

const messageOf = (page: Page, words: string): Locator => page.locator('.talk-message').filter({ hasText: words });
const strip = (page: Page, kind: string): Locator => page.locator(`[data-standing="${kind}"]`);

describe.skipIf(executable === null)('an outage in the page (no Chromium found: set CHROMIUM to its path)', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch(executable ?? '');
  });
  afterAll(() => browser.close());

  const open = async ({ url, token }: Served, path: string, isOperator = true): Promise<Page> => {
    const origins = isOperator ? [{ origin: url, localStorage: [{ name: 'yarnboard.token', value: token }] }] : [];
    const context: BrowserContext = await browser.newContext({ storageState: { cookies: [], origins }, locale: 'en-GB', timezoneId: 'UTC' });
    context.setDefaultTimeout(PATIENCE);
    const page = await context.newPage();
    await page.goto(new URL(path, url).href);
    return page;
  };

  /** What two people see while the log is away, and after; a third comes in the middle of it. Resolves to how often each sees the words in the end. */
  const throughOutage = async (server: Served, begin: () => Promise<void> | void, end: () => Promise<void> | void): Promise<readonly number[]> => {
    const mine = await open(server, '/sidebars/SB-1');
    const theirs = await open(server, '/sidebars/SB-1', false);
    for (const page of [mine, theirs]) await page.getByRole('heading', { name: 'through an outage', level: 1 }).waitFor();
    await mine.getByRole('textbox', { name: /^Message SB-/u }).waitFor();
    await begin();
    await mine.getByRole('textbox', { name: /^Message SB-/u }).fill('while the log is away');
    await mine.keyboard.press('Enter');
    for (const page of [mine, theirs]) {
      await strip(page, 'emergency')
        .getByText(/\d+ queued, stored in /u)
        .waitFor();
      await messageOf(page, 'while the log is away').getByText('queued', { exact: true }).waitFor();
      expect(await messageOf(page, 'while the log is away').getByRole('link', { name: /^MSG-/u }).count()).toBe(0);
      await expect.poll(() => page.title(), { timeout: PATIENCE }).toMatch(/^Emergency · /u);
    }
    // Whoever comes now sees it as well.
    const late = await open(server, '/sidebars/SB-1', false);
    await messageOf(late, 'while the log is away').getByText('queued', { exact: true }).waitFor();
    await end();
    for (const page of [mine, theirs, late]) {
      await messageOf(page, 'while the log is away').getByRole('link', { name: /^MSG-/u }).first().waitFor();
      await messageOf(page, 'while the log is away').getByText('queued', { exact: true }).waitFor({ state: 'detached' });
      await strip(page, 'emergency').waitFor({ state: 'detached' });
      await strip(page, 'resuming').waitFor({ state: 'detached' });
    }
    const seen = await atRest(mine, () => Promise.all([mine, theirs, late].map((page) => messageOf(page, 'while the log is away').count())));
    for (const page of [mine, theirs, late]) await page.context().close();
    return seen;
  };
  const spawn = async (server: Served): Promise<void> => {
    expect(await server.post('/sidebars', { ['parent_id']: null, ['task_description']: 'through an outage' })).toMatchObject({ status: 200 });
  };

  test('[PAGE-433] [PAGE-435] what is said while the log is away is queued where it stands, in every browser, and becomes ordinary on the log', async () => {
    const home = testHome();
    const server = await serve(home);
    await spawn(server);
    let release = (): void => undefined;
    expect(
      await throughOutage(
        server,
        () => {
          release = lock(home);
        },
        () => release(),
      ),
    ).toEqual([1, 1, 1]);
    await server.stop();
  });

  test.skipIf(isSkipped)('[PAGE-433] [PAGE-435] the same on a disk that is full, until there is room', async () => {
    const home = testHome();
    const folders = [join(home.folder, 'home'), join(home.folder, 'state')];
    const releases = folders.map((folder) => diskFor(folder, '64m'));
    try {
      writeFileSync(join(home.folder, 'home/settings.json'), JSON.stringify({ emergency: { ['reserve_bytes']: 1024 * 1024 } }));
      const server = await serve(home);
      await spawn(server);
      expect(
        await throughOutage(
          server,
          async () => {
            for (const folder of folders) fill(folder);
            // A full disk still has room in files that are there already.
            for (let status = 200; status === 200;)
              ({ status } = await server.post('/sidebars/SB-1/messages', { content: 'more and '.repeat(2000) }));
          },
          () => {
            for (const folder of folders) mount('-o', 'remount,size=256m', folder);
          },
        ),
      ).toEqual([1, 1, 1]);
      await server.stop();
    } finally {
      for (const release of releases) release();
    }
  });
});
