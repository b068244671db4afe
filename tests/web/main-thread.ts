import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

type TraceEvent = {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string; readonly data?: { readonly functionName?: string; readonly url?: string } };
};

/**
 * The tasks of the page's own thread that took longer than 50 ms while something was done, by the time of the processor: on a machine that has
 * other things to do, a clock would tell of those. Each with what took longest in it.
 */
export const longTasksDuring = async (page: Page, work: () => Promise<void>, most = 50): Promise<readonly string[]> => {
  const browser = page.context().browser();
  assert(browser !== null);
  await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline'] });
  let events: readonly TraceEvent[];
  try {
    await work();
  } finally {
    ({ traceEvents: events } = JSON.parse((await browser.stopTracing()).toString()) as { readonly traceEvents: readonly TraceEvent[] }); // Chromium's format
  }
  const main = new Set(
    events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain').map(({ pid, tid }) => `${pid}:${tid}`),
  );
  const tasks = events.filter(
    ({ name, pid, tid, tdur }) => name === 'ThreadControllerImpl::RunTask' && tdur !== undefined && main.has(`${pid}:${tid}`),
  );
  assert(tasks.length > 0, 'the trace tells of no task');
  return tasks.filter(({ tdur = 0 }) => tdur > most * 1000).map((task) => `${Math.round((task.tdur ?? 0) / 1000)} ms: ${longestIn(events, task)}`);
};

const longestIn = (events: readonly TraceEvent[], task: TraceEvent): string =>
  events
    .filter(
      (one) =>
        one !== task &&
        one.pid === task.pid &&
        one.tid === task.tid &&
        one.ts >= task.ts &&
        one.ts < task.ts + (task.dur ?? 0) &&
        (one.tdur ?? 0) > 5000,
    )
    .toSorted((a, b) => (b.tdur ?? 0) - (a.tdur ?? 0))
    .slice(0, 4)
    .map(({ name, tdur = 0, args }) => `${name} ${args?.data?.functionName ?? ''} ${Math.round(tdur / 1000)}`)
    .join(', ');
