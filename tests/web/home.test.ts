import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { call, elsewhere, makeTranscripts, OTHER, prompt, reply, SESSION } from '../../packages/web/test/features/home/transcripts.ts';
import { findChromium } from '../chromium.ts';
import { serveWeb, settled, type Web } from './harness.ts';

const executable = findChromium();

describe.skipIf(executable === null)('home, settings, health and agents in a browser (no Chromium found: set CHROMIUM to its path)', () => {
  const transcripts = makeTranscripts();
  let web: Web;
  const pages: Page[] = [];
  beforeAll(async () => {
    transcripts.add(SESSION, [prompt('p1', null, 'weave a basket')]);
    for (let day = 1; day < 40; day += 3) {
      const id = `33333333-0000-4000-8000-${String(day).padStart(12, '0')}`;
      transcripts.add(id, [
        elsewhere(prompt(`p-${day}`, null, `basket ${day}`), { daysAgo: day }),
        elsewhere(reply(`r-${day}`, `p-${day}`, 'woven'), { daysAgo: day }),
      ]);
    }
    web = await serveWeb({ executable: executable ?? '', roots: [transcripts.root] });
  });
  afterEach(async () => {
    for (const page of pages.splice(0)) await page.context().close();
  });
  afterAll(async () => {
    await web.close();
    transcripts.remove();
  });

  const open: Web['open'] = async (path, options) => {
    const page = await web.open(path, options);
    pages.push(page);
    await settled(page);
    return page;
  };
  const running = (page: Page) => page.getByRole('region', { name: 'Running now' });

  test('[PAGE-40] home shows a session at work while its file grows, and a new one without being asked', async () => {
    const page = await open('/');
    await running(page).getByText('weave a basket').waitFor();
    transcripts.add(SESSION, [call('u1', 'p1', 'Bash', { command: 'npm test' })]);
    await running(page).getByText('Running npm test').waitFor();
    transcripts.add(OTHER, [prompt('q1', null, 'paint a wall')]);
    await running(page).getByText('paint a wall').waitFor();
    await page.getByRole('link', { name: 'paint a wall' }).first().click();
    await expect.poll(() => page.url()).toBe(`${web.url}/sessions/${OTHER}`);
  });

  test('[PAGE-42] a permission that a run asks for is given on the page', async () => {
    const sdk = join(web.home.folder, 'node_modules/@anthropic-ai/claude-agent-sdk');
    mkdirSync(sdk, { recursive: true });
    writeFileSync(join(sdk, 'package.json'), JSON.stringify({ type: 'module', main: 'sdk.mjs' }));
    writeFileSync(join(sdk, 'sdk.mjs'), ASKING_SDK);
    const page = await open('/');
    const { run_id: id } = await web.ask('start_run', { cwd: web.home.folder, prompt: 'clean up' });
    const asked = page.getByRole('article', { name: 'Permission to use Bash' });
    await asked.getByText('Running rm -rf reeds').waitFor();
    expect(await web.axe(page)).toEqual([]);
    await asked.getByRole('button', { name: 'Allow', exact: true }).click();
    await asked.waitFor({ state: 'detached' });
    await expect.poll(async () => (await web.ask('run', { id })).pending).toEqual([]);
    await web.ask('abort_run', { id });
  });

  test('[PAGE-49] cost and responses are plotted, by what and over how long one chooses', async () => {
    const page = await open('/');
    const bars = page.locator('.spending-figure').first().locator('.spending-bar');
    await expect.poll(() => bars.count()).toBe(10);
    await page.getByRole('radio', { name: '7 days' }).click();
    await expect.poll(() => bars.count()).toBe(2);
    await bars.last().hover();
    await page.locator('.spending-day').getByText('Opus 4.5').waitFor();
    await page.getByRole('radio', { name: 'Project' }).click();
    await page.locator('.spending-keys').first().getByText('loom').waitFor();
  });

  test('[PAGE-45] what waits is read on the page, in two browsers at once', async () => {
    const { token } = await web.ask('agent_register', { ['agent_id']: 'weaver' });
    const [page, other] = [await open('/'), await open('/')];
    await web.ask('sidebar_spawn', { ['parent_id']: null, ['task_description']: 'Why?', participants: ['weaver'] });
    await web.ask('chat_message', { ['sidebar_id']: 'SB-1', content: '@operator have a look' }, token);
    for (const one of [page, other]) await one.getByRole('link', { name: /Unread: You were mentioned/u }).waitFor();
    await page.getByRole('button', { name: 'Mark all as read' }).click();
    for (const one of [page, other]) await expect.poll(() => one.getByRole('link', { name: /You were mentioned/u }).count()).toBe(0);
  });

  test.each(['/', '/sessions', '/settings', '/health', '/agents'])(
    '[PAGE-40] %s has no barrier in light and dark, and holds at 360 and 3840 pixels',
    async (path) => {
      const page = await open(path);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.locator(`[data-theme="${colorScheme}"]`).waitFor();
        expect({ colorScheme, violations: await web.axe(page) }).toEqual({ colorScheme, violations: [] });
      }
      for (const [width, height] of [
        [360, 780],
        [3840, 2160],
      ] as const) {
        await page.setViewportSize({ width, height });
        const look = (): Promise<boolean> =>
          page.evaluate(() => {
            const main = document.querySelector('main');
            return document.documentElement.scrollWidth > innerWidth || (main?.scrollWidth ?? 0) > (main?.clientWidth ?? 0);
          });
        // Plots are drawn anew a moment after there is another width.
        await expect.poll(async () => ({ width, isTooWide: await look() })).toEqual({ width, isTooWide: false });
      }
    },
  );

  test('[PAGE-49] the tables of the plots have no barrier either', async () => {
    const page = await open('/');
    await page.getByRole('button', { name: 'Tables' }).click();
    await page.getByRole('table').first().waitFor();
    expect(await web.axe(page)).toEqual([]);
  });

  test('[PAGE-53] the list of sessions is walked by keyboard to a session', async () => {
    const page = await open('/sessions');
    await page.getByRole('searchbox', { name: 'Filter sessions' }).fill('basket 13');
    await page.getByRole('link', { name: /basket 13/u }).waitFor();
    await expect.poll(() => page.getByRole('link', { name: /weave a basket|paint a wall|basket (?!13\b)\d/u }).count()).toBe(0);
    // Over the way to a search in everything.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).toBe(`${web.url}/sessions/33333333-0000-4000-8000-000000000013`);
  });

  test('[PAGE-56] the log is verified and the verdict told', async () => {
    const page = await open('/health');
    await page.getByRole('button', { name: 'Verify log' }).click();
    await page.getByText('Log verified').waitFor();
    expect(await web.axe(page)).toEqual([]);
  });

  test('[PAGE-54] the theme that is chosen is there again after a reload', async () => {
    const page = await open('/settings');
    await page.getByRole('radio', { name: 'Dark' }).click();
    await page.locator('[data-theme=dark]').waitFor();
    await page.reload();
    await settled(page);
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
  });

  test('[PAGE-59] an agent is added, its token shown once and good', async () => {
    const page = await open('/agents');
    await page.getByRole('button', { name: 'Add an agent' }).click();
    await page.locator('input:focus').waitFor();
    await page.keyboard.type('painter');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Token for painter' });
    await dialog.waitFor();
    expect(await web.axe(page)).toEqual([]);
    await expect.poll(() => dialog.locator('code').count()).toBe(2);
    const [token = '', line = ''] = await dialog.locator('code').allTextContents();
    expect(line).toBe(`claude mcp add --transport http yarnboard ${web.url}/mcp --header "Authorization: Bearer ${token}"`);
    expect((await web.ask('inbox', {}, token)).agent_id).toBe('AGENT-painter');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('heading', { name: 'painter' }).waitFor();
    await page.reload();
    await settled(page);
    expect((await page.content()).includes(token)).toBe(false);
  });
});

/** As much of the Agent SDK as it takes to ask for one permission. */
const ASKING_SDK = `
export const query = ({ prompt, options }) => {
  const aborted = new Promise((_, reject) => options.abortController.signal.addEventListener('abort', () => reject(new Error('aborted'))));
  const messages = (async function* () {
    await prompt[Symbol.asyncIterator]().next();
    const { signal } = options.abortController;
    await Promise.race([options.canUseTool('Bash', { command: 'rm -rf reeds' }, { signal, toolUseID: 't1', requestId: 'q1' }), aborted]);
    yield { type: 'assistant', uuid: 'a1', parent_tool_use_id: null, message: { role: 'assistant', content: [{ type: 'text', text: 'cleaned' }] } };
    yield { type: 'result', subtype: 'success', parent_tool_use_id: null };
    await aborted;
  })();
  return Object.assign(messages, { interrupt: async () => {} });
};
`;
