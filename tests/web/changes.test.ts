import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { findChromium } from '../chromium.ts';
import { serveWeb, type Web } from './harness.ts';
import { author } from './transcripts.ts';

const executable = findChromium();
const SESSION = 'c4a4ce50-0000-4000-8000-0000000000e2';
const LOOM = '/home/dev/loom/src/loom.ts';
const LINES = 20_000;

describe.skipIf(executable === null)('what changed, in a browser (no Chromium found: set CHROMIUM to its path)', () => {
  let web: Web;
  const folder = mkdtempSync(join(tmpdir(), 'yarnboard-changes-'));

  beforeAll(async () => {
    const session = author({ folder, sessionId: SESSION, cwd: '/home/dev/loom', startsAt: Date.now() - 3_600_000, pace: 1000 });
    const { main } = session;
    main.asks('Weave.');
    main.uses(
      'Edit',
      { ['file_path']: LOOM, ['old_string']: 'one', ['new_string']: 'uno' },
      { text: 'ok', more: { structuredPatch: [{ oldStart: 4, oldLines: 1, newStart: 4, newLines: 1, lines: ['-one', '+uno'] }] } },
    );
    main.uses('Edit', { ['file_path']: '/home/dev/loom/a.ts', ['old_string']: 'x', ['new_string']: 'y' }, { text: 'not found', isError: true });
    main.uses(
      'Write',
      { ['file_path']: '/home/dev/loom/long.txt', content: Array.from({ length: LINES }, (_, n) => `line ${n} ${'thread '.repeat(35)}`).join('\n') },
      { text: 'ok' },
    );
    main.uses('Bash', { command: 'make' }, { text: 'ok' });
    main.compacts('Weaving.');
    main.says('Done.');
    session.write();
    web = await serveWeb({ executable: executable ?? '', roots: [folder] });
  });
  afterEach(() => {
    assert.deepEqual(web.complaints(), []);
  });
  afterAll(async () => {
    await web.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('[PAGE-551] by keyboard from a session to its changes, to one file, and to the message of an edit', async () => {
    const page = await web.open(`/sessions/${SESSION}`);
    await page.getByRole('link', { name: 'Changes', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('article', { name: LOOM }).waitFor();
    await page
      .getByRole('navigation', { name: 'Changed files' })
      .getByRole('link', { name: /^loom\.ts/u })
      .focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\?file=/u);
    await page.getByRole('article', { name: '/home/dev/loom/a.ts' }).waitFor({ state: 'detached' });
    // All files are gone before the chosen one is there.
    await page.getByRole('article', { name: LOOM }).waitFor();
    await expect.poll(() => page.getByRole('article').count()).toBe(1);
    await page.getByRole('link', { name: /^Go to message/u }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`/sessions/${SESSION}\\?at=MSG-`, 'u'));
    await page.context().close();
  });

  test('[PAGE-552] 20,000 long lines come in parts, and the page goes on answering', async () => {
    const page = await web.open(`/sessions/${SESSION}/changes?file=long.txt`);
    const card = page.getByRole('article', { name: '/home/dev/loom/long.txt' });
    await card.getByRole('button', { name: /^Show 1,000 more of 20,000 lines$/u }).click();
    await card.getByRole('row').nth(1119).waitFor({ state: 'attached' });
    await card.getByRole('button', { name: /^Show 1,000 more of 20,000 lines$/u }).click();
    await expect.poll(() => card.getByRole('row').count()).toBe(2120);
    await page.context().close();
  });

  test.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 360],
  ] as const)('[PAGE-550] [PAGE-553] [PAGE-560] [PAGE-570] the views are clean in axe and fit, %s at %i', async (colorScheme, width) => {
    const page = await web.open(`/sessions/${SESSION}/changes`, { colorScheme, width });
    const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);
    await page.getByRole('article', { name: LOOM }).waitFor();
    expect([await web.axe(page), await fits()]).toEqual([[], true]);
    await page.goto(`${web.url}/files?path=${encodeURIComponent(LOOM)}`);
    await page.getByRole('article', { name: 'Weave.' }).waitFor();
    expect([await web.axe(page), await fits()]).toEqual([[], true]);
    await page.goto(`${web.url}/usage`);
    await page.getByRole('table', { name: 'Tools and errors' }).waitFor();
    expect([await web.axe(page), await fits()]).toEqual([[], true]);
    await page.goto(`${web.url}/sessions/${SESSION}`);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Show context window' }).click();
    const panel = page.getByRole('region', { name: 'Context window' });
    await panel.getByRole('img').waitFor();
    await panel.getByRole('button', { name: 'Table' }).click();
    await panel.getByRole('table').waitFor();
    expect([await web.axe(page), await fits()]).toEqual([[], true]);
    await page.context().close();
  });
});
