import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { findChromium } from '../chromium.ts';
import { atRest, serveWeb, settled, type Web } from './harness.ts';
import { HOSTILE, writeHostile } from './hostile.ts';
import { STORY_SESSIONS, writeSessions } from './sessions.ts';
import { author } from './transcripts.ts';

const executable = findChromium();
const LONG = '10009000-0000-4000-8000-000000000001';
const GROWING = '66607000-0000-4000-8000-000000000001';

describe.skipIf(executable === null)('a session in a browser (no Chromium found: set CHROMIUM to its path)', () => {
  let web: Web;
  let folder = '';
  const told = { long: [] as string[], agent: '' };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'yarnboard-session-'));
    writeSessions(folder, Date.now());
    writeHostile(folder, Date.now() - 86_400_000);
    told.long.push(...writeLong(LONG, 400));
    writeLong(GROWING, 60);
    web = await serveWeb({ executable: executable ?? '', roots: [folder] });
  });
  afterEach(() => {
    assert.deepEqual(web.complaints(), []);
  });
  afterAll(async () => {
    await web.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** So many prompts, each with a reply; their uuids. */
  const writeLong = (sessionId: string, exchanges: number): readonly string[] => {
    const session = author({ folder, sessionId, cwd: '/home/dev/long', startsAt: Date.now() - 3_600_000, pace: 10 });
    const uuids = Array.from({ length: exchanges }, (_, n) => [
      session.main.asks(`Question ${n}. ${'More to it. '.repeat(n % 7)}`),
      session.main.says(`**Answer ${n}**\n\n${'- a point\n'.repeat(n % 5)}\n${'A sentence. '.repeat((n * 7) % 40)}`),
    ]);
    session.write();
    return uuids.flat();
  };

  const add = (records: readonly object[]): void =>
    appendFileSync(join(folder, 'projects', '-home-dev-long', `${GROWING}.jsonl`), records.map((record) => `${JSON.stringify(record)}\n`).join(''));

  /** The records that are added, one below the other. */
  const added = (from: string, parent: string, texts: readonly string[]): readonly object[] =>
    texts.map((text, n) => ({
      parentUuid: n === 0 ? parent : `${from}-${n - 1}`,
      isSidechain: false,
      type: n % 2 === 0 ? 'user' : 'assistant',
      message:
        n % 2 === 0
          ? { role: 'user', content: text }
          : {
              id: `msg_${from}${n}`,
              type: 'message',
              role: 'assistant',
              model: 'claude-opus-5-5',
              content: [{ type: 'text', text }],
              ['stop_reason']: 'end_turn',
            },
      uuid: `${from}-${n}`,
      timestamp: new Date().toISOString(),
      sessionId: GROWING,
      version: '2.1.325',
      cwd: '/home/dev/long',
    }));

  const feed = (page: Page) => page.getByRole('feed').first();
  const articles = (page: Page): Promise<readonly string[]> =>
    feed(page)
      .getByRole('article')
      .evaluateAll((all) => all.map(({ id }) => id));
  const distanceFromEnd = (page: Page): Promise<number> =>
    feed(page).evaluate((scroll) => scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight);

  test('[PAGE-10] a long session opens at its end, and only what is in sight is drawn', async () => {
    const page = await web.open(`/sessions/${LONG}`);
    await page.getByText('Answer 399', { exact: true }).waitFor();
    await settled(page);
    await expect.poll(() => feed(page).getByRole('article').last().getAttribute('aria-setsize')).toBe('800');
    await expect.poll(() => distanceFromEnd(page)).toBeLessThan(60);
    await expect.poll(async () => (await articles(page)).length).toBeLessThan(40);
    await page.context().close();
  });

  test('[PAGE-12] the end is there before all is read, and does not move when it is', async () => {
    const other = await serveWeb({ executable: executable ?? '', roots: [folder] });
    const page = await other.open('/sessions');
    await holdWhole(page);
    await page.reload();
    await settled(page);
    const seen = await page.evaluate(async (id) => {
      history.pushState(null, '', `/sessions/${id}`);
      const frames: { readonly gap: number; readonly last: string; readonly size: string }[] = [];
      while (!(frames.at(-1)?.size === '800' && frames.filter(({ size }) => size === '800').length > 30)) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
        if (frames.filter(({ size }) => size === '-1').length === 10) dispatchEvent(new Event('seen-enough'));
        const scroll = document.querySelector('[role=feed]');
        const last = [...document.querySelectorAll('[role=feed] article')].at(-1);
        if (scroll === null || last === undefined) continue;
        // Room that changed is made up for between this callback and the paint, and what comes after the paint is of the next frame: what was painted is the least of both.
        const gap = (): number => scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight;
        const before = gap();
        await new Promise((resolve) => setTimeout(resolve));
        frames.push({
          gap: Math.min(before, gap()),
          last: last.id,
          size: last.getAttribute('aria-setsize') ?? '',
        });
      }
      return frames;
    }, LONG);
    const end = `message-${told.long.at(-1) ?? ''}`;
    const opened = seen.slice(seen.findIndex(({ last }) => last === end));
    expect(new Set(opened.map(({ size }) => size))).toEqual(new Set(['-1', '800']));
    expect(new Set(opened.map(({ last }) => last))).toEqual(new Set([end]));
    expect(Math.max(...opened.map(({ gap }) => gap))).toBeLessThan(60);
    await page.context().close();
    await other.close();
  });

  test('[PAGE-12] the message that was asked for is there before all is read, and does not move when it is', async () => {
    const other = await serveWeb({ executable: executable ?? '', roots: [folder] });
    const page = await other.open('/sessions');
    await holdWhole(page);
    await page.reload();
    await settled(page);
    const seen = await page.evaluate(
      async ([id, uuid]) => {
        history.pushState(null, '', `/sessions/${id}?at=${uuid}`);
        const frames: { readonly tops: readonly number[]; readonly size: string }[] = [];
        while (frames.filter(({ size }) => size === '800').length < 30) {
          await new Promise((resolve) => requestAnimationFrame(resolve));
          if (frames.filter(({ size }) => size === '-1').length === 10) dispatchEvent(new Event('seen-enough'));
          const scroll = document.querySelector('[role=feed]');
          const article = document.getElementById(`message-${uuid}`);
          if (scroll === null || article === null) continue;
          const top = (): number => Math.round(article.getBoundingClientRect().top - scroll.getBoundingClientRect().top);
          const before = top();
          await new Promise((resolve) => setTimeout(resolve));
          // As above: it was painted at one of both.
          if (article.isConnected) frames.push({ tops: [before, top()], size: article.getAttribute('aria-setsize') ?? '' });
        }
        return frames;
      },
      [LONG, told.long[300] ?? ''] as const,
    );
    expect(new Set(seen.map(({ size }) => size))).toEqual(new Set(['-1', '800']));
    // What is above it may be formatted in the first moments.
    const end = seen.at(-1)?.tops.at(-1) ?? 999;
    const shown = seen.slice(seen.findIndex(({ tops }) => tops.some((top) => Math.abs(top) < 40)));
    expect(Math.max(...shown.map(({ tops }) => Math.min(...tops.map((top) => Math.abs(top - end)))))).toBeLessThan(4);
    expect(Math.abs(end)).toBeLessThan(40);
    await page.context().close();
    await other.close();
  });

  test('[PAGE-10] the way up is read page by page, without a jump', async () => {
    const page = await web.open(`/sessions/${LONG}`);
    await settled(page);
    const jumps = await page.evaluate(async () => {
      const scroll = document.querySelector('[role=feed]') ?? document.body;
      const found: string[] = [];
      const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve));
      // What brought it to its end is done when nothing moves any more.
      for (let n = 0; n < 30; n += 1) await frame();
      for (let n = 0; n < 150; n += 1) {
        // As fast as texts are read.
        while (document.querySelector('[role=feed] .markdown-plain') !== null) await frame();
        const before = [...document.querySelectorAll<HTMLElement>('[role=feed] article[id]')].find((one) => one.getBoundingClientRect().top > 250);
        const from = before?.getBoundingClientRect().top ?? 0;
        scroll.scrollTop -= 90;
        await frame();
        await frame();
        const moved = (): number => (before?.isConnected === true ? before.getBoundingClientRect().top : from + 90) - from;
        // Room that changed is made up for between this callback and the paint.
        const early = moved();
        await new Promise((resolve) => setTimeout(resolve));
        if (Math.min(Math.abs(early - 90), Math.abs(moved() - 90)) > 2) found.push(`${n}: ${early}`);
      }
      return found;
    });
    expect(jumps).toEqual([]);
    await page.context().close();
  });

  test('[PAGE-10] [PAGE-29] an address leads to its message, which is marked and named', async () => {
    const uuid = told.long[300] ?? '';
    const page = await web.open(`/sessions/${LONG}?at=${uuid}`);
    const article = page.locator(`#message-${uuid}`);
    await article.waitFor();
    await settled(page);
    await expect.poll(() => article.getAttribute('class')).toContain('flow-step-current');
    await expect
      .poll(async () => Math.abs(((await article.boundingBox())?.y ?? -999) - ((await feed(page).boundingBox())?.y ?? 999)))
      .toBeLessThan(40);
    await expect.poll(() => article.getAttribute('aria-label')).toMatch(/^Prompt by Human, MSG-\d+$/u);
    await page.context().close();
  });

  test('[PAGE-11] what is written appears: who reads the end follows, who reads elsewhere is not moved and told', async () => {
    const page = await web.open(`/sessions/${GROWING}`);
    await page.getByText('Answer 59', { exact: true }).waitFor();
    await settled(page);
    const last = (await articles(page)).at(-1)?.replace('message-', '') ?? '';
    add(added('grown', last, ['And now?', 'Now it **grows**.']));
    await feed(page).getByText('grows', { exact: true }).waitFor();
    await expect.poll(() => distanceFromEnd(page)).toBeLessThan(60);

    await feed(page).evaluate((scroll) => {
      scroll.scrollTop -= 2500;
    });
    await settled(page);
    // Rows of the place that was left may still be there.
    const inSight = await page.waitForFunction(() => {
      const scroll = document.querySelector('[role=feed]')?.getBoundingClientRect();
      const isInside = ({ top, bottom }: DOMRect): boolean => scroll !== undefined && top >= scroll.top && bottom <= scroll.bottom;
      return [...document.querySelectorAll('[role=feed] article[id]')].find((one) => isInside(one.getBoundingClientRect()))?.id;
    });
    const id = String(await inSight.jsonValue());
    const place = () => atRest(page, () => page.locator(`#${id}`).boundingBox());
    const before = await place();
    add(added('later', 'grown-1', ['One more', 'Yes', 'And another']));
    await page.getByRole('button', { name: '3 new' }).waitFor();
    expect(await place()).toEqual(before);
    await page.getByRole('button', { name: '3 new' }).click();
    await feed(page).getByText('And another', { exact: true }).waitFor();
    await expect.poll(() => distanceFromEnd(page)).toBeLessThan(60);
    await page.context().close();
  });

  test('[PAGE-21] a sub-agent opens beside the conversation, one of its own inside it; the way back is in its head and in the browser', async () => {
    const page = await web.open(`/sessions/${STORY_SESSIONS.login}`);
    await page.getByRole('button', { name: /Who holds connections/u }).click();
    const panel = page.getByRole('region', { name: 'Explore' });
    await panel.getByRole('button', { name: /Time the report job/u }).click();
    const inner = page.getByRole('region', { name: 'general-purpose' });
    await inner.getByRole('article').first().waitFor();
    await inner.getByRole('navigation', { name: 'Sub-agents' }).getByRole('button', { name: 'Explore' }).click();
    await panel
      .getByRole('article', { name: /Reply by Explore/u })
      .first()
      .waitFor();
    await page.goBack();
    await inner.waitFor();
    await page.keyboard.press('Escape');
    await inner.waitFor({ state: 'detached' });
    await expect.poll(() => new URL(page.url()).search).toBe('');
    await page.context().close();
  });

  test('[PAGE-21] an address of what a sub-agent said opens its conversation; on a narrow screen it lies over the main one', async () => {
    const { items } = await web.ask('sidechains', { id: STORY_SESSIONS.login });
    const thread = items.find(({ agent }) => agent === 'Explore')?.agent_id ?? '';
    const { items: steps } = await web.ask('conversation', { id: STORY_SESSIONS.login, thread });
    const uuid = steps.at(-1)?.uuid ?? '';
    const page = await web.open(`/sessions/${STORY_SESSIONS.login}?at=${uuid}`, { width: 360, height: 780 });
    const panel = page.getByRole('region', { name: 'Explore' });
    await panel.locator(`#message-${uuid}`).waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get('thread')).toBe(thread);
    const boxes = () => Promise.all([page.locator('.session-body').boundingBox(), panel.boundingBox()]);
    const [body, box] = await atRest(page, boxes);
    expect(box).toEqual(body);
    await expect.poll(() => page.locator('.session-main').getAttribute('inert')).not.toBeNull();
    await page.context().close();
  });

  test('[PAGE-22] the other branch is shown in place, has an address, and the one that goes on is a click away', async () => {
    const page = await web.open(`/sessions/${STORY_SESSIONS.branched}`);
    await page.getByRole('button', { name: 'Previous branch' }).click();
    await page.getByText('Simplify while loading.').waitFor();
    await expect.poll(() => page.getByRole('group', { name: 'Branches' }).textContent()).toContain('1 of 2');
    await page.reload();
    await page.getByText('Simplify while loading.').waitFor();
    await page.getByRole('button', { name: 'Go to current branch' }).click();
    await page.getByText('Keep them whole, and draw fewer.').waitFor();
    await page.context().close();
  });

  test('[PAGE-23] words are found in the session, from one place to the next', async () => {
    const page = await web.open(`/sessions/${LONG}`);
    await settled(page);
    await page.keyboard.press('f');
    await page.getByRole('searchbox', { name: 'Find in this session' }).fill('"Question 12"');
    await page.locator('.find-bar-hit').first().waitFor();
    await page.keyboard.press('Enter');
    await page.locator(`#message-${told.long[24] ?? ''}`).waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get('at')).toBe(told.long[24]);
    await page.keyboard.press('Escape');
    await page.getByRole('searchbox').waitFor({ state: 'detached' });
    await page.context().close();
  });

  test('[PAGE-24] steps are gone through by keyboard, and what a step did is opened and left by it', async () => {
    const page = await web.open(`/sessions/${STORY_SESSIONS.login}`);
    await settled(page);
    const focused = (): Promise<string> =>
      page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '');
    await feed(page).getByRole('article').last().focus();
    await page.keyboard.press('Home');
    await expect.poll(focused).toMatch(/^Prompt by Human/u);
    await page.keyboard.press('j');
    await expect.poll(focused).toMatch(/^Reply by Claude/u);
    await page.keyboard.press('Enter');
    await expect.poll(focused).toMatch(/createPool/u);
    await page.keyboard.press('Enter');
    await page.locator('.operation-detail').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(focused).toMatch(/^Reply by Claude/u);
    await page.keyboard.press('k');
    await expect.poll(focused).toMatch(/^Prompt by Human/u);
    await page.keyboard.press('End');
    await expect.poll(focused).toMatch(/^Reply by Claude/u);
    await expect.poll(() => distanceFromEnd(page)).toBeLessThan(60);
    await page.context().close();
  });

  test.each([1280, 360])('[PAGE-28] at %i px nothing of a hostile session acts, loads or breaks the page', async (width) => {
    const page = await web.open(`/sessions/${HOSTILE}`, { width, height: 800 });
    await page.getByRole('article').first().waitFor();
    await feed(page).getByRole('article').last().focus();
    await page.keyboard.press('Home');
    await page
      .getByRole('article', { name: /^Prompt by Human/u })
      .first()
      .waitFor();
    // Everything that can be opened is opened, on the way down.
    for (let n = 0; n < 40; n += 1) {
      const isOpened = await openNext(page, '.operation-line[aria-expanded=false], .step-thinking:not([open]) > summary, .operations > button');
      if (!isOpened) await feed(page).evaluate((scroll) => (scroll.scrollTop += 600));
      await atRest(page, () => articles(page));
    }
    await settled(page);
    const seen = await page.evaluate(() => ({
      title: document.title === 'owned',
      strange: [
        ...document.querySelectorAll(
          'main script, main iframe, main style, main object, main embed, main form:not(.composer-form), main img:not([src^="data:image/png"])',
        ),
      ].length,
      handlers: [...document.querySelectorAll('main *')].filter((one) => one.getAttributeNames().some((name) => name.startsWith('on'))).length,
      addresses: [...document.querySelectorAll('main [role=feed] a')]
        .map((one) => one.getAttribute('href') ?? '')
        .filter(
          (href) => !/^(?:https:\/\/(?:example\.org|tracker\.example)\/|\/refs\/|\/trace\/[\w%.-]|\/files\?path=[\w%.*+-]+$|vscode:)/u.test(href),
        ),
      over: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      wide: [...document.querySelectorAll('article')]
        .filter((one) => one.scrollWidth > one.clientWidth + 1)
        .flatMap((one) => [...one.querySelectorAll('*')])
        .filter((one) => one.getBoundingClientRect().right > innerWidth && one.closest('[role=group]') === null)
        .map((one) => `${one.localName}.${one.className}`)
        .slice(0, 5),
      isSeen: document.querySelector('main')?.checkVisibility() ?? false,
    }));
    expect(seen).toEqual({ title: false, strange: 0, handlers: 0, addresses: [], over: 0, wide: [], isSeen: true });
    await page.context().close();
  });

  test.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 360],
    ['dark', 360],
  ] as const)('[PAGE-29] in %s, at %i px, axe finds nothing wrong with a session and what is open in it', async (colorScheme, width) => {
    const page = await web.open(`/sessions/${STORY_SESSIONS.login}`, { colorScheme, width, height: 800 });
    await settled(page);
    await feed(page).getByRole('article').last().focus();
    await page.keyboard.press('Home');
    await page
      .getByRole('article', { name: /^Prompt by Human/u })
      .first()
      .waitFor();
    for (let n = 0; n < 6; n += 1) {
      await openNext(page, '.operation-line[aria-expanded=false]');
      await atRest(page, () => articles(page));
    }
    await settled(page);
    expect(await web.axe(page)).toEqual([]);
    await page.getByRole('button', { name: /Who holds connections/u }).click();
    await page.getByRole('region', { name: 'Explore' }).getByRole('article').first().waitFor();
    await settled(page);
    expect(await web.axe(page)).toEqual([]);
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
    await page.context().close();
  });
});

/** Opens the first that is closed, looked for and pressed at once: rows come and go with the place that is read. Resolves to whether there was one. */
const openNext = (page: Page, closed: string): Promise<boolean> =>
  page.evaluate((selector) => {
    const found = document.querySelector<HTMLElement>(selector);
    found?.click();
    return found !== null;
  }, closed);

/** Lets a page ask for a part of a session, and for the whole only once it fires `seen-enough`. To be set up before the page connects. */
const holdWhole = async (page: Page): Promise<void> => {
  const held: (() => void)[] = [];
  let isHeld = true;
  await page.exposeFunction('sendHeld', () => {
    isHeld = false;
    for (const send of held.splice(0)) send();
  });
  await page.addInitScript(() => {
    addEventListener('seen-enough', () => (globalThis as unknown as { readonly sendHeld: () => void }).sendHeld(), { once: true });
  });
  await page.routeWebSocket(/\/ws$/u, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((message) => {
      const text = message.toString();
      const isWhole = text.includes('"type":"session"') || (text.includes('"type":"conversation"') && !text.includes('"quick"'));
      if (isHeld && isWhole) held.push(() => server.send(message));
      else server.send(message);
    });
  });
};
