import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createTally } from '../../bench/tree/planted.ts';
import { createProse } from '../../bench/tree/prose.ts';
import { createRandom } from '../../bench/tree/random.ts';
import { writeLoneSession } from '../../bench/tree/session.ts';
import { openFileSheet } from '../../bench/tree/sheet.ts';
import { findChromium } from '../chromium.ts';
import { DEMO, serveWeb, settled, type Web } from './harness.ts';
import { longTasksDuring } from './main-thread.ts';

const executable = findChromium();
const BRANCHED = 'a2e96c1e-9d3f-4c12-920b-ffd7daae32a3';
const AGENTS = 'c4db4f1e-8c63-480f-b76e-470b9d881d95';

describe.skipIf(executable === null)('the graph in a browser (no Chromium found: set CHROMIUM to its path)', () => {
  let web: Web;
  let folder: string;
  let long: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'yarnboard-long-'));
    writeLongSession(folder, 10_500);
    web = await serveWeb({ executable: executable ?? '', roots: [DEMO, folder] });
    const { items } = await web.ask('sessions', { limit: 500 });
    long = items.find(({ entries }) => entries > 10_000)?.session_id ?? '';
  });
  afterEach(() => {
    assert.deepEqual(web.complaints(), []);
  });
  afterAll(async () => {
    await web.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const open = async (sessionId: string, options: Parameters<Web['open']>[1] = {}): Promise<Page> => {
    const page = await web.open(`/sessions/${sessionId}/graph`, options);
    await page.locator('.graph-card').first().waitFor();
    // The whole takes the place of the part that was there first.
    await expect.poll(() => page.locator('.page-subtitle').innerText()).toMatch(/^Graph with /u);
    await page.locator('.graph-card').first().waitFor();
    await settled(page);
    return page;
  };
  const card = (page: Page, name: RegExp) => page.getByRole('group', { name: 'Graph' }).getByRole('link', { name });

  test('[PAGE-74] [PAGE-76] a branching session: its branches are named, and a click on a card goes to its message', async () => {
    const page = await open(BRANCHED);
    await card(page, /^Prompt, Branch from the first assistant message\..*branch 2 of 2.*on the current branch$/u).waitFor();
    await page.locator('.graph-card').getByText('branch 1 of 2', { exact: true }).waitFor();
    await page.locator('.graph-card').getByText('latest', { exact: true }).waitFor();
    await expect.poll(() => page.locator('.graph-line-active .react-flow__edge-path').count()).toBeGreaterThan(2);
    await page.getByText('Legend', { exact: true }).click();
    await page.getByText('Current branch', { exact: true }).waitFor();
    await page.getByText('Legend', { exact: true }).click();
    await card(page, /^Reply, Second plain reply/u).click();
    await page.waitForURL(new RegExp(`/sessions/${BRANCHED}\\?at=[0-9a-f-]{36}$`, 'u'));
    await page.context().close();
  });

  test('[PAGE-71] [PAGE-75] with the keyboard alone: from card to card, sub-agents opened and folded, Enter goes to the message', async () => {
    const page = await open(AGENTS);
    const focused = (): Promise<string> => page.evaluate(() => document.activeElement?.querySelector('.visually-hidden')?.textContent ?? '');
    await card(page, /^Prompt, Split the work/u).focus();
    await expect.poll(focused).toMatch(/^Prompt, Split the work/u);
    await page.keyboard.press('ArrowDown');
    await expect.poll(focused).not.toMatch(/^Prompt, Split the work/u);
    await page.keyboard.press('ArrowDown');
    await expect.poll(focused).toMatch(/^Reply, Delegated? to general-purpose/u);
    await page.keyboard.press('ArrowRight');
    await expect.poll(focused).toMatch(/^general-purpose, 7 messages/u);
    const said = (): Promise<string> => page.locator('.page-subtitle').innerText();
    const before = await said();
    await page.keyboard.press('Space');
    await expect.poll(said).not.toBe(before);
    await expect.poll(focused).toMatch(/^general-purpose/u);
    await page.keyboard.press('ArrowDown');
    await expect.poll(focused).toMatch(/^(?:Prompt|Reply|Result)/u);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\?at=[\w-]+&thread=\w+$/u);
    await page.context().close();
  });

  test('[PAGE-75] whatever is chosen in the outline is brought into view on the canvas', async () => {
    const page = await open(long);
    const outline = page.getByRole('tree', { name: 'Outline of the graph' });
    await outline.getByRole('treeitem').first().click();
    const row = (): Promise<string | null> => page.evaluate(() => document.activeElement?.getAttribute('data-row') ?? null);
    await expect.poll(row).toBe('0');
    await page.keyboard.press('ArrowDown');
    await expect.poll(row).toBe('1');
    const name = await page.evaluate(() => document.activeElement?.querySelector('.visually-hidden')?.textContent ?? '');
    await expect.poll(() => page.locator('.graph-card[data-current] a .visually-hidden').textContent()).toBe(name);
    await page.locator('.graph-card[data-current]').waitFor();
    await page.context().close();
  });

  type Tasks = Readonly<Record<'appearing' | 'opening' | 'moving', readonly string[]>>;

  const walkThrough = async (page: Page): Promise<Tasks> => {
    const said = page.locator('.page-subtitle');
    const appearing = await longTasksDuring(page, async () => {
      await page.evaluate((path) => history.pushState(null, '', path), `/sessions/${long}/graph`);
      await page.locator('.graph-card').first().waitFor();
      await page.getByRole('treeitem').first().waitFor();
      await expect.poll(() => said.innerText()).toMatch(/^Graph with \d{2,3} cards$/u);
    });
    const opening = await longTasksDuring(page, async () => {
      await page.getByRole('radio', { name: 'Messages' }).click();
      await expect.poll(() => said.innerText()).toMatch(/^Graph with [4-9],\d{3} cards$/u);
      await page.locator('.graph-card').first().waitFor();
    });
    const moving = await longTasksDuring(page, async () => {
      await page.mouse.move(900, 500);
      for (let n = 0; n < 40; n += 1) await page.mouse.wheel(0, -600);
      await page.getByRole('button', { name: 'Fit to view' }).click();
      await page.getByRole('button', { name: 'Go to latest' }).click();
      await page.locator('.graph-card').getByText('latest', { exact: true }).waitFor();
    });
    return { appearing, opening, moving };
  };

  test('[PAGE-78] 10,000 records appear, are opened and moved about in without a task of 50 ms', async () => {
    const page = await web.open('/sessions');
    await settled(page);
    const tries: Tasks[] = [];
    const isClean = (tasks: Tasks): boolean => Object.values(tasks).every((all) => all.length === 0);
    // Others at work on the machine make any task long now and then, but not the same one every time.
    while (tries.length < 3 && !tries.some(isClean)) {
      tries.push(await walkThrough(page));
      await page.evaluate(() => history.pushState(null, '', '/sessions'));
      await page.locator('.graph-canvas').waitFor({ state: 'detached' });
    }
    expect(tries).toContainEqual({ appearing: [], opening: [], moving: [] });
    await page.context().close();
  });

  test('[PAGE-78] [PAGE-76] of 10,000 records only what is near is in the page, and a click on the last goes to its message', async () => {
    const page = await open(long);
    await page.getByRole('radio', { name: 'Messages' }).click();
    await expect.poll(() => page.locator('.page-subtitle').innerText()).toMatch(/with [4-9],\d{3} cards$/u);
    await page.getByRole('button', { name: 'Go to latest' }).click();
    const last = page.locator('.graph-card', { has: page.getByText('latest', { exact: true }) });
    await last.waitFor();
    await expect.poll(() => page.locator('.graph-card').count()).toBeLessThan(60);
    await expect.poll(() => page.getByRole('treeitem').count()).toBeLessThan(60);
    await last.getByRole('link').click();
    await page.waitForURL(new RegExp(`/sessions/${long}\\?at=`, 'u'));
    await page.context().close();
  });

  test.each([
    [360, 'light'],
    [360, 'dark'],
    [1280, 'light'],
    [1280, 'dark'],
    [3840, 'light'],
  ] as const)('[PAGE-79] at %i px, %s: it holds, and a check of accessibility finds nothing', async (width, colorScheme) => {
    const page = await open(AGENTS, { width, height: width === 360 ? 740 : 900, colorScheme });
    expect(await web.axe(page)).toEqual([]);
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
    await page.getByRole('button', { name: 'Outline', exact: true }).click();
    await page.getByText('Legend', { exact: true }).or(page.getByRole('tree')).first().waitFor();
    expect(await web.axe(page)).toEqual([]);
    await page.context().close();
  });
});

const writeLongSession = (folder: string, records: number): void => {
  const project = join(folder, 'projects', '-home-dev-proj');
  mkdirSync(project, { recursive: true });
  const random = createRandom(7);
  const sheet = openFileSheet(join(project, `${random.uuid()}.jsonl`));
  writeLoneSession({ random, prose: createProse(random), tally: createTally() }, sheet, records);
  sheet.close();
};
