import Database from 'better-sqlite3';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium } from '../chromium.ts';
import { serveWeb, type Web } from './harness.ts';

const executable = findChromium();

/** An outage is what the server tells its log about, and what it answers with 503. */
const EXPECTED = [/503/u];

describe.skipIf(executable === null)('an outage in the page (no Chromium found: set CHROMIUM to its path)', () => {
  let web: Web;

  beforeAll(async () => {
    web = await serveWeb({ executable: executable ?? '', roots: [], expectedFaults: [/emergency cache|database is locked|queued|another process/u] });
  });
  afterAll(async () => {
    await web.close();
  });

  /** Somebody else holds the database: nothing can be written until what is returned is called. */
  const lock = (): (() => void) => {
    const other = new Database(web.home.database.replace(/^sqlite:/u, ''));
    other.exec('BEGIN EXCLUSIVE');
    return () => {
      other.exec('ROLLBACK');
      other.close();
    };
  };

  const spawn = async (task: string): Promise<string> => {
    const { refs } = await web.ask('sidebar_spawn', { ['parent_id']: null, ['task_description']: task });
    return refs.find((ref) => ref.startsWith('SB-')) ?? '';
  };

  const messageOf = (page: Page, words: string): Locator => page.locator('.talk-message').filter({ hasText: words });
  const strip = (page: Page, kind: string): Locator => page.locator(`[data-standing="${kind}"]`);

  test('[PAGE-430] [PAGE-431] [PAGE-432] [PAGE-433] [PAGE-435] what is said while the log is away is queued where it stands, in every browser, and becomes ordinary on the log', async () => {
    const ref = await spawn('Through an outage');
    const mine = await web.open(`/sidebars/${ref}`, { expected: EXPECTED });
    const theirs = await web.open(`/sidebars/${ref}`, { token: false, expected: EXPECTED });
    await mine.getByRole('textbox', { name: /^Message SB-/u }).waitFor();
    await theirs.getByText('No messages yet').or(theirs.locator('.talk-list')).first().waitFor();
    const announced = mine.locator('[data-announces="standing"]');
    expect(await announced.textContent()).toBe('');
    const release = lock();
    await mine.getByRole('textbox', { name: /^Message SB-/u }).fill('while the log is away');
    await mine.keyboard.press('Enter');
    for (const page of [mine, theirs]) {
      await strip(page, 'emergency').getByText('Emergency').waitFor();
      await messageOf(page, 'while the log is away').getByText('queued', { exact: true }).waitFor();
      expect(await messageOf(page, 'while the log is away').getByRole('link', { name: /^MSG-/u }).count()).toBe(0);
      // PAGE-430, PAGE-432
      await strip(page, 'emergency')
        .getByText(/1 queued, stored in /u)
        .waitFor();
      await expect.poll(() => page.title()).toMatch(/^Emergency · /u);
    }
    // PAGE-431: told once, whatever is counted.
    expect(await announced.textContent()).toMatch(/^Emergency\. The log is unavailable/u);
    const first = await announced.textContent();
    await mine.getByRole('textbox', { name: /^Message SB-/u }).fill('and again');
    await mine.keyboard.press('Enter');
    await strip(mine, 'emergency')
      .getByText(/2 queued/u)
      .waitFor();
    expect(await announced.textContent()).toBe(first);
    // PAGE-433: whoever comes now sees it as well.
    const late = await web.open(`/sidebars/${ref}`, { token: false, expected: EXPECTED });
    await messageOf(late, 'and again').getByText('queued', { exact: true }).waitFor();
    expect(await web.axe(mine)).toEqual([]);
    // PAGE-436: what cannot wait says why.
    await mine.goto(`${web.url}/sidebars`);
    await strip(mine, 'emergency').waitFor();
    await mine.goto(`${web.url}/sidebars/${ref}`);
    await messageOf(mine, 'and again').getByText('queued', { exact: true }).waitFor();
    release();
    for (const page of [mine, theirs, late]) {
      for (const words of ['while the log is away', 'and again']) {
        await messageOf(page, words).getByRole('link', { name: /^MSG-/u }).first().waitFor();
        await messageOf(page, words).getByText('queued', { exact: true }).waitFor({ state: 'detached' });
        expect(await messageOf(page, words).count()).toBe(1);
      }
      await strip(page, 'emergency').waitFor({ state: 'detached' });
      await expect.poll(() => page.title()).not.toMatch(/Emergency|Resuming/u);
    }
    await expect.poll(() => announced.textContent()).toBe('All services work again.');
    const { items } = await web.ask('sidebar_memory', { ['sidebar_id']: ref });
    expect(items.map(({ content }) => content)).toEqual(['while the log is away', 'and again']);
    for (const page of [mine, theirs, late]) await page.context().close();
  });

  test('[PAGE-436] what cannot wait for the log says why and since when', async () => {
    const ref = await spawn('Blocked in an outage');
    const page = await web.open(`/sidebars/${ref}`, { expected: EXPECTED });
    await page.getByRole('textbox', { name: /^Message SB-/u }).waitFor();
    const release = lock();
    await page.getByRole('textbox', { name: /^Message SB-/u }).fill('a word');
    await page.keyboard.press('Enter');
    await strip(page, 'emergency').waitFor();
    const reason = page.getByText(/can’t be done while the log is unavailable/u).first();
    await reason.waitFor({ state: 'attached' });
    expect(await reason.textContent()).toMatch(/since \d\d:\d\d UTC: /u);
    release();
    await strip(page, 'emergency').waitFor({ state: 'detached' });
    await reason.waitFor({ state: 'detached' });
    await page.context().close();
  });
});
