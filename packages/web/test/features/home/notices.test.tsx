// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NoticeTray } from '../../../src/features/home/notice-tray.tsx';
import { Notifier } from '../../../src/features/home/notifier.tsx';
import type { Live } from '../../../src/live/live.ts';
import { Page } from '../../../src/ui/page.tsx';
import { TabCountProvider } from '../../../src/ui/tab-count.tsx';
import { openTestPage, type TestPage } from '../../test-page.tsx';
import { connectAs } from './connection.ts';

let page: TestPage;
let weaver: Live;
const ref: { sidebar: string } = { sidebar: '' };

beforeEach(async () => {
  localStorage.clear();
  page = await openTestPage();
  const added = await page.live.send('agent_register', { agentId: 'weaver' });
  if (added.kind !== 'done') throw new Error(JSON.stringify(added));
  weaver = connectAs(page.server.url, added.result.token);
  const spawned = await page.live.send('sidebar_spawn', {
    parentId: null,
    taskDescription: 'Why?',
    participants: ['weaver'],
    coordinatorAgent: 'weaver',
  });
  if (spawned.kind !== 'done') throw new Error(JSON.stringify(spawned));
  ref.sidebar = spawned.result.ref ?? '';
});
afterEach(async () => {
  weaver.close();
  await page.close();
});

/** A view that has nothing to do with any of it. */
const show = (path = '/gold'): void => {
  page.render(
    <TabCountProvider>
      <Notifier />
      <NoticeTray />
      <Page title="GOLD">something else</Page>
    </TabCountProvider>,
    { path },
  );
};

/** The page has looked once: what comes from now on is news. */
const looked = async (): Promise<void> => {
  await waitFor(() => expect(page.live.queries.getQueryData(['inbox', {}])).toBeDefined());
  await waitFor(() => expect(page.live.queries.isFetching()).toBe(0));
};

test('[PAGE-530] what is only told appears in passing, and not where it is seen anyway', async () => {
  show();
  await looked();
  await weaver.send('chat_message', { sidebarId: ref.sidebar, content: '@operator have a look' });
  const place = screen.getByRole('region', { name: 'Status messages' });
  expect(await within(place).findByText('You were mentioned')).toBeDefined();
});

test('[PAGE-530] whoever looks at the sidebar sees it there', async () => {
  show(`/sidebars/${ref.sidebar}`);
  await looked();
  await weaver.send('chat_message', { sidebarId: ref.sidebar, content: '@operator have a look' });
  await waitFor(() => expect(JSON.stringify(page.live.queries.getQueryData(['inbox', {}]))).toContain('have a look'));
  expect(within(screen.getByRole('region', { name: 'Status messages' })).queryByText('You were mentioned')).toBeNull();
});

test('[PAGE-531] a warning stays in the frame until it is seen', async () => {
  const user = userEvent.setup();
  show();
  await looked();
  await weaver.send('sidebar_status_update', { sidebarId: ref.sidebar, newStatus: 'FAILED', reason: 'the loom broke' });
  const tray = await screen.findByRole('button', { name: 'Warnings 1' });
  await user.click(tray);
  const dialog = await screen.findByRole('dialog', { name: 'Warnings' });
  expect(within(dialog).getByText(/the loom broke/u)).toBeDefined();
  await user.click(within(dialog).getByRole('button', { name: 'Mark warning as seen' }));
  await user.click(within(dialog).getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: /Warnings/u })).toBeNull());
});

test('[PAGE-532] a decision stays in the frame and in the count of the tab, read or not, until it is made', async () => {
  const user = userEvent.setup();
  show();
  await looked();
  await weaver.send('sidebar_escalate', { sidebarId: ref.sidebar, reason: 'blue or red?' });
  const tray = await screen.findByRole('button', { name: 'Needs you 1' });
  await waitFor(() => expect(document.title).toBe('(1) GOLD · Yarnboard'));
  const { seq } = await page.live.ask('inbox', {});
  await page.live.send('inbox_ack', { seq });
  await waitFor(() => expect(JSON.stringify(page.live.queries.getQueryData(['inbox', {}]))).toContain('"notices":[]'));
  await user.click(tray);
  const dialog = await screen.findByRole('dialog', { name: 'Needs your decision' });
  expect(within(dialog).getByText('weaver needs your decision in SB-1')).toBeDefined();
  await page.live.send('chat_message', { sidebarId: ref.sidebar, content: 'Blue.' });
  await waitFor(() => expect(document.title).toBe('GOLD · Yarnboard'));
  await user.click(within(dialog).getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: /Needs you/u })).toBeNull());
});
