// @vitest-environment happy-dom
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { SessionPage } from '../../../src/features/sessions/session-page.tsx';
import { openTestPage, type TestPage } from '../../test-page.tsx';
import { SESSION, SILENT, writeSession } from './written-session.ts';

let folder = '';
let page: TestPage;
beforeAll(async () => {
  folder = writeSession();
  page = await openTestPage({ roots: [folder] });
});
afterEach(cleanup);
afterAll(async () => {
  await page.close();
  rmSync(folder, { recursive: true, force: true });
});

const open = async (sessionId: string): Promise<HTMLElement> => {
  const user = userEvent.setup();
  page.render(<SessionPage sessionId={sessionId} />, { path: `/sessions/${sessionId}` });
  await user.click(await screen.findByRole('button', { name: 'More actions' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Show context window' }));
  return screen.findByRole('region', { name: 'Context window' });
};

test('[PAGE-560] the context window is drawn with what fills it, and its table leads to each message', async () => {
  const user = userEvent.setup();
  const panel = within(await open(SESSION));
  const chart = await panel.findByRole('img');
  expect(chart.getAttribute('aria-label')).toMatch(
    /^Context window: [\d,]+ tokens at the latest response of 200,000, [\d,]+ at its peak, compacted once\./u,
  );
  expect(panel.getByText('System and tools')).toBeDefined();
  await user.click(panel.getByRole('button', { name: 'Table' }));
  const table = within(panel.getByRole('table', { name: 'Context window by response' }));
  expect(table.getAllByRole('link')[0]?.getAttribute('href')).toMatch(new RegExp(`^/sessions/${SESSION}\\?at=MSG-\\d+$`, 'u'));
  expect(table.getByRole('rowheader', { name: 'Compacted' })).toBeDefined();
  await user.click(panel.getByRole('button', { name: 'Hide context window' }));
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Context window' })).toBeNull());
});

test('[PAGE-560] a session without counts says so', async () => {
  const panel = within(await open(SILENT));
  expect(await panel.findByText(/^No token counts yet/u)).toBeDefined();
});
