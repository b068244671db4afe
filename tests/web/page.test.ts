import assert from 'node:assert/strict';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { findChromium } from '../chromium.ts';
import { DEMO, serveWeb, settled, type Web } from './harness.ts';

const executable = findChromium();

test.runIf(process.env['CI'] !== undefined)('[DOC-6] CI has a browser to test the page with', () => {
  expect(executable).not.toBeNull();
});

describe.skipIf(executable === null)('the page in a browser (no Chromium found: set CHROMIUM to its path)', () => {
  let web: Web;
  beforeAll(async () => {
    web = await serveWeb({ executable: executable ?? '', roots: [DEMO] });
  });
  afterEach(() => {
    assert.deepEqual(web.complaints(), []);
  });
  afterAll(() => web.close());

  const newKey = async (): Promise<string> => new URL((await web.ask('page_link')).url).hash;
  const tokenIn = (page: Awaited<ReturnType<Web['open']>>): Promise<string | null> => page.evaluate(() => localStorage.getItem('yarnboard.token'));

  test.each(['/', '/sessions', '/runs', '/sidebars', '/gold', '/agents', '/settings', '/health', '/search?q=file'])(
    '[SRV-8] [SEC-16] %s opens by its address, and by it again, within the policy',
    async (path) => {
      const page = await web.open(path);
      await settled(page);
      // The tab is named a moment after the view is drawn.
      await expect.poll(() => page.title()).toMatch(/^(?!Loading).+ · Yarnboard$/u);
      const title = await page.title();
      const answer = await page.reload();
      await settled(page);
      await expect.poll(async () => ({ title: await page.title(), path: page.url() })).toEqual({ title, path: `${web.url}${path}` });
      const policy = answer?.headers()['content-security-policy'] ?? '';
      const nonce = await page.locator('meta[name="yarnboard-nonce"]').getAttribute('content');
      expect(policy).toContain(`script-src 'self'; worker-src 'self'; style-src 'self' 'nonce-${nonce ?? ''}'; `);
      expect(policy).toContain(`connect-src 'self' ws://${new URL(web.url).host}; `);
      await page.context().close();
    },
  );

  test('[SEC-16] a script, a style or a frame that gets into the page does nothing', async () => {
    const page = await web.open('/', { expected: [/Content Security Policy/u, /^failed: .*csp$/u] });
    await settled(page);
    await page.evaluate(() => {
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
        document.body.dataset['refused'] = `${document.body.dataset['refused'] ?? ''} ${effectiveDirective}`;
      });
      const add = (name: string, make: (element: HTMLElement) => void): void => {
        const element = document.createElement(name);
        make(element);
        document.body.append(element);
        element.click();
      };
      add('script', (script) => (script.textContent = 'document.title = "owned"'));
      add('div', (div) => div.setAttribute('onclick', 'document.title = "owned"'));
      add('style', (style) => (style.textContent = 'body { display: none }'));
      add('iframe', (frame) => frame.setAttribute('src', '/sessions'));
    });
    await expect
      .poll(async () => (await page.locator('body').getAttribute('data-refused'))?.trim().split(' ').sort())
      .toEqual(['frame-src', 'script-src-attr', 'script-src-elem', 'style-src-elem']);
    expect(await page.title()).not.toBe('owned');
    expect(await page.locator('main').isVisible()).toBe(true);
    await page.context().close();
  });

  test('[SEC-19] a link lets in, its key is gone from the address, and it is good once', async () => {
    const key = await newKey();
    const page = await web.open(`/sessions${key}`, { token: false });
    await settled(page);
    await expect.poll(async () => ({ url: page.url(), token: await tokenIn(page) })).toEqual({ url: `${web.url}/sessions`, token: web.token });
    expect(await page.evaluate(() => history.length)).toBe(2); // a blank page, and this one
    await page.context().close();

    const late = await web.open(`/${key}`, { token: false, expected: [/\b403\b/u] });
    await late.getByText('run `yarnboard open` for a new one').waitFor();
    await settled(late);
    expect({ url: late.url(), token: await tokenIn(late) }).toEqual({ url: `${web.url}/`, token: null });
    await late.context().close();
  });

  test('[SEC-20] a key that was never one is told what to do, and the page can still be read', async () => {
    const page = await web.open('/sessions#key=nothing', { token: false, expected: [/\b403\b/u] });
    await page.getByText('run `yarnboard open` for a new one').waitFor();
    await page.getByText('Delegate three levels deep.').first().waitFor();
    expect(page.url()).toBe(`${web.url}/sessions`);
    await page.context().close();
  });

  test('[SEC-19] whoever was let in before is not locked out by an old link', async () => {
    const page = await web.open('/#key=old', { expected: [/\b403\b/u] });
    await settled(page);
    // Refused, and in all the same.
    await expect.poll(() => page.evaluate(() => performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/enter')))).toBe(true);
    await page.getByRole('button', { name: 'New session' }).first().waitFor();
    expect(await tokenIn(page)).toBe(web.token);
    expect(await page.getByText('run `yarnboard open` for a new one').count()).toBe(0);
    await page.context().close();
  });

  test('[SEC-13] without a token the page reads, and says how to act', async () => {
    const page = await web.open('/sessions', { token: false });
    await page.getByText('Delegate three levels deep.').first().waitFor();
    expect(await tokenIn(page)).toBeNull();
    await page.goto(`${web.url}/settings`);
    await page.getByText('Read-only. Run').waitFor();
    await page.context().close();
  });
});
