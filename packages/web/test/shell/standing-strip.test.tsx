// @vitest-environment happy-dom
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { EmergencyNews } from '@yarnboard/protocol';
import { useVerdict } from '../../src/live/verdict.ts';
import { StandingStrip } from '../../src/shell/standing-strip.tsx';
import { Page } from '../../src/ui/page.tsx';
import { TabCountProvider } from '../../src/ui/tab-count.tsx';
import { openTestPage, type TestPage } from '../test-page.tsx';

let page: TestPage;
beforeAll(async () => {
  page = await openTestPage();
});
afterEach(() => {
  page.live.emergency.set(null);
  cleanup();
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
  blocked: ['sidebar_spawn'],
  message: 'Working memory service down, operating in cached mode: disk full',
};

test('[PAGE-431] screen readers hear of it once per change, whatever is counted meanwhile', () => {
  const { container } = page.render(<StandingStrip />);
  const said = (): string | null => container.querySelector('[data-announces="standing"]')?.textContent ?? null;
  expect(said()).toBe('');
  act(() => page.live.emergency.set(EMERGENCY));
  const first = said();
  expect(first).toMatch(/^Emergency\. The log is unavailable \(disk full\)\. 1 queued/u);
  act(() => page.live.emergency.set({ ...EMERGENCY, pendingWrites: 2 }));
  expect(screen.getByText(/2 queued, stored in SQLite/u)).toBeDefined();
  expect(said()).toBe(first);
  act(() => page.live.emergency.set(null));
  expect(said()).toBe('All services are back.');
});

test('[PAGE-432] the title of the tab begins with the word', async () => {
  page.render(
    <TabCountProvider>
      <StandingStrip />
      <Page title="Home">
        <p>view</p>
      </Page>
    </TabCountProvider>,
  );
  await waitFor(() => expect(document.title).toBe('Home · Yarnboard'));
  act(() => page.live.emergency.set(EMERGENCY));
  await waitFor(() => expect(document.title).toBe('Emergency · Home · Yarnboard'));
});

const Spawning = () => <p>{useVerdict({ type: 'sidebar.spawn', origin: { kind: 'none' }, task: 'another' }).refusal ?? 'allowed'}</p>;

test('[PAGE-436] what cannot wait says why and since when; before recovery is done, nothing is offered', async () => {
  page.render(<Spawning />);
  await screen.findByText('allowed');
  act(() => page.live.emergency.set(EMERGENCY));
  await screen.findByText(/can’t be done while the log is unavailable, since 12:00 UTC \(disk full\)/u);
  act(() => page.live.emergency.set(null));
  await screen.findByText('allowed');
  act(() =>
    page.live.recovery.set({
      state: 'RECOVERY_NEEDED',
      severity: 'warning',
      message: '',
      details: [],
      recommendation: '',
      actions: [],
      openWrites: 1,
    }),
  );
  await screen.findByText(/has to finish recovery first/u);
  act(() => page.live.recovery.set(null));
  expect(await screen.findByText('allowed')).toBeDefined();
});
