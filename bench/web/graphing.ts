import type { Browser } from 'playwright-core';
import { below, layOut, type Verdict } from '../measure/table.ts';
import type { OpeningOrder } from './job.ts';

export type Graphing = {
  readonly messages: number;
  /** Milliseconds since the navigation began. */
  readonly firstCard: number;
  readonly whole: number;
};

/** Opens the graph of a session as somebody does who follows a link. */
export const measureGraphing = async (browser: Browser, { url, sessionId, messages }: OpeningOrder): Promise<Graphing> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  try {
    const page = await context.newPage();
    await page.goto(`${url}/sessions/${sessionId}/graph`, { waitUntil: 'commit' });
    const now = (): Promise<number> => page.evaluate(() => performance.now());
    await page.waitForSelector('.graph-card', { timeout: 600_000 });
    const firstCard = await now();
    await page
      .getByRole('status')
      .filter({ hasText: /^Graph with/u })
      .waitFor({ state: 'attached', timeout: 600_000 });
    return { messages, firstCard, whole: await now() };
  } finally {
    await context.close();
  }
};

export const describeGraphings = (graphings: readonly Graphing[]): string => {
  const ms = (of: (one: Graphing) => number): readonly string[] => graphings.map((one) => `${of(one).toFixed(0)} ms`);
  return layOut([
    ['graph of', ...graphings.map(({ messages }) => `${messages.toLocaleString('en')} messages`)],
    ['first card', ...ms(({ firstCard }) => firstCard)],
    ['all of it', ...ms(({ whole }) => whole)],
  ]);
};

/** Against the short session in the same run. */
export const judgeGraphings = (graphings: readonly Graphing[]): readonly Verdict[] => {
  const [small, large] = [graphings[0], graphings.at(-1)];
  if (small === undefined || large === undefined) return [{ isMet: false, text: 'no graph was opened' }];
  const size = large.messages.toLocaleString('en');
  return [
    below(large.firstCard, 2000, `${size} messages: first card of the graph`, 'ms'),
    below(large.firstCard / small.firstCard, 3, `${size} messages: first card of the graph over that of a short session`, 'times'),
  ];
};
