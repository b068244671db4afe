import type { Browser, Page } from 'playwright-core';
import type { Opening, OpeningOrder, Scrolling } from './job.ts';

/** Opens a session as somebody does who follows a link, and scrolls through it. */
export const measureOpening = async (browser: Browser, { url, sessionId, messages }: OpeningOrder): Promise<Opening> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  try {
    const page = await context.newPage();
    // The names that tsx gives to functions come with a call to this.
    await page.addInitScript('globalThis.__name ??= (made) => made');
    await page.addInitScript(watchFromTheStart);
    await page.goto(`${url}/sessions/${sessionId}`, { waitUntil: 'commit' });
    await page.waitForFunction(() => (globalThis as Watch).bench?.firstMessage !== undefined, undefined, { timeout: 60_000 });
    // Settled: the list knows how many steps there are.
    await page.waitForSelector('[role="feed"] article[aria-posinset]', { timeout: 60_000 });
    const settled = await page.evaluate(() => performance.now());
    await page.waitForTimeout(500);
    const opened = await page.evaluate(() => ({
      firstPaint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
      firstMessage: (globalThis as Watch).bench?.firstMessage ?? Number.NaN,
      tasks: (globalThis as Watch).bench?.tasks.splice(0) ?? [],
    }));
    const scrolling = await scroll(page);
    const { heapBytes, elements } = await weigh(page);
    return {
      messages,
      firstPaint: opened.firstPaint,
      firstMessage: opened.firstMessage,
      settled,
      openTasks: opened.tasks,
      scrolling,
      heapBytes,
      elements,
    };
  } finally {
    await context.close();
  }
};

type Watch = { bench?: { tasks: number[]; firstMessage?: number } };

const watchFromTheStart = (): void => {
  const bench: NonNullable<Watch['bench']> = { tasks: [] };
  (globalThis as Watch).bench = bench;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) bench.tasks.push(Math.round(duration));
  }).observe({ type: 'longtask', buffered: true });
  const look = (): void => {
    if (document.querySelector('[id^="message-"]') === null) requestAnimationFrame(look);
    else bench.firstMessage = performance.now();
  };
  requestAnimationFrame(look);
};

/** From the end upwards, a screen every few frames, then to twenty places all over it, then back to the end. */
const scroll = async (page: Page): Promise<Scrolling> => {
  const { frames, unshown } = await page.evaluate(async () => {
    const list = document.querySelector('[role="feed"]');
    if (list === null) throw new Error('there is no list to scroll');
    const nextFrame = (): Promise<number> =>
      new Promise((resolve) => {
        requestAnimationFrame(resolve);
      });
    const pause = (ms: number): Promise<void> =>
      new Promise((resolve) => {
        setTimeout(resolve, ms);
      });
    const times: number[] = [];
    let before = await nextFrame();
    const step = async (): Promise<void> => {
      const now = await nextFrame();
      times.push(now - before);
      before = now;
    };
    for (let n = 0; n < 400; n += 1) {
      list.scrollTop -= 120;
      await step();
    }
    let missing = 0;
    for (let n = 1; n <= 20; n += 1) {
      list.scrollTop = (((n * 7) % 20) / 20) * list.scrollHeight;
      for (let more = 0; more < 20; more += 1) {
        list.scrollTop += 60;
        await step();
      }
      await pause(300);
      before = await nextFrame();
      missing += document.querySelectorAll('[role="feed"] article[aria-label="Loading"]').length;
    }
    list.scrollTop = list.scrollHeight;
    await pause(300);
    return { frames: times, unshown: missing };
  });
  await page.waitForTimeout(300);
  const longTasks = await page.evaluate(() => (globalThis as Watch).bench?.tasks.splice(0) ?? []);
  const sorted = frames.toSorted((a, b) => a - b);
  return { frames: frames.length, longTasks, p95Frame: sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN, unshown };
};

const weigh = async (page: Page): Promise<{ readonly heapBytes: number; readonly elements: number }> => {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  await session.send('Performance.enable');
  const { metrics } = await session.send('Performance.getMetrics');
  const heapBytes = metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN;
  return { heapBytes, elements: await page.evaluate(() => document.querySelectorAll('*').length) };
};
