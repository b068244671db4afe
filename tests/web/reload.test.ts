import type { Locator, Page } from 'playwright-core';
import { startServer, type RunningServer } from '@yarnboard/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium } from '../chromium.ts';
import { builtPage } from './built-page.ts';
import { serveWeb, settled, type Web } from './harness.ts';

const executable = findChromium();

describe.skipIf(executable === null)('a reload while the server is away (no Chromium found: set CHROMIUM to its path)', () => {
  let web: Web;
  let server: RunningServer;

  beforeAll(async () => {
    web = await serveWeb({ executable: executable ?? '', roots: [] });
    ({ server } = web);
  });
  afterAll(async () => {
    await server.close();
    await web.close();
  });

  const startAgain = async (): Promise<void> => {
    server = await startServer({
      home: web.home,
      settings: { excludedProjects: [], roots: [] },
      roots: [],
      version: '0',
      programs: null,
      port: Number(new URL(web.url).port),
      pageFolder: process.env['YARNBOARD_PAGE'] ?? builtPage(),
      onFault: (cause) => expect.unreachable(String(cause)),
    });
  };

  const spawn = async (task: string): Promise<string> => {
    const { refs } = await web.ask('sidebar_spawn', { ['parent_id']: null, ['task_description']: task });
    return refs.find((ref) => ref.startsWith('SB-')) ?? '';
  };

  const said = (page: Page): Locator => page.getByRole('list', { name: 'Messages in this sidebar' }).locator('.talk-message-text');

  /** Said while the server is gone, and the page loaded again: the browser asks nothing, and shows that nobody answers. */
  const sayAndReload = async (ref: string, words: string): Promise<Page> => {
    const page = await web.open(`/sidebars/${ref}`, { expected: [/WebSocket|ERR_CONNECTION|net::/u] });
    await page.getByRole('textbox', { name: /^Message SB-/u }).waitFor();
    await server.close();
    await page.getByRole('status').getByText('Connecting…').waitFor();
    await page.getByRole('textbox', { name: /^Message SB-/u }).fill(words);
    await page.keyboard.press('Enter');
    await page.getByText('sending').waitFor();
    await expect(page.reload()).rejects.toThrow('ERR_CONNECTION_REFUSED');
    await page.waitForURL(/^chrome-error:/u);
    // That page loads itself again when somebody answers, and says what waits at a moment of its own.
    await page.goto('about:blank');
    return page;
  };

  test('[PAGE-140] what was said while the server was away is there once, after a reload', async () => {
    const ref = await spawn('Through a reload');
    const page = await sayAndReload(ref, 'while it was away');
    await startAgain();
    await page.goto(`${web.url}/sidebars/${ref}`);
    await page
      .getByRole('button', { name: /^Reply to/u })
      .first()
      .waitFor();
    await expect.poll(() => said(page).allTextContents()).toEqual(['while it was away']);
    const { items } = await web.ask('sidebar_memory', { ['sidebar_id']: ref });
    expect(items.map(({ content }) => content)).toEqual(['while it was away']);
    await page.reload();
    await expect.poll(() => said(page).allTextContents()).toEqual(['while it was away']);
    await page.context().close();
  });

  test('[PAGE-142] what was refused after a reload says so, with what was written, until it is dismissed', async () => {
    const ref = await spawn('Ended meanwhile');
    const page = await sayAndReload(ref, 'is anybody there?');
    await startAgain();
    await web.ask('sidebar_archive', { ['sidebar_id']: ref });
    await page.goto(`${web.url}/`);
    const told = page.getByRole('alert').filter({ hasText: 'Couldn’t save a message' });
    await told.getByText('is anybody there?').waitFor();
    await told.getByRole('link', { name: ref }).first().waitFor();
    await settled(page);
    expect(await web.axe(page)).toEqual([]);
    await told.getByRole('button', { name: 'Dismiss' }).click();
    await told.waitFor({ state: 'detached' });
    await page.context().close();
  });

  test('[PAGE-188] [PAGE-189] views that were never opened are there while the server is gone; one that could not be had is, when it is back', async () => {
    const page = await web.open('/sidebars', { expected: [/WebSocket|ERR_CONNECTION|net::|dynamically imported|Failed to load/u] });
    const HEALTH = /\/assets\/health-[^/]*\.js$/u;
    await page.route(HEALTH, (route) => route.abort());
    await page.reload();
    await page.waitForFunction(() => performance.getEntriesByType('resource').some(({ name }) => /\/palette-[^/]*\.js$/u.test(name)));
    await server.close();
    await page.getByRole('status').getByText('Connecting…').waitFor();
    const places = page.getByRole('navigation', { name: 'Main' });
    await places.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    await places.getByRole('link', { name: 'Health' }).click();
    await page.getByRole('heading', { name: 'Something went wrong' }).waitFor();
    await page.unroute(HEALTH);
    await startAgain();
    await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toBe('Health');
    await page.context().close();
  });
});
