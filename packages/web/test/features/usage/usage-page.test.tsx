// @vitest-environment happy-dom
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { csvOf } from '../../../src/features/usage/usage-csv.ts';
import { heatOf, weeksOf } from '../../../src/features/usage/heat.ts';
import { UsagePage } from '../../../src/features/usage/usage-page.tsx';
import { openTestPage, type TestPage } from '../../test-page.tsx';
import { writeSession } from '../sessions/written-session.ts';

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

const text = (element: Element | null | undefined): string => element?.textContent?.replaceAll(/\s+/gu, ' ').trim() ?? '';
const usage = { inputTokens: 1, outputTokens: 2, cacheWrite5mTokens: 3, cacheWrite1hTokens: 4, cacheReadTokens: 500 };
const day = (name: string, responses: number) => ({ day: name, responses, usage, costUsd: 0.5, unpriced: 0 });

test('[PAGE-570] a period shows tokens by kind, cost, models, sessions, projects and tools with errors', async () => {
  page.render(<UsagePage />, { path: '/usage?since=2025-12-01' });
  const sessions = within(await screen.findByRole('table', { name: 'Top sessions' }));
  expect(sessions.getAllByRole('link').map(text)).toContain('Weave a basket; see MSG-1.');
  const period = screen.getByRole('heading', { name: 'This period' }).closest('li');
  expect(text(period)).toMatch(/Input.*Output.*Cache writes.*Cache reads.*Responses/u);
  const tools = within(screen.getByRole('table', { name: 'Tools and errors' }));
  expect(tools.getAllByRole('row').map(text)).toContain('Bash10220.0%');
  expect(screen.getByRole('table', { name: 'Top projects' })).toBeDefined();
});

test('[PAGE-570] a period without anything says so, and another is chosen by its address', async () => {
  const user = userEvent.setup();
  page.render(<UsagePage />, { path: '/usage?since=2030-01-01' });
  await screen.findByText('Nothing used in this period');
  await user.selectOptions(screen.getByRole('combobox', { name: 'When' }), 'Any time');
  await waitFor(() => expect(page.paths.at(-1)).toBe('/usage?since='));
  await screen.findByRole('table', { name: 'Top sessions' });
});

test('[PAGE-571] the heat maps are tables in which every cell has its number', async () => {
  page.render(<UsagePage />, { path: '/usage?since=2025-12-01' });
  const hours = within(await screen.findByRole('table', { name: 'Responses by hour of the week' }));
  expect(hours.getAllByRole('cell').filter((cell) => cell.className === 'heat-cell')).toHaveLength(168);
  expect(screen.getByRole('table', { name: 'Responses by day' }).querySelectorAll('.heat-cell').length).toBeGreaterThan(0);
});

test('[PAGE-571] days stand in whole weeks from Monday on, at most a year of them', () => {
  const weeks = weeksOf([day('2026-03-04', 1), day('2026-03-10', 3)]);
  expect(weeks.map(({ first, days }) => [first, days.map((one) => one?.responses ?? null)])).toEqual([
    ['2026-03-02', [null, null, 1, 0, 0, 0, 0]],
    ['2026-03-09', [0, 3, null, null, null, null, null]],
  ]);
  expect(weeksOf([day('2020-01-01', 1), day('2026-03-10', 3)])).toHaveLength(53);
  expect(weeksOf([])).toEqual([]);
  expect([heatOf(0, 10), heatOf(10, 10), heatOf(1, 1_000_000), heatOf(1, 0)]).toEqual([0, 1, 0.12, 0]);
});

test('[PAGE-572] the table of days has cache reads in a column of their own', () => {
  expect(csvOf([day('2026-03-04', 7)])).toBe(
    'day,responses,input_tokens,output_tokens,cache_write_tokens,cache_read_tokens,cost_usd,responses_without_price\r\n2026-03-04,7,1,2,7,500,0.5,0\r\n',
  );
});
