import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { findChromium } from '../chromium.ts';
import { atRest, serveWeb, settled, type Web } from './harness.ts';
import { writeSessions } from './sessions.ts';
import { tellStory, type Story } from './story.ts';

const executable = findChromium();

describe.skipIf(executable === null)('the yarn board in a browser (no Chromium found: set CHROMIUM to its path)', () => {
  let web: Web;
  let folder: string;
  let story: Story;
  let finding: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'yarnboard-yarn-'));
    writeSessions(folder, Date.now());
    web = await serveWeb({ executable: executable ?? '', roots: [folder] });
    story = await tellStory(web.ask);
    finding = `${story.sidebars.merged.replace('SB-', 'SCRATCH-')}:FINDING-1`;
  });
  afterEach(() => {
    assert.deepEqual(web.complaints(), []);
  });
  afterAll(async () => {
    await web.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const open = async (path: string, options: Parameters<Web['open']>[1] = {}): Promise<Page> => {
    const page = await web.open(path, options);
    await page.getByRole('tree', { name: 'Outline of the yarn board' }).getByRole('treeitem').first().waitFor();
    await settled(page);
    return page;
  };
  const rows = (page: Page) => page.getByRole('tree', { name: 'Outline of the yarn board' }).getByRole('treeitem');
  const focused = (page: Page): Promise<string> => page.evaluate(() => document.activeElement?.textContent ?? '');
  /** Goes down the outline to the next line that fits. */
  const goTo = async (page: Page, fits: RegExp): Promise<void> => {
    for (let n = 0; n < 80; n += 1) {
      if (fits.test(await focused(page))) return;
      const before = await page.evaluate(() => document.activeElement?.getAttribute('data-row'));
      await page.keyboard.press('ArrowDown');
      await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-row'))).not.toBe(before);
    }
    throw new Error(`no line fits ${String(fits)}; the last is "${await focused(page)}"`);
  };

  const cards = async (page: Page): Promise<number> => Number(/^(\d+) card/u.exec(await page.locator('.page-subtitle').innerText())?.[1] ?? 0);
  /** Unfolds the line that has the focus, until what hangs there has come. */
  const unfold = async (page: Page): Promise<void> => {
    const before = await cards(page);
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => cards(page)).toBeGreaterThan(before);
    await settled(page);
  };

  test('[PAGE-230] [PAGE-236] [PAGE-240] by keyboard alone: from a merged finding back to its message, on from there, and forward to what it was merged as', async () => {
    const page = await web.open(`/sidebars/${story.sidebars.merged}?tab=scratchpad`);
    await page.getByRole('link', { name: `Trace ${finding}` }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/trace\//u);
    await rows(page).first().waitFor();
    await settled(page);
    await rows(page).first().focus();
    await expect.poll(() => focused(page)).toMatch(/^Finding Finding 1/u);
    // Back: the message it rests on, and what that hangs together with.
    await goTo(page, new RegExp(`^rests on, (?:Message|Tool call) ${story.message}`, 'u'));
    await unfold(page);
    await expect.poll(() => new URL(page.url()).searchParams.get('open')).toContain(story.message);
    await goTo(page, /^part of/u);
    await page.keyboard.press('ArrowRight');
    await goTo(page, /Session /u);
    // Forward: what the sidebar left where it was merged into.
    await page.keyboard.press('Home');
    await goTo(page, /^(?:merged in|brought|kept as|source of|made of)/u);
    await goTo(page, /Message MSG-\d+.*completed/u);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/sessions\/[^?]+\?/u);
    await page.goBack();
    // What was unfolded stands in the address.
    await rows(page).first().waitFor();
    await expect.poll(() => rows(page).filter({ hasText: story.message }).count()).toBeGreaterThan(0);
    await page.context().close();
  });

  test('[PAGE-231] [PAGE-233] earlier stands left, later right; whatever is pointed at lights up its strings and says what they are', async () => {
    const page = await open(`/trace/${encodeURIComponent(finding)}`);
    const card = (name: RegExp) => page.getByRole('group', { name: 'Yarn board' }).locator('.yarn-card', { has: page.getByRole('link', { name }) });
    const left = async (name: RegExp): Promise<number> => (await card(name).first().boundingBox())?.x ?? Number.NaN;
    await card(/^Finding Finding 1/u).waitFor();
    const places = () => Promise.all([left(new RegExp(`^\\S+.* ${story.message}`, 'u')), left(/^Finding Finding 1/u), left(/^GOLD GOLD-1/u)]);
    const shown = await atRest(page, places);
    expect(shown).toEqual(shown.toSorted((a, b) => a - b));
    expect(new Set(shown).size).toBe(3);
    await expect.poll(() => page.locator('.react-flow__edge').count()).toBeGreaterThan(4);
    await card(/^GOLD GOLD-1/u).hover();
    await expect.poll(() => page.locator('.yarn-string-lit').count()).toBeGreaterThan(0);
    await expect.poll(() => page.locator('.yarn-said').innerText()).toMatch(/^GOLD-1 made of Finding 1/u);
    await expect.poll(() => card(/^Finding Finding 1/u).getAttribute('data-lit')).toBe('true');
    await page.context().close();
  });

  test('[PAGE-240] [PAGE-236] from a file, by keyboard alone, to the GOLD that came of an edit of it', async () => {
    const path = '/home/dev/shop/src/gateway/pool.ts';
    const edit = (await web.ask('file_history', { path })).items[0]?.ref ?? '';
    const sb = { ['sidebar_id']: story.sidebars.active };
    await web.ask('scratchpad_entry_submitted', { ...sb, content: 'The pool says when it is full.', ['source_refs']: [edit] });
    const { pending_findings: pending } = await web.ask('scratchpad', sb);
    const pool = pending.find(({ source_refs: refs }) => refs.includes(edit))?.entry_id ?? '';
    const marked = await web.ask('gold_created', {
      ['source_refs']: [pool],
      ['key_insight']: 'A pool that is full has to say so.',
      ['reuse_pattern']: 'Give every wait an end.',
      ['trigger_conditions']: ['requests hang while a pool is empty'],
    });
    const gold = marked.refs.find((ref) => ref.startsWith('GOLD-')) ?? '';
    const page = await web.open(`/files?path=${encodeURIComponent(path)}`);
    await page.getByRole('link', { name: 'Trace', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/trace\//u);
    await rows(page).first().waitFor();
    await settled(page);
    await rows(page).first().focus();
    await expect.poll(() => focused(page)).toMatch(/^File pool\.ts/u);
    await goTo(page, new RegExp(`^edited by, Tool call ${edit}`, 'u'));
    await unfold(page);
    await goTo(page, /^evidence for, Finding .*The pool says when it is full/u);
    await unfold(page);
    await goTo(page, new RegExp(`^source of, GOLD ${gold}`, 'u'));
    expect(await web.axe(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => !url.pathname.startsWith('/trace/'));
    await page.getByText('A pool that is full has to say so.').first().waitFor();
    await page.context().close();
  });

  test('[PAGE-239] two chosen cards show the ways between them', async () => {
    const page = await open(`/trace/${encodeURIComponent(finding)}`);
    await rows(page).first().focus();
    await page.keyboard.press('c');
    await page.getByText('Finding 1 is chosen. Choose another card').waitFor();
    await goTo(page, /GOLD GOLD-1/u);
    await page.keyboard.press('c');
    await page.getByText(/^\d+ ways? from Finding 1 to GOLD-1$/u).waitFor();
    await page.getByRole('button', { name: 'Clear choice' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('ways')).toBeNull();
    await page.context().close();
  });

  test('[PAGE-231] [PAGE-235] what happens meanwhile appears and moves nothing; a card that was moved stays there after a reload', async () => {
    const page = await open(`/trace/${story.sidebars.paused}`);
    const nodes = page.locator('.react-flow__node');
    await nodes.first().waitFor();
    const places = (): Promise<readonly (readonly [string, string])[]> =>
      nodes.evaluateAll((all) =>
        all.map((one) => [one.getAttribute('data-id') ?? '', one instanceof HTMLElement ? one.style.transform : ''] as const),
      );
    await expect.poll(async () => (await places()).length).toBeGreaterThan(1);
    const before = await atRest(page, places);
    await web.ask('chat_message', { ['sidebar_id']: story.sidebars.paused, content: 'A queue only moves the wait.' });
    await expect.poll(async () => (await places()).length).toBeGreaterThan(before.length);
    expect(await atRest(page, places)).toEqual(expect.arrayContaining([...before]));
    const root = page.locator(`.react-flow__node[data-id="${story.sidebars.paused}"]`);
    const box = await root.boundingBox();
    assert(box !== null);
    await page.mouse.move(box.x + 40, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + 40, box.y - 60, { steps: 5 });
    await page.mouse.up();
    const transformOf = (): Promise<string> => root.evaluate((one) => (one instanceof HTMLElement ? one.style.transform : ''));
    await page.getByRole('button', { name: 'Reset layout' }).waitFor();
    const moved = await atRest(page, transformOf);
    expect(page.url()).toContain('/trace/');
    await page.reload();
    await root.waitFor();
    await expect.poll(transformOf).toBe(moved);
    await page.getByRole('button', { name: 'Reset layout' }).click();
    await expect.poll(transformOf).not.toBe(moved);
    await page.context().close();
  });

  test.each([
    [360, 'light'],
    [360, 'dark'],
    [1280, 'dark'],
  ] as const)(
    '[PAGE-241] at %s px, %s: nothing overflows, axe finds nothing; where there is little room the outline comes first',
    async (width, colorScheme) => {
      const page = await open(`/trace/${story.sidebars.active}`, { width, height: 780, colorScheme });
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      expect(await web.axe(page)).toEqual([]);
      await expect.poll(() => page.getByRole('group', { name: 'Yarn board' }).isVisible()).toBe(width > 800);
      if (width < 800) await page.getByRole('button', { name: 'Outline' }).click();
      await page.locator('.yarn-card').first().waitFor();
      await settled(page);
      expect(await web.axe(page)).toEqual([]);
      await page.context().close();
    },
  );
});
