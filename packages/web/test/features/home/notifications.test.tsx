// @vitest-environment happy-dom
import { act, screen, waitFor } from '@testing-library/react';
import type { EmergencyNews } from '@yarnboard/protocol';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { NotificationSwitch } from '../../../src/features/home/notification-switch.tsx';
import { Notifier } from '../../../src/features/home/notifier.tsx';
import { openTestPage, type TestPage } from '../../test-page.tsx';
import { makeTranscripts, prompt, reply, SESSION, type Transcripts } from './transcripts.ts';

type Leave = 'default' | 'granted' | 'denied';

/** The browser's own, which this environment has none of: it asks the user, who answers with what is given here. */
const giveBrowser = (leave: Leave, answer: Leave = leave) => {
  const shown: Browser[] = [];
  class Browser extends EventTarget {
    static permission: Leave = leave;
    static asked = 0;
    static async requestPermission(): Promise<Leave> {
      Browser.asked += 1;
      Browser.permission = answer;
      return answer;
    }
    readonly title: string;
    readonly body: string;
    constructor(title: string, { body = '' }: NotificationOptions = {}) {
      super();
      this.title = title;
      this.body = body;
      shown.push(this);
    }
    close(): void {}
  }
  vi.stubGlobal('Notification', Browser);
  return { shown, asked: () => Browser.asked };
};

let page: TestPage;
let transcripts: Transcripts;
beforeEach(async () => {
  transcripts = makeTranscripts();
  transcripts.add(SESSION, [prompt('p1', null, 'weave a basket')]);
  page = await openTestPage({ roots: [transcripts.root] });
});
afterEach(async () => {
  await page.close();
  transcripts.remove();
  localStorage.clear();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const theSwitch = (): HTMLElement => screen.getByRole('switch', { name: 'Browser notifications' });

test('[PAGE-46] the browser is asked by a click, and never before', async () => {
  const user = userEvent.setup();
  const { asked } = giveBrowser('default', 'granted');
  page.render(<NotificationSwitch />);
  expect([asked(), theSwitch().getAttribute('aria-checked')]).toEqual([0, 'false']);
  await user.click(theSwitch());
  await waitFor(() => expect(theSwitch().getAttribute('aria-checked')).toBe('true'));
  expect(asked()).toBe(1);
  await user.click(theSwitch());
  await waitFor(() => expect(theSwitch().getAttribute('aria-checked')).toBe('false'));
  await user.click(theSwitch());
  await waitFor(() => expect(theSwitch().getAttribute('aria-checked')).toBe('true'));
  expect(asked()).toBe(1);
});

test('[PAGE-46] where the browser says no, the switch stays off and says what can be done', async () => {
  const user = userEvent.setup();
  giveBrowser('default', 'denied');
  page.render(<NotificationSwitch />);
  await user.click(theSwitch());
  await screen.findByText(/blocks notifications from this page/u);
  expect(theSwitch().hasAttribute('disabled')).toBe(true);
});

test('[PAGE-46] a browser without notifications is told so', () => {
  vi.stubGlobal('Notification', undefined);
  // Gone, and not only undefined.
  Reflect.deleteProperty(globalThis, 'Notification');
  page.render(<NotificationSwitch />);
  expect(screen.getByText('This browser doesn’t support notifications.')).toBeTruthy();
});

const atWork = (isWorking: boolean): Promise<void> =>
  waitFor(async () => expect((await page.live.ask('activity', {})).sessions[0]?.isWorking).toBe(isWorking));

test('[PAGE-47] out of sight, a turn that is over and what newly waits are announced by the browser; in sight they are not', async () => {
  const { shown } = giveBrowser('granted');
  localStorage.setItem('yarnboard.notifications', 'on');
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(false);
  page.render(<Notifier />);
  await waitFor(() => expect(page.live.queries.getQueryData(['inbox', {}])).toBeTruthy());
  await page.live.send('sidebar_spawn', { parentId: null, taskDescription: 'Why is it slow?' });
  await page.live.send('scratchpad_entry_submitted', { sidebarId: 'SB-1', content: 'Seen while looking.' });
  await waitFor(() => expect(JSON.stringify(page.live.queries.getQueryData(['inbox', {}]))).toContain('Seen while looking.'));
  expect(shown).toEqual([]);
  hidden.mockReturnValue(true);
  await page.live.send('scratchpad_entry_submitted', { sidebarId: 'SB-1', content: 'The loom is cold.' });
  await waitFor(() => expect(shown.map(({ title, body }) => [title, body])).toEqual([['Review a finding in SB-1', 'The loom is cold.']]));
  transcripts.add(SESSION, [reply('r1', 'p1', 'It is woven.')]);
  await atWork(false);
  await waitFor(() => expect(shown.map(({ title, body }) => [title, body]).slice(1)).toEqual([['Done: weave a basket', 'It is woven.']]));
  shown[1]?.dispatchEvent(new Event('click'));
  expect(page.paths.at(-1)).toBe(`/sessions/${SESSION}`);
});

test('[PAGE-47] without leave nothing is announced', async () => {
  const { shown } = giveBrowser('granted');
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  page.render(<Notifier />);
  transcripts.add(SESSION, [reply('r1', 'p1', 'It is woven.')]);
  await atWork(false);
  expect(shown).toEqual([]);
});

test('[PAGE-450] out of sight, an emergency is announced by the browser, and that it is over', async () => {
  const { shown } = giveBrowser('granted');
  localStorage.setItem('yarnboard.notifications', 'on');
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  page.render(<Notifier />);
  await waitFor(() => expect(page.live.queries.getQueryData(['inbox', {}])).toBeTruthy());
  await waitFor(() => expect(page.live.queries.getQueryData(['activity', {}])).toBeTruthy());
  await waitFor(() => expect(page.live.queries.getQueryData(['permissions', {}])).toBeTruthy());
  act(() => page.live.emergency.set(EMERGENCY));
  await waitFor(() => expect(shown.map(({ title }) => title)).toEqual(['Emergency']));
  expect(shown[0]?.body).toMatch(/^The log is unavailable \(disk full\)/u);
  act(() => page.live.emergency.set({ ...EMERGENCY, pendingWrites: 2 }));
  act(() => page.live.emergency.set(null));
  await waitFor(() => expect(shown.map(({ title }) => title)).toEqual(['Emergency', 'All services are back']));
  shown[0]?.dispatchEvent(new Event('click'));
  expect(page.paths.at(-1)).toBe('/health');
});

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
