import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { findChromium, launch } from './chromium.ts';
import { addressOf, ended, testHome } from './home.ts';
import { PATIENCE } from './patience.ts';
import { DEMO } from './web/harness.ts';

const executable = findChromium();

test.runIf(process.env['CI'] !== undefined)('[GATE-4] CI has a browser for the smoke test', () => {
  expect(executable).not.toBeNull();
});

describe('the built command', () => {
  const home = testHome();
  let url = '';
  let child: ReturnType<typeof home.start> | null = null;
  let browser: Browser | null = null;
  beforeAll(async () => {
    child = home.start('start', '--no-open', '--port', '0', '--root', DEMO);
    url = await addressOf(child);
  });
  afterAll(async () => {
    await browser?.close();
  });

  test('[GATE-3] serves what it has imported', async () => {
    await expect
      .poll(async () => ((await (await fetch(`${url}/api/v1/sessions`)).json()) as { readonly items: readonly object[] }).items.length)
      .toBeGreaterThan(5);
    expect((await fetch(url)).headers.get('content-type')).toContain('text/html');
  });

  test.skipIf(executable === null)(
    '[GATE-3] shows a session in a browser, without a complaint (no Chromium found: set CHROMIUM to its path)',
    async () => {
      browser = await launch(executable ?? '');
      const page = await browser.newPage();
      page.setDefaultTimeout(PATIENCE);
      const complaints: string[] = [];
      page.on('pageerror', (cause) => complaints.push(String(cause)));
      page.on('console', (line) => {
        if (line.type() === 'error') complaints.push(line.text());
      });
      await page.goto(`${url}/sessions`);
      await page.locator('main a[href^="/sessions/"]').first().click();
      await page.locator('[id^="message-"]').first().waitFor();
      expect(page.url()).toMatch(/\/sessions\/[\da-f-]{8,}/u);
      expect(complaints).toEqual([]);
    },
  );

  test('[GATE-3] ends when it is told to', async () => {
    assert(child !== null);
    child.kill('SIGTERM');
    expect(await ended(child)).toBe(0);
  });
});
