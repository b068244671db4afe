import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium } from '../chromium.ts';
import { standInSdk } from '../live-sdk.ts';
import { atRest, DEMO, serveWeb, settled, type Web } from './harness.ts';
import { writeSessions } from './sessions.ts';
import { tellStory, type Story } from './story.ts';
import { EMPTY_VIEWS, VIEWS } from './views.ts';

const executable = findChromium();

/** Each too low for most views, so that something is below the fold. */
const WINDOWS = [
  { width: 360, height: 640 },
  { width: 768, height: 500 },
  { width: 1280, height: 600 },
  { width: 3840, height: 700 },
] as const;

/** What is wrong with a window of a view; nothing, if all is well. */
const faultsIn = (page: Page): Promise<readonly string[]> =>
  page.evaluate(async () => {
    // Rows that became wider or narrower are measured in the next frames.
    for (let frame = 0; frame < 3; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
    const { scrollHeight, scrollWidth } = document.documentElement;
    const faults: string[] = [];
    if (scrollHeight > innerHeight) faults.push(`the document is ${scrollHeight - innerHeight} px taller than its window`);
    if (scrollWidth > innerWidth) faults.push(`the document is ${scrollWidth - innerWidth} px wider than its window`);
    const isScroller = (element: Element): boolean => {
      const { overflowX, overflowY } = getComputedStyle(element);
      return /auto|scroll/u.test(`${overflowX} ${overflowY}`);
    };
    // Whatever is out of the flow must scroll with what is around it, or it makes room somewhere that nobody sees the end of.
    for (const element of document.querySelectorAll('*')) {
      if (!(element instanceof HTMLElement) || getComputedStyle(element).position !== 'absolute') continue;
      let scroller = element.parentElement;
      while (scroller !== null && !isScroller(scroller)) scroller = scroller.parentElement;
      if (scroller === null || element.offsetParent === null || scroller.contains(element.offsetParent)) continue;
      faults.push(`<${element.tagName.toLowerCase()} class="${element.className}"> is placed against what lies outside of .${scroller.className}`);
    }
    return [...new Set(faults)];
  });

const faultsAtAllWidths = async (page: Page): Promise<Record<number, readonly string[]>> => {
  const found: Record<number, readonly string[]> = {};
  for (const { width, height } of WINDOWS) {
    await page.setViewportSize({ width, height });
    // Plots are drawn anew a moment after there is another width.
    const faults = await atRest(page, () => faultsIn(page));
    if (faults.length > 0) found[width] = faults;
  }
  return found;
};

describe.skipIf(executable === null)('views and windows (no Chromium found: set CHROMIUM to its path)', () => {
  let web: Web;
  let empty: Web;
  let story: Story;
  const folder = mkdtempSync(join(tmpdir(), 'yarnboard-window-'));

  beforeAll(async () => {
    writeSessions(folder, Date.now());
    const claude = { sdk: standInSdk(folder), config: join(folder, 'claude') };
    mkdirSync(join(claude.config, 'projects'), { recursive: true });
    web = await serveWeb({ executable: executable ?? '', roots: [folder, DEMO, join(claude.config, 'projects')], claude });
    story = await tellStory(web.ask);
    empty = await serveWeb({ executable: executable ?? '', roots: [] });
  });
  afterAll(async () => {
    await web.close();
    await empty.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test.each(VIEWS)('[PAGE-200] the window of $name has everything, at every width', async ({ path, prepare, isReading }) => {
    const page = await web.open(path(story), { token: isReading !== true, height: 600 });
    await settled(page);
    await prepare?.(page);
    await settled(page);
    expect(await faultsAtAllWidths(page)).toEqual({});
    await page.context().close();
  });

  test.each(EMPTY_VIEWS)('[PAGE-200] the window of $name has everything, at every width', async ({ path }) => {
    const page = await empty.open(path(), { height: 600 });
    await settled(page);
    expect(await faultsAtAllWidths(page)).toEqual({});
    await page.context().close();
  });

  test('[PAGE-200] what is wrong with a window is seen', async () => {
    const page = await web.open('/', { height: 600 });
    await settled(page);
    await page.evaluate(() => {
      const main = document.querySelector('main');
      if (main !== null) main.style.position = 'static';
    });
    const faults = await faultsIn(page);
    expect(faults).toContainEqual(expect.stringMatching(/^the document is \d+ px taller than its window$/u));
    expect(faults).toContainEqual(expect.stringContaining('is placed against what lies outside of .frame-main'));
    await page.context().close();
  });
});
