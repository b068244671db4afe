import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { findChromium } from '../chromium.ts';
import { root } from '../source-files.ts';
import { builtPage } from './built-page.ts';
import { DEMO, serveWeb, type Web } from './harness.ts';

const executable = findChromium();

/** The views as the page's own list has them: its file asks for all of them when it is loaded, so it is only read here. */
const VIEWS = [
  ...readFileSync(join(root, 'packages/web/src/views.ts'), 'utf8').matchAll(/path: '([^']+)', load: once\(\(\) => import\('\.\/([^']+)'\)/gu),
].map(([, path = '', module = '']) => ({ address: path.replaceAll(/:\w+/gu, 'one'), chunk: module.replace(/^.*\//u, '').replace(/\.tsx$/u, '') }));

test('[PAGE-125] a view is loaded in few files, however many parts it has', () => {
  const names = readdirSync(join(process.env['YARNBOARD_PAGE'] ?? builtPage(), 'assets')).filter((name) => /\.(?:js|css)$/u.test(name));
  expect(names.length).toBeGreaterThan(VIEWS.length);
  expect(names.length).toBeLessThan(VIEWS.length * 4);
});

describe.skipIf(executable === null)('opening the page (no Chromium found: set CHROMIUM to its path)', () => {
  let web: Web;
  let session = '';
  beforeAll(async () => {
    web = await serveWeb({ executable: executable ?? '', roots: [DEMO] });
    const { items } = await web.ask('sessions');
    session = `/sessions/${items.toSorted((a, b) => b.messages - a.messages)[0]?.session_id ?? ''}`;
  });
  afterEach(() => {
    assert.deepEqual(web.complaints(), []);
  });
  afterAll(() => web.close());

  /** A browser that has not been to the page yet, and what it asks for from now on. A part of the page's code is kept from it until it is let in. */
  const begin = async (part: 'connect' | 'main') => {
    const page = await web.open('/icon.svg');
    const asked: string[] = [];
    const sent: string[] = [];
    let held: Route | null = null;
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    page.on('websocket', (socket) => {
      asked.push(new URL(socket.url()).pathname);
      socket.on('framesent', ({ payload }) => sent.push((JSON.parse(String(payload)) as { readonly type: string }).type)); // every frame has one
    });
    await page.route(new RegExp(`/assets/${part}-[^/]*\\.js$`, 'u'), (route) => {
      held = route;
    });
    return {
      page,
      asked,
      sent,
      letIn: async () => {
        await expect.poll(() => held).not.toBeNull();
        await held?.continue();
      },
      isWithin: async (name: string): Promise<void> => {
        await expect.poll(() => asked.some((path) => path.startsWith(name))).toBe(true);
      },
    };
  };
  /** Resolves when the code of a session is here, which needs longer than a connection. */
  const isLoaded = (page: Page) =>
    page.waitForFunction(() => performance.getEntriesByType('resource').some(({ name }) => /session-page-[^/]*\.js$/u.test(name)));
  const goTo = (page: Page, path: string) => page.goto(`${web.url}${path}`, { waitUntil: 'commit' });

  test('[PAGE-120] [PAGE-123] the code of a session and what the server knows of it do not wait for the code of the page', async () => {
    const { page, sent, letIn, isWithin } = await begin('main');
    await goTo(page, session);
    await isWithin('/assets/session-page-');
    await expect.poll(() => sent).toContain('session');
    expect(sent.slice(0, 2)).toEqual(['hello', 'conversation']);
    await letIn();
    await page.locator('[id^="message-"]').first().waitFor();
    expect(sent.filter((type) => ['hello', 'session'].includes(type))).toEqual(['hello', 'session']);
    await page.context().close();
  });

  test('[PAGE-122] the connection does not wait for the code that uses it, and is the one that is used', async () => {
    const { page, asked, sent, letIn, isWithin } = await begin('connect');
    await goTo(page, session);
    await isWithin('/ws');
    await isLoaded(page);
    expect(sent).toEqual([]);
    await letIn();
    await page.locator('[id^="message-"]').first().waitFor();
    expect(asked.filter((path) => path === '/ws')).toEqual(['/ws']);
    expect(sent.filter((type) => type === 'hello')).toEqual(['hello']);
    await page.context().close();
  });

  test('[PAGE-121] the code of every view is asked for by its address alone', async () => {
    expect(VIEWS.length).toBeGreaterThan(10);
    const { page, asked, isWithin } = await begin('main');
    for (const { address, chunk } of VIEWS) {
      asked.splice(0);
      await goTo(page, address);
      await isWithin(`/assets/${chunk}-`);
    }
    await page.context().close();
  });

  test('[PAGE-122] a connection that was lost before it was used is made again', async () => {
    const { page, letIn } = await begin('connect');
    let made = 0;
    await page.routeWebSocket(/\/ws$/u, (socket) => {
      made += 1;
      if (made === 1) void socket.close({ code: 1012 });
      else socket.connectToServer();
    });
    await goTo(page, session);
    await expect.poll(() => made).toBe(1);
    await isLoaded(page);
    await letIn();
    await page.locator('[id^="message-"]').first().waitFor();
    expect(made).toBe(2);
    await page.context().close();
  });

  test('[PAGE-124] the rest of the page does not wait for a view, which takes its place when it comes', async () => {
    const { page, letIn } = await begin('main');
    const waiting: Route[] = [];
    let isLetIn = false;
    await page.route(/\/assets\/session-page-[^/]*\.js$/u, (route) => {
      waiting.push(route);
      return isLetIn ? route.continue() : undefined;
    });
    await goTo(page, session);
    await letIn();
    await page.getByRole('heading', { name: 'Loading' }).waitFor();
    await expect.poll(() => waiting.length).toBeGreaterThan(0);
    isLetIn = true;
    // Also one that is asked for from now on.
    await Promise.all([...waiting].map((route) => route.continue()));
    await page.locator('[id^="message-"]').first().waitFor();
    await page.context().close();
  });
});
