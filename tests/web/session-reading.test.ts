import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { findChromium } from '../chromium.ts';
import { atRest, serveWeb, settled, type Web } from './harness.ts';
import { author } from './transcripts.ts';

const executable = findChromium();
const WORKING = '77707000-0000-4000-8000-000000000001';

describe.skipIf(executable === null)('reading a session in a browser (no Chromium found: set CHROMIUM to its path)', () => {
  let web: Web;
  let folder = '';
  const told = { last: '' };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'yarnboard-reading-'));
    told.last = writeWorking();
    web = await serveWeb({ executable: executable ?? '', roots: [folder] });
  });
  afterEach(() => {
    assert.deepEqual(web.complaints(), []);
  });
  afterAll(async () => {
    await web.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A reply with many operations at the end; its last uuid. */
  const writeWorking = (): string => {
    const { main, write } = author({ folder, sessionId: WORKING, cwd: '/home/dev/long', startsAt: Date.now() - 600_000, pace: 1000 });
    for (let n = 0; n < 20; n += 1) {
      main.asks(`Question ${n}.`);
      main.says(`Answer ${n}. ${'A sentence. '.repeat(30)}`);
    }
    main.asks('Bend it all.');
    main.says('I bend.');
    for (let n = 0; n < 12; n += 1) {
      main.uses(
        'Bash',
        { command: `bend ${n}` },
        { text: Array.from({ length: 30 }, (_, k) => `bent ${n}, line ${k}${n === 9 ? ', zebra' : ''}`).join('\n') },
      );
    }
    const last = main.says('All is bent.');
    write();
    return last;
  };

  /** Somebody asks one thing more. */
  const add = (uuid: string, parentUuid: string, content: string): void => {
    const place = { isSidechain: false, sessionId: WORKING, version: '2.1.325', cwd: '/home/dev/long' };
    const record = { parentUuid, type: 'user', message: { role: 'user', content }, uuid, timestamp: new Date().toISOString(), ...place };
    appendFileSync(join(folder, 'projects', '-home-dev-long', `${WORKING}.jsonl`), `${JSON.stringify(record)}\n`);
  };

  const feed = (page: Page) => page.getByRole('feed').first();
  const distanceFromEnd = (page: Page): Promise<number> =>
    feed(page).evaluate((scroll) => scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight);

  test('[PAGE-150] what is opened at the end grows downwards, and nothing that is added moves it until the reader goes to the end', async () => {
    const page = await web.open(`/sessions/${WORKING}`);
    await feed(page).getByText('All is bent.', { exact: true }).waitFor();
    await settled(page);
    await expect.poll(() => distanceFromEnd(page)).toBeLessThan(60);
    await page.setViewportSize({ width: 1280, height: 640 });
    await expect.poll(() => distanceFromEnd(page)).toBeLessThan(60);
    await page.setViewportSize({ width: 1280, height: 800 });
    await settled(page);
    await expect.poll(() => distanceFromEnd(page)).toBeLessThan(60);
    const line = page.getByRole('button', { name: /bend 3/u });
    const place = () => atRest(page, () => line.boundingBox());
    const before = await place();
    await line.click();
    await page.getByText('bent 3, line 29').waitFor();
    expect(await place()).toEqual(before);
    add('bent', told.last, 'And the rest?');
    await page.getByRole('button', { name: '1 new' }).waitFor();
    expect(await place()).toEqual(before);
    await page.getByRole('button', { name: '1 new' }).click();
    await feed(page).getByText('And the rest?', { exact: true }).waitFor();
    await expect.poll(() => distanceFromEnd(page)).toBeLessThan(60);
    add('rest', 'bent', 'One more thing. '.repeat(200));
    await feed(page)
      .getByText(/^One more thing/u)
      .waitFor();
    await expect.poll(() => distanceFromEnd(page)).toBeLessThan(60);
    await page.context().close();
  });

  test('[PAGE-151] [PAGE-160] what is found in a folded operation is opened, marked and in sight; whoever comes back is where he was', async () => {
    const page = await web.open(`/sessions/${WORKING}`);
    await settled(page);
    await page.keyboard.press('f');
    await page.getByRole('searchbox', { name: 'Find in this session' }).fill('zebra');
    await page.locator('.find-bar-hit').first().waitFor();
    await page.keyboard.press('Enter');
    const line = page.getByRole('button', { name: /bend 9/u });
    await page.getByText('bent 9, line 29').waitFor();
    await expect.poll(async () => [await line.getAttribute('aria-current'), await line.getAttribute('aria-expanded')]).toEqual(['true', 'true']);
    await expect
      .poll(() => page.evaluate(() => [...(CSS.highlights.get('found-words') ?? [])].map(String)))
      .toEqual(Array.from({ length: 30 }, () => 'zebra'));
    const inFeed = async (): Promise<number> => ((await line.boundingBox())?.y ?? -1) - ((await feed(page).boundingBox())?.y ?? 0);
    await expect
      .poll(async () => {
        const y = await inFeed();
        return y >= 0 && y < 600;
      })
      .toBe(true);

    await page.keyboard.press('Escape');
    const inSight = (): Promise<string> =>
      feed(page).evaluate((scroll) => {
        const top = scroll.getBoundingClientRect().top + 32;
        return [...scroll.querySelectorAll('article')].find((one) => one.getBoundingClientRect().bottom > top)?.id ?? '';
      });
    const found = await atRest(page, inSight);
    await feed(page).hover();
    await page.mouse.wheel(0, -3000);
    await expect.poll(inSight).not.toBe(found);
    await settled(page);
    const kept = (): Promise<string> => page.evaluate(() => JSON.stringify(history.state));
    let before = '';
    await expect
      .poll(async () => {
        before = await atRest(page, inSight);
        return (await kept()) === JSON.stringify({ 'step in main': before.replace('message-', '') });
      })
      .toBe(true);
    await page.getByRole('link', { name: 'Health' }).click();
    await page.getByRole('heading', { name: 'Health', level: 1 }).waitFor();
    await page.goBack();
    await page.locator(`#${before}`).waitFor();
    await settled(page);
    await expect.poll(inSight).toBe(before);
    await page.context().close();
  });
});
