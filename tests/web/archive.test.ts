import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { findChromium } from '../chromium.ts';
import { serveWeb, settled, type Given, type Web } from './harness.ts';
import { writeSessions } from './sessions.ts';
import { tellStory, type Story } from './story.ts';

const executable = findChromium();

describe.skipIf(executable === null)('the archive in a browser (no Chromium found: set CHROMIUM to its path)', () => {
  let web: Web;
  let folder: string;
  let story: Story;
  let typed: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'yarnboard-archive-'));
    writeSessions(folder, Date.now());
    web = await serveWeb({ executable: executable ?? '', roots: [folder] });
    story = await tellStory(web.ask);
    const { refs } = await web.ask('sidebar_spawn', {
      ['parent_id']: null,
      ['task_description']: 'Authentication breaks behind the proxy',
      ['task_type']: 'forensics',
      tags: ['zeppelin'],
    });
    typed = refs.find((ref) => ref.startsWith('SB-')) ?? '';
    const { fork, child, failed, merged } = story.sidebars;
    for (const ref of [fork, child, failed, merged, typed]) await web.ask('sidebar_archive', { ['sidebar_id']: ref });
    await web.ask('memory_archive', { refs: [story.message], reason: 'worth knowing', tags: ['zeppelin'] });
    await web.server.drain();
  });
  afterEach(() => {
    assert.deepEqual(web.complaints(), []);
  });
  afterAll(async () => {
    await web.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** What is listed, by its references, in no order. */
  const listed = (page: Page): Promise<readonly string[]> =>
    page
      .locator('.archive-card')
      .evaluateAll((cards) => cards.map((card) => card.getAttribute('aria-label')?.replace(/: .*$/su, '') ?? '').toSorted());
  const open = async (path: string, options: Parameters<Web['open']>[1] = {}): Promise<Page> => {
    const page = await web.open(path, options);
    await page.locator('.archive-card').first().waitFor();
    await settled(page);
    return page;
  };
  const found = async (given: Given): Promise<readonly string[]> =>
    (await web.ask('archive_search', given)).items.map((one) => one.sidebar_id).toSorted();
  const kept = async (given: Given): Promise<readonly string[]> => (await web.ask('episodes', given)).items.map((one) => one.entry_id).toSorted();

  /** Checks one of several behind a button, and closes the menu. */
  const check = async (page: Page, menu: string, choice: string): Promise<void> => {
    await page.getByRole('button', { name: menu, exact: true }).click();
    await page.getByRole('menuitemcheckbox', { name: new RegExp(`^${choice}`, 'u') }).click();
    await page.keyboard.press('Escape');
  };
  const further = (page: Page): Promise<void> => page.getByRole('button', { name: 'More filters' }).click();
  const name = async (page: Page, field: string, text: string): Promise<void> => {
    await page.getByRole('textbox', { name: field, exact: true }).fill(text);
    await page.keyboard.press('Enter');
  };

  test('[PAGE-501] every filter of the archive narrows it, and is there again when the page is loaded from its address', async () => {
    const { archived, fork, child, active, failed, merged } = story.sidebars;
    const today = new Date().toISOString().slice(0, 10);
    const filters: readonly (readonly [what: string, choose: (page: Page) => Promise<unknown>, expected: readonly string[]])[] = [
      ['words', (page) => page.getByRole('textbox', { name: 'Words' }).fill('authentcation proxi'), [typed]],
      [
        'spelling',
        async (page) => {
          await page.getByRole('textbox', { name: 'Words' }).fill('brdges');
          await further(page);
          await page.getByRole('combobox', { name: 'Spelling' }).selectOption('60');
        },
        await found({ ['fuzzy_text']: 'brdges', ['fuzzy_threshold']: 0.6 }),
      ],
      [
        'meaning',
        async (page) => {
          await page.getByRole('textbox', { name: 'Meaning' }).fill('drawing rivers on a map');
          await further(page);
          await page.getByRole('combobox', { name: 'Closeness in meaning' }).selectOption('30');
        },
        await found({ ['query_text']: 'drawing rivers on a map', ['similarity_threshold']: 0.3 }),
      ],
      ['outcome', (page) => check(page, 'Outcome', 'Failed'), [failed]],
      ['type', (page) => check(page, 'Type', 'forensics'), [typed]],
      ['people', (page) => check(page, 'People', 'review'), await found({ participants: 'review' })],
      ['tags', (page) => check(page, 'Tags', 'zeppelin'), [typed]],
      ['gold', (page) => page.getByRole('combobox', { name: 'GOLD' }).selectOption('with'), [merged]],
      [
        'days',
        async (page) => {
          await page.getByRole('combobox', { name: 'When' }).selectOption('own');
          await page.getByLabel('From').fill('2020-01-01');
          await page.getByLabel('To', { exact: true }).fill(today);
        },
        await found({ ['from_date']: '2020-01-01', ['to_date']: today }),
      ],
      ['reason', async (page) => (await further(page), check(page, 'Reason', 'After it failed')), [failed]],
      [
        'project',
        async (page) => (await further(page), page.getByRole('combobox', { name: 'Project' }).selectOption('/home/dev/shop')),
        await found({ project: '/home/dev/shop' }),
      ],
      [
        'archived by',
        async (page) => (await further(page), page.getByRole('combobox', { name: 'Archived by' }).selectOption({ label: 'operator' })),
        await found({ ['archived_by']: 'operator' }),
      ],
      ['branched off', async (page) => (await further(page), name(page, 'Branched off', active)), [child]],
      ['sidebar', async (page) => (await further(page), name(page, 'Sidebar', typed)), [typed]],
      ['children', async (page) => (await further(page), name(page, 'Children of', active)), [child]],
      ['forks', async (page) => (await further(page), name(page, 'Forks of', archived)), [fork]],
      ['forked into', async (page) => (await further(page), name(page, 'Forked into', fork)), [archived]],
    ];
    const page = await open('/archive');
    const all = [archived, fork, child, failed, merged, typed].toSorted();
    await expect.poll(() => listed(page)).toEqual(all);
    for (const [what, choose, expected] of filters) {
      await page.goto(`${web.url}/archive`);
      await expect.poll(() => listed(page), { message: what }).toEqual(all);
      await choose(page);
      expect([what, expected.length > 0]).toEqual([what, true]);
      await expect.poll(() => listed(page), { message: what }).toEqual(expected);
      await expect.poll(() => new URL(page.url()).search, { message: what }).not.toBe('');
      await settled(page);
      await page.reload();
      await expect.poll(() => listed(page), { message: `${what}, loaded again` }).toEqual(expected);
    }
    await page.context().close();
  });

  test('[PAGE-501] all filters together, then none: what is cleared is gone from the address', async () => {
    const page = await open('/archive?q=authentcation&outcome=active&type=forensics&who=AGENT-operator&tag=zeppelin&reason=manual&gold=without');
    await expect.poll(() => listed(page)).toEqual([typed]);
    await page.getByText(/^Words in the task · \d+%$/u).waitFor();
    await expect.poll(() => page.locator('.archive-match mark').allInnerTexts()).toEqual(['Authentication']);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.waitForURL(/\/archive\?q=authentcation$/u);
    await expect.poll(() => listed(page)).toEqual([typed]);
    await page.context().close();
  });

  test('[PAGE-504] every filter of episodes narrows them, and stands in the address', async () => {
    const checkpoint = `${story.sidebars.active}:CHECKPOINT-1`;
    const filters: readonly (readonly [what: string, choose: (page: Page) => Promise<unknown>, given: Given])[] = [
      ['words', (page) => page.getByRole('textbox', { name: 'Words' }).fill('exhaust'), { words: 'exhaust' }],
      ['trigger', (page) => page.getByRole('combobox', { name: 'Kept by' }).selectOption('manual'), { reason: 'manual' }],
      ['provisional', (page) => page.getByRole('radio', { name: 'Provisional', exact: true }).click(), { standing: 'provisional' }],
      ['final', (page) => page.getByRole('radio', { name: 'Final' }).click(), { standing: 'final' }],
      ['settled', (page) => page.getByRole('radio', { name: 'Not provisional' }).click(), { provisional: false }],
      ['tag', (page) => name(page, 'Tag', 'zeppelin'), { tag: 'zeppelin' }],
      ['sidebar', (page) => name(page, 'Sidebar', story.sidebars.merged), { ['sidebar_id']: story.sidebars.merged }],
      ['checkpoint', (page) => name(page, 'Checkpoint', checkpoint), { ['checkpoint_id']: checkpoint }],
      ['days', (page) => page.getByRole('combobox', { name: 'When' }).selectOption('7'), { since: '2020-01-01' }],
    ];
    const page = await open('/archive?tab=episodes');
    for (const [what, choose, given] of filters) {
      await page.goto(`${web.url}/archive?tab=episodes`);
      await expect.poll(async () => (await listed(page)).length, { message: what }).toBeGreaterThan(1);
      await choose(page);
      const expected = await kept(given);
      expect([what, expected.length > 0]).toEqual([what, true]);
      await expect.poll(() => new URL(page.url()).searchParams.size, { message: what }).toBeGreaterThan(1);
      await expect.poll(() => listed(page), { message: what }).toEqual(expected);
    }
    await page.getByRole('radio', { name: 'Superseded' }).click();
    await expect.poll(() => listed(page)).toEqual(await kept({ standing: 'superseded', since: '2020-01-01' }));
    await page.context().close();
  });

  test('[PAGE-505] with the keyboard alone: from the navigation into the results, to a sidebar, and back to where one was', async () => {
    const page = await web.open('/sidebars');
    await settled(page);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Archive' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/archive$/u);
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Words');
    await page.keyboard.type('authentcation');
    await expect.poll(() => listed(page)).toEqual([typed]);
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.evaluate(() => document.activeElement?.className ?? '')).toBe('archive-card-title');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Words');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.evaluate(() => document.activeElement?.className ?? '')).toBe('archive-card-title');
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`/sidebars/${typed}$`, 'u'));
    await page.goBack();
    await expect.poll(() => listed(page)).toEqual([typed]);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search everything' }).fill('episodes');
    await page.getByRole('option', { name: 'Episodes', exact: true }).click();
    await page.waitForURL(/\/archive\?tab=episodes$/u);
    await page.context().close();
  });

  test('[PAGE-503] a fork is made from the card, and a trace opened', async () => {
    const page = await open(`/archive?sidebar=${typed}`);
    await page.getByRole('link', { name: `Trace ${typed}` }).click();
    await page.waitForURL(new RegExp(`/trace/${typed}$`, 'u'));
    await page.goBack();
    await page.getByRole('button', { name: `Fork ${typed}…` }).click();
    const dialog = page.getByRole('dialog', { name: `Fork ${typed}` });
    await dialog.getByRole('textbox', { name: 'Why fork it?' }).fill('It is back.');
    await dialog.getByRole('button', { name: 'Fork', exact: true }).click();
    await page.waitForURL(/\/sidebars\/SB-\d+$/u);
    await expect.poll(() => found({ ['forked_into']: page.url().replace(/^.*\//u, '') })).toEqual([typed]);
    await page.context().close();
  });

  test('[PAGE-506] [PAGE-507] a message of a sidebar is marked as GOLD where it stands, and a checkpoint leads to its trace', async () => {
    const page = await web.open(`/sidebars/${story.sidebars.active}`);
    await settled(page);
    const button = page.getByRole('button', { name: /^Mark MSG-\d+ as GOLD$/u }).first();
    const ref = /MSG-\d+/u.exec((await button.getAttribute('aria-label')) ?? '')?.[0] ?? '';
    await button.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Mark as GOLD' });
    await dialog.getByText(ref, { exact: true }).first().waitFor();
    await dialog.getByRole('textbox', { name: 'Key insight' }).fill('The report holds its connection.');
    await dialog.getByRole('textbox', { name: 'How to reuse it' }).fill('Look at jobs at full hours.');
    await dialog.getByRole('textbox', { name: 'Triggers' }).fill('timeouts at noon');
    await dialog.getByRole('button', { name: 'Mark as GOLD' }).click();
    await page.getByText(/^GOLD-\d+ saved$/u).waitFor();
    const [gold] = (await web.ask('golds', { limit: 1 })).items;
    expect(gold?.source_refs).toEqual([ref]);
    await page.goto(`${web.url}/sidebars/${story.sidebars.active}?tab=checkpoints`);
    await page.getByRole('link', { name: `Trace ${story.sidebars.active}:CHECKPOINT-1` }).click();
    await page.getByRole('tree', { name: 'Outline of the yarn board' }).getByRole('treeitem').first().waitFor();
    await page.context().close();
  });

  test.each([
    [360, 'light'],
    [360, 'dark'],
    [1280, 'light'],
    [1280, 'dark'],
    [3840, 'light'],
  ] as const)('[PAGE-505] at %i px, %s: it holds, and a check of accessibility finds nothing', async (width, colorScheme) => {
    const page = await open('/archive?q=river&alike=60', { width, height: width === 360 ? 740 : 900, colorScheme });
    const overflow = (): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    const results: Record<string, unknown> = { sidebars: await web.axe(page), width: await overflow() };
    await page.getByRole('tab', { name: 'Episodes' }).click();
    await page.waitForURL(/tab=episodes/u);
    await page.locator('.archive-card').first().waitFor();
    await settled(page);
    results['episodes'] = await web.axe(page);
    results['episodes width'] = await overflow();
    expect(results).toEqual({ sidebars: [], width: 0, episodes: [], ['episodes width']: 0 });
    await page.context().close();
  });
});
