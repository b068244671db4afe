import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { findChromium } from '../chromium.ts';
import { DEMO, serveWeb, settled, type Web } from './harness.ts';

const executable = findChromium();

describe.skipIf(executable === null)('the search in a browser (no Chromium found: set CHROMIUM to its path)', () => {
  let web: Web;
  beforeAll(async () => {
    web = await serveWeb({ executable: executable ?? '', roots: [DEMO] });
  });
  afterEach(() => {
    assert.deepEqual(web.complaints(), []);
  });
  afterAll(() => web.close());

  const results = (page: Page) => page.getByRole('list', { name: 'Results' }).getByRole('listitem');
  const focusedIn = (page: Page): Promise<string> => page.evaluate(() => document.activeElement?.className ?? '');

  test('[PAGE-68] Ctrl-K finds a misspelled word from anywhere, and Enter opens the message', async () => {
    const page = await web.open('/health');
    await settled(page);
    await page.keyboard.press('Control+k');
    const box = page.getByRole('combobox', { name: 'Search everything' });
    await box.and(page.locator(':focus')).waitFor();
    await page.keyboard.type('delegat three levls');
    const first = page.getByRole('option').first();
    // The same message is found by its first words already.
    await expect.poll(() => first.locator('mark').allInnerTexts()).toEqual(['Delegate', 'three', 'levels']);
    await expect.poll(() => first.innerText()).toMatch(/^Delegate three levels deep\./u);
    await expect.poll(() => first.getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/sessions\/[\w-]+\?at=MSG-\d+$/u);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.context().close();
  });

  test('[PAGE-68] the box in the bar opens it, Escape closes it, and the focus is back where it was', async () => {
    const page = await web.open('/sessions');
    await settled(page);
    const button = page.getByRole('button', { name: 'Search everything' });
    await button.click();
    await page.getByRole('combobox', { name: 'Search everything' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => focusedIn(page)).toBe('frame-search');
    await page.keyboard.press('/');
    await page.getByRole('combobox', { name: 'Search everything' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('agents');
    await page.keyboard.press('Control+Enter');
    await page.waitForURL(/\/search\?q=agents$/u);
    await expect.poll(() => results(page).count()).toBeGreaterThan(2);
    await page.context().close();
  });

  test('[PAGE-68] [PAGE-61] a reference that is typed leads to its message without a step in between', async () => {
    const page = await web.open('/sessions');
    await settled(page);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search everything' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('msg-3');
    await page.getByRole('option', { name: /^Open MSG-3/u, selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/sessions\/[\w-]+\?at=MSG-3$/u);
    await page.goBack();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/sessions');
    await page.context().close();
  });

  test('[PAGE-62] [PAGE-64] [PAGE-66] a search by keyboard alone: typed, narrowed, kept in the address, opened, gone back to', async () => {
    const page = await web.open('/search');
    await settled(page);
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Search everything');
    await page.keyboard.type('agent count');
    await page.waitForURL(/\/search\?q=agent\+count$/u);
    await expect.poll(() => results(page).count()).toBeGreaterThan(1);
    // Not those to what was typed before.
    await settled(page);
    const all = await results(page).count();
    await page.keyboard.press('Tab'); // the button that clears
    await page.keyboard.press('Tab'); // the project
    await page.keyboard.press('Tab'); // who
    await page.keyboard.press('P');
    await page.waitForURL(/\/search\?q=agent\+count&actor=human$/u);
    await expect.poll(() => results(page).count()).toBeLessThan(all);
    await settled(page);
    const people = await results(page).count();
    expect(people).toBeGreaterThan(0);
    await page.reload();
    await settled(page);
    await expect.poll(() => results(page).count()).toBe(people);
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Search everything');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => focusedIn(page)).toContain('search-hit');
    const ring = await page.locator('.search-hit:focus').evaluate((element) => getComputedStyle(element).boxShadow);
    expect(ring).not.toBe('none');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/sessions\/[\w-]+\?at=/u);
    await page.goBack();
    await page.waitForURL(/\/search\?q=agent\+count&actor=human$/u);
    await expect.poll(() => results(page).count()).toBe(people);
    await page.context().close();
  });

  test('[PAGE-69] in a narrow box times stand on one line, and what a session is in and when it was is read whole', async () => {
    const page = await web.open('/health', { width: 360, height: 740 });
    await settled(page);
    await page.keyboard.press('Control+k');
    const box = page.getByRole('combobox', { name: 'Search everything' });
    await box.waitFor();
    const session = page.getByRole('group', { name: 'Sessions' }).getByRole('option').first();
    await session.waitFor();
    await expect.poll(() => session.locator('.palette-hint').evaluate((hint) => hint.scrollWidth - hint.clientWidth)).toBe(0);
    await box.fill('agent');
    const times = page.getByRole('group', { name: 'Messages' }).locator('.hit-source > :last-child');
    await times.first().waitFor();
    const shown = await times.evaluateAll((all) =>
      all.map((time) => ({
        lines: time.getClientRects().length,
        isWhole: time.scrollWidth <= Math.max(time.clientWidth, time.getBoundingClientRect().width),
      })),
    );
    expect(shown).toEqual(shown.map(() => ({ lines: 1, isWhole: true })));
    await page.context().close();
  });

  test('[PAGE-67] [PAGE-61] nothing found, and a reference to nothing, say what to do', async () => {
    const page = await web.open('/search?q=xyzzyplugh');
    await page.getByText('No results for “xyzzyplugh”').waitFor();
    await page.goto(`${web.url}/refs/MSG-987654`);
    await page.getByText('MSG-987654 not found').waitFor();
    await page.getByRole('link', { name: 'Search for it as text' }).click();
    await expect.poll(() => page.url()).toBe(`${web.url}/search?q=MSG-987654`);
    await page.context().close();
  });

  test.each([
    [360, 'light'],
    [360, 'dark'],
    [1280, 'light'],
    [1280, 'dark'],
    [3840, 'light'],
  ] as const)('[PAGE-69] at %i px, %s: it holds, and a check of accessibility finds nothing', async (width, colorScheme) => {
    const page = await web.open('/search?q=agent&since=2020-01-01', { width, height: width === 360 ? 740 : 900, colorScheme });
    await settled(page);
    await results(page).first().waitFor();
    const overflow = (): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    const found: Record<string, unknown> = { results: await web.axe(page), width: await overflow() };
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await page.getByRole('heading', { name: 'Search tips' }).waitFor();
    found['hints'] = await web.axe(page);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search everything' }).fill('agent');
    await page.getByRole('option', { name: /agent/iu }).first().waitFor();
    found['palette'] = await web.axe(page);
    found['palette width'] = await overflow();
    expect(found).toEqual({ results: [], width: 0, hints: [], palette: [], ['palette width']: 0 });
    await page.context().close();
  });
});
