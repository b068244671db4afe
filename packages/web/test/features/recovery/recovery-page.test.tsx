// @vitest-environment happy-dom
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { Health } from '../../../src/features/settings/health.tsx';
import { RecoveryPage } from '../../../src/features/recovery/recovery-page.tsx';
import { StandingStrip } from '../../../src/shell/standing-strip.tsx';
import { openTestPage, type TestPage, type TestPageOptions } from '../../test-page.tsx';
import { CACHE, leftBehind, said } from './left-behind.ts';

let page: TestPage | null = null;
const open = async (options: TestPageOptions = {}): Promise<TestPage> => {
  page = await openTestPage(options);
  return page;
};
afterEach(async () => {
  cleanup();
  await page?.close();
  page = null;
});

const HOSTILE = '<script>alert(1)</script> [x](javascript:alert(1))';

test('[PAGE-440] [PAGE-441] [PAGE-442] [PAGE-443] what was left behind is shown as what it is, hostile words included, and a conflict beside the present state', async () => {
  const { render } = await open({ home: await leftBehind([said(1, 'the pool is exhausted'), said(2, HOSTILE), said(3, 'gone', 'SB-9')]) });
  const { container } = render(<RecoveryPage />);
  await screen.findByText('Previous session crashed. Recovery audit required.');
  const card = await screen.findByRole('article', { name: 'The log was unavailable' });
  expect(card.textContent).toContain('workstation');
  expect(card.textContent).toContain('the home folder, the state folder, SQLite. All copies agree.');
  expect(card.textContent).toContain('<img src=x onerror=alert(1)> was noted');
  const items = await waitFor(() => {
    const found = within(screen.getByRole('list', { name: 'Queued items' })).getAllByRole('listitem');
    expect(found).toHaveLength(3);
    return found;
  });
  expect(items[0]?.textContent).toMatch(/Message 1.*can be saved.*the pool is exhausted/u);
  expect(items[1]?.textContent).toContain(HOSTILE);
  expect(items[2]?.textContent).toMatch(/Message 3.*conflict.*Queued.*gone.*Now/u);
  expect(container.querySelectorAll('script, img, a[href^="javascript"]')).toHaveLength(0);
});

test('[PAGE-448] a cache is marked as resolved with notes, after saying what is not replayed', async () => {
  const user = userEvent.setup();
  const { render, live } = await open({ home: await leftBehind([said(1, 'never mind')]) });
  render(<RecoveryPage />);
  await user.click(await screen.findByRole('button', { name: 'Mark resolved…' }));
  const dialog = await screen.findByRole('dialog', { name: 'Mark as resolved' });
  expect(dialog.textContent).toContain('1 item won’t be replayed');
  await user.type(within(dialog).getByRole('textbox', { name: 'Notes' }), 'told in person');
  await user.click(within(dialog).getByRole('button', { name: 'Mark resolved' }));
  await screen.findByText('Nothing to recover');
  expect((await live.ask('recovery', {})).caches).toMatchObject([
    { cacheId: CACHE, resolutionNotes: 'told in person', resolvedAt: expect.any(String) as string },
  ]);
});

test('[PAGE-438] whoever is not the operator is told why nothing can be written', async () => {
  const { render } = await open({ home: await leftBehind([said(1, 'one')]), isOperator: false });
  render(
    <>
      <StandingStrip />
      <RecoveryPage />
    </>,
  );
  await screen.findByText('Read-only until the operator finishes recovery');
  await screen.findByText(/The operator has to review queued items/u);
  expect(screen.queryByRole('button')).toBeNull();
});

test('[PAGE-449] health shows the operator the places for queued items with their room, and the last outage', async () => {
  const { render } = await open();
  render(<Health />);
  const places = await screen.findByRole('list', { name: 'Places' });
  expect(places.textContent).toMatch(/The home folder.*room for .*working/u);
  expect(screen.getByText('No outages recorded.')).toBeTruthy();
});

test('[PAGE-437] what was queued and not saved is shown to whoever said it with its words, and to the others as a note', async () => {
  const user = userEvent.setup();
  const { render, live } = await open();
  const { Banners } = await import('../../../src/shell/banners.tsx');
  const told = { sender: 'AGENT-operator', context: 'SB-1', outcome: 'conflict', why: 'SB-1 is archived', words: 'what I said', at: 0 } as const;
  live.unsaved.set([
    { ...told, messageId: 'a', isMine: true },
    { ...told, messageId: 'b', isMine: false, sender: 'AGENT-scout' },
  ]);
  render(<Banners entranceTrouble={null} onLeave={() => {}} />);
  const mine = await screen.findByText(/Something you sent while the log was unavailable couldn’t be saved/u);
  expect(mine.textContent).toContain('SB-1 is archived');
  expect(mine.textContent).toContain('what I said');
  await screen.findByRole('link', { name: 'decide what happens to it' });
  await screen.findByText(/An item queued by scout couldn’t be saved/iu);
  for (const button of screen.getAllByRole('button', { name: 'Dismiss' })) await user.click(button);
  expect(live.unsaved.get()).toEqual([]);
});
