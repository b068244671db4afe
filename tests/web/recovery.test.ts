import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium, launch } from '../chromium.ts';
import { expectWhole, testHome, type TestHome } from '../home.ts';
import { PATIENCE } from '../patience.ts';
import { serve, type Served } from './served.ts';

const executable = findChromium();

/** A server that was killed while these waited for a log that somebody else held. */
const killedWith = async (words: readonly string[]): Promise<TestHome> => {
  const home = testHome();
  const server = await serve(home);
  expect(await server.post('/sidebars', { ['parent_id']: null, ['task_description']: 'why is login slow?' })).toMatchObject({ status: 200 });
  if (words.length > 0) {
    const other = new Database(home.database);
    other.exec('BEGIN EXCLUSIVE');
    for (const content of words) expect(await server.post('/sidebars/SB-1/messages', { content })).toMatchObject({ status: 202 });
    await server.kill();
    other.exec('ROLLBACK');
    other.close();
  } else await server.kill();
  return home;
};

const wordsOn = async (home: TestHome): Promise<readonly string[]> => {
  const store = await home.open();
  try {
    await expectWhole(store);
    const payloads = await store.log.payloadsOf(await store.log.positionsOfType('chat.message'));
    return [...payloads.values()].map((bytes) => (JSON.parse(Buffer.from(bytes).toString()) as { readonly content: string }).content);
  } finally {
    await store.close();
  }
};

const strip = (page: Page, kind: string): Locator => page.locator(`[data-standing="${kind}"]`);

describe.skipIf(executable === null)('recovery in the page (no Chromium found: set CHROMIUM to its path)', () => {
  let browser: Browser;
  const contexts: BrowserContext[] = [];
  beforeAll(async () => {
    browser = await launch(executable ?? '');
  });
  afterAll(() => browser.close());

  const open = async ({ url, token }: Served, path: string, isOperator = true): Promise<Page> => {
    const origins = isOperator ? [{ origin: url, localStorage: [{ name: 'yarnboard.token', value: token }] }] : [];
    const context = await browser.newContext({ storageState: { cookies: [], origins }, locale: 'en-GB', timezoneId: 'UTC', acceptDownloads: true });
    contexts.push(context);
    context.setDefaultTimeout(PATIENCE);
    const page = await context.newPage();
    await page.goto(new URL(path, url).href);
    return page;
  };

  test('[PAGE-438] [PAGE-440] [PAGE-444] [PAGE-445] after a crash with something queued, recovery comes first; items are replayed by key, all the rest at once, and are on the log once', async () => {
    const home = await killedWith(['one', 'two', 'three']);
    const server = await serve(home);
    const page = await open(server, '/');
    await page.waitForURL(/\/recovery$/u);
    await page.getByRole('heading', { name: 'Recovery', level: 1 }).waitFor();
    await strip(page, 'recovery').getByText('Previous session crashed. Recovery audit required.').waitFor();
    // The rest can be read; whoever is not the operator is told why nothing can be written.
    const reader = await open(server, '/sidebars/SB-1', false);
    await strip(reader, 'recovery').getByText('Read-only until the operator finishes recovery').waitFor();
    await reader.goto(`${server.url}/`);
    await reader.getByText('The operator has to review queued items', { exact: false }).waitFor();
    // PAGE-440 to PAGE-442
    const items = page.getByRole('list', { name: 'Queued items' }).getByRole('listitem');
    await expect.poll(() => items.count()).toBe(3);
    await expect.poll(() => items.first().innerText()).toMatch(/Message 1[\s\S]*can be saved[\s\S]*one/u);
    await page.getByText('on the log', { exact: true }).first().waitFor({ state: 'detached' });
    // PAGE-444: the second is skipped, the first replayed.
    await items.nth(1).focus();
    await page.keyboard.press('n');
    await items.nth(1).getByText('skipped', { exact: true }).waitFor();
    await items.first().focus();
    await page.keyboard.press('y');
    await items.first().getByText('on the log', { exact: true }).waitFor();
    await items.first().getByText(/MSG-1/u).waitFor();
    // PAGE-445
    await page.getByRole('button', { name: 'Include Message 2' }).click();
    await page.getByRole('button', { name: 'Replay all 2' }).click();
    await page.getByText(/2 items on the log/u).waitFor();
    await page.getByText(/Log verified/u).waitFor();
    await strip(page, 'recovery').waitFor({ state: 'detached' });
    await strip(reader, 'recovery').waitFor({ state: 'detached' });
    await page.goto(`${server.url}/`);
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    await server.stop();
    expect(await wordsOn(home)).toEqual(['one', 'two', 'three']);
  });

  test('[PAGE-446] [PAGE-447] discarding wants the id and says how much is lost; an export is a file', async () => {
    const home = await killedWith(['keep', 'drop']);
    const server = await serve(home);
    const page = await open(server, '/recovery');
    const items = page.getByRole('list', { name: 'Queued items' }).getByRole('listitem');
    await items.first().waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export JSON' }).click()]);
    expect(download.suggestedFilename()).toMatch(/^outage-.*\.json$/u);
    expect(readFileSync(await download.path(), 'utf8')).toContain('drop');
    await page.getByRole('button', { name: 'Discard Message 2' }).click();
    const dialog = page.getByRole('dialog', { name: 'Discard 1 queued item?' });
    const id = (await dialog.locator('code').innerText()).trim();
    await expect.poll(() => dialog.getByRole('button', { name: 'Discard' }).isDisabled()).toBe(true);
    await dialog.getByRole('textbox', { name: 'Type the ID to confirm' }).fill(id);
    await dialog.getByRole('button', { name: 'Discard' }).click();
    await items.nth(1).getByText('discarded', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Replay all 1' }).click();
    await strip(page, 'recovery').waitFor({ state: 'detached' });
    await server.stop();
    expect(await wordsOn(home)).toEqual(['keep']);
  });

  test('[PAGE-439] after a crash with nothing queued, an audit is recommended, one click away, and nothing is blocked', async () => {
    const home = await killedWith([]);
    const server = await serve(home);
    const page = await open(server, '/');
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    await strip(page, 'audit').getByText('Unclean shutdown detected. Quick audit recommended.').waitFor();
    expect(await server.post('/sidebars/SB-1/messages', { content: 'nothing is blocked' })).toMatchObject({ status: 200 });
    await strip(page, 'audit').getByRole('button', { name: 'Run audit' }).click();
    await page.getByText('Audit passed').waitFor();
    await strip(page, 'audit').waitFor({ state: 'detached' });
    await server.stop();
  });
});
