// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { GoldPage } from '../../../src/features/citations/gold-page.tsx';
import { openStage, type Stage } from '../scratchpad/stage.tsx';

let stage: Stage;

beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.close());

const mark = (keyInsight: string, triggerConditions: readonly string[], sidebarId?: string): Promise<string> =>
  stage.act('gold_created', { sourceRefs: ['SB-1'], keyInsight, reusePattern: 'Restart the pool.', triggerConditions, sidebarId, confidence: 0.8 });

const shownGold = (): readonly string[] => screen.queryAllByRole('article').map((card) => card.getAttribute('aria-label') ?? '');

test('[PAGE-111] something is marked as GOLD, and is provisional until it is judged', async () => {
  const user = userEvent.setup();
  stage.render(<GoldPage />, { path: '/gold' });
  await user.click(await screen.findByRole('button', { name: 'Mark as GOLD' }));
  const dialog = within(screen.getByRole('dialog'));
  await user.type(dialog.getByLabelText('Sources'), 'SB-1{Enter}');
  await user.type(dialog.getByLabelText('Key insight'), 'The pool must be larger than the number of workers.');
  await user.type(dialog.getByLabelText('How to reuse it'), 'Count the workers first.');
  await user.type(dialog.getByLabelText('Triggers'), 'ECONNRESET from the pool{Enter}login hangs + token refresh');
  await user.type(dialog.getByLabelText('Confidence (%)'), '80');
  await user.click(dialog.getByRole('button', { name: 'Mark as GOLD' }));
  const card = within(await screen.findByRole('article', { name: 'GOLD-1' }));
  expect(card.getByText('provisional')).toBeDefined();
  expect(card.getByText('pending')).toBeDefined();
  expect(
    [...(await screen.findByRole('article', { name: 'GOLD-1' })).querySelectorAll('.gold-conditions li')].map((item) => item.textContent),
  ).toEqual(['ECONNRESET from the pool', 'login hangs + token refresh']);
  expect(card.getByText('Shown 0 times')).toBeDefined();
  expect(card.getByText('80% confidence')).toBeDefined();
  await user.click(card.getByRole('button', { name: 'Review GOLD-1' }));
  await user.click(card.getByRole('button', { name: 'Confirm' }));
  expect(await card.findByText(/Confirmed by/u)).toBeDefined();
  await waitFor(() => expect(card.queryByText('provisional')).toBeNull());
});

test('[PAGE-112] waypoints are chosen by how they stand and by words', async () => {
  const user = userEvent.setup();
  await mark('The pool was too small.', ['ECONNRESET']);
  await mark('The clock was wrong.', ['signature expired']);
  await mark('It was the moon.', ['full moon']);
  await stage.act('gold_validated', { goldId: 'GOLD-2', status: 'confirmed' });
  await stage.act('gold_validated', { goldId: 'GOLD-3', status: 'rejected', validationNotes: 'No.' });
  stage.render(<GoldPage />, { path: '/gold?status=pending' });
  await waitFor(() => expect(shownGold()).toEqual(['GOLD-1']));
  await user.selectOptions(screen.getByLabelText('Status'), 'All');
  expect(shownGold()).toEqual(['GOLD-3', 'GOLD-2', 'GOLD-1']);
  await user.selectOptions(screen.getByLabelText('Status'), 'Superseded');
  expect(shownGold()).toEqual(['GOLD-3']);
  await user.selectOptions(screen.getByLabelText('Status'), 'All');
  await user.type(screen.getByLabelText('Filter'), 'signature');
  expect(shownGold()).toEqual(['GOLD-2']);
  await user.type(screen.getByLabelText('Filter'), ' nowhere');
  expect(shownGold()).toEqual([]);
  expect(screen.getByText('No matching GOLD')).toBeDefined();
});

test('[PAGE-113] a text is tried: which GOLD it would wake, how surely and by which condition', async () => {
  const user = userEvent.setup();
  await mark('The pool was too small.', ['connection pool exhausted', 'ECONNRESET from the pool']);
  stage.render(<GoldPage />, { path: '/gold' });
  await user.click(await screen.findByText('Test a text against GOLD'));
  await user.type(screen.getByLabelText('Message, error or log line'), 'Error: read ECONNRESET from the pool at 12:00');
  await user.click(screen.getByRole('button', { name: 'Test' }));
  const woken = within(await screen.findByRole('list', { name: 'Matching GOLD' }));
  expect(woken.getByRole('link', { name: 'GOLD-1' })).toBeDefined();
  expect(woken.getByText('ECONNRESET from the pool')).toBeDefined();
  await user.clear(screen.getByLabelText('Message, error or log line'));
  await user.type(screen.getByLabelText('Message, error or log line'), 'All is well.');
  await user.click(screen.getByRole('button', { name: 'Test' }));
  expect(await screen.findByText(/^No matches\./u)).toBeDefined();
});

test('[PAGE-640] where GOLD came up it is called useful or not now; one that rests says so and is brought back', async () => {
  const user = userEvent.setup();
  await mark('The pool was too small.', ['ECONNRESET from the pool']);
  stage.render(<GoldPage />, { path: '/gold' });
  const spawn = (n: number): Promise<string> =>
    stage.act('sidebar_spawn', {
      parentId: null,
      taskDescription: `Run ${n} ends with: read ECONNRESET from the pool`,
      successCriteria: 'It is gone.',
    });
  const sidebars = [await spawn(1), await spawn(2), await spawn(3)];
  const card = within(await screen.findByRole('article', { name: 'GOLD-1' }));
  for (const [at, sidebar] of sidebars.entries()) {
    const answers = within(await card.findByRole('group', { name: `Was GOLD-1 useful in ${sidebar}?` }));
    await user.click(answers.getByRole('button', { name: 'Not now' }));
    expect(await card.findByText(at === 0 ? 'Not now 1 time' : `Not now ${at + 1} times`)).toBeDefined();
  }
  expect(card.getByText(/It no longer comes up/u)).toBeDefined();
  expect(card.queryByText('Did it help?')).toBeNull();
  await user.click(card.getByRole('button', { name: 'Bring back GOLD-1' }));
  await waitFor(() => expect(card.queryByText(/It no longer comes up/u)).toBeNull());
  expect(card.getByText('Useful 1 time')).toBeDefined();
});

test('[PAGE-115] the GOLD in the address is brought into view', async () => {
  await mark('The pool was too small.', ['ECONNRESET']);
  await mark('The clock was wrong.', ['signature expired']);
  stage.render(<GoldPage />, { path: '/gold?show=GOLD-1&status=rejected' });
  await waitFor(() => expect(document.activeElement?.id).toBe('GOLD-1'));
  expect(shownGold()).toEqual(['GOLD-1']);
});

test('[PAGE-104] who judges a GOLD in place of the curator is told so before', async () => {
  const user = userEvent.setup();
  await stage.act('agent_register', { agentId: 'critic' });
  await stage.act('sidebar_update', { sidebarId: 'SB-1', curatorAgent: 'critic' });
  await mark('The pool was too small.', ['ECONNRESET'], 'SB-1');
  stage.render(<GoldPage />, { path: '/gold' });
  await user.click(await screen.findByRole('button', { name: 'Review GOLD-1' }));
  expect((await screen.findByText(/it counts as an intervention/u)).textContent).toContain('critic');
});
