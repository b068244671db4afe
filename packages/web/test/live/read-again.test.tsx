// @vitest-environment happy-dom
import { QueryObserver } from '@tanstack/react-query';
import type { EmergencyNews } from '@yarnboard/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestPage, type TestPage } from '../test-page.tsx';

let page: TestPage;
beforeAll(async () => {
  page = await openTestPage();
});
afterAll(() => page.close());

const EMERGENCY: EmergencyNews = {
  state: 'emergency',
  reason: 'working_memory_down',
  servicesDown: ['working_memory'],
  since: '2026-03-14T12:00:00.000Z',
  pendingWrites: 1,
  settledWrites: 0,
  conflicts: 0,
  places: ['sqlite'],
  blocked: [],
  message: 'Working memory service down, operating in cached mode: killed',
};

test('[PAGE-451] what could not be read while the log was away is read again when it is back; what was read is not', async () => {
  const { queries, emergency } = page.live;
  emergency.set(EMERGENCY);
  let isAway = true;
  const asked = { lost: 0, read: 0 };
  const lost = new QueryObserver(queries, {
    queryKey: ['lost'],
    queryFn: () => {
      asked.lost += 1;
      return isAway ? Promise.reject(new Error('the log is away')) : 'its words';
    },
  });
  const read = new QueryObserver(queries, { queryKey: ['read'], queryFn: () => (asked.read += 1) });
  const stops = [lost.subscribe(() => undefined), read.subscribe(() => undefined)];
  await expect.poll(() => lost.getCurrentResult().status).toBe('error');
  await expect.poll(() => read.getCurrentResult().status).toBe('success');
  isAway = false;
  emergency.set(null);
  await expect.poll(() => lost.getCurrentResult().data).toBe('its words');
  expect(asked).toEqual({ lost: 2, read: 1 });
  for (const stop of stops) stop();
});
