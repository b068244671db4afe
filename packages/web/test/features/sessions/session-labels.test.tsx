// @vitest-environment happy-dom
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { SessionList } from '../../../src/features/sessions/session-list.tsx';
import { connectAs } from '../home/connection.ts';
import { openStage, type Stage } from '../sidebars/stage.tsx';
import { put, said, thread } from './written-session.ts';

vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(2000);
vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(600);
vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(1200);

const idOf = (n: number): string => `1abe1000-0000-4000-8000-00000000000${n}`;
let folder = '';
let stage: Stage;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'yarnboard-labels-'));
  for (const n of [1, 2, 3]) {
    const clock = { now: Date.parse(`2026-01-0${n}T10:00:00Z`), made: n * 100 };
    const main = thread(clock, null, idOf(n));
    main.asks(`Question ${n}`);
    // The oldest says most.
    for (let said_ = 0; said_ < 5 - n; said_ += 1) main.says([said('An answer')]);
    put(join(folder, 'projects', '-home-dev-loom', `${idOf(n)}.jsonl`), main.lines);
  }
  stage = await openStage({ roots: [folder] });
});
afterEach(cleanup);
afterAll(async () => {
  await stage.close();
  rmSync(folder, { recursive: true, force: true });
});

const open = async (query = ''): Promise<void> => {
  stage.render(<SessionList />, { path: `/sessions${query}` });
  await screen.findAllByRole('listitem');
};
const titles = (): readonly (string | undefined)[] => [...document.querySelectorAll('.session-list-title')].map((one) => one.textContent);
const menuOf = async (user: ReturnType<typeof userEvent.setup>, title: string, item: string): Promise<void> => {
  await user.click(await screen.findByRole('button', { name: `More for ${title}` }));
  await user.click(await screen.findByRole('menuitem', { name: item }));
};

test('[PAGE-616] a pinned session comes first; unpinned, it stands by its date again', async () => {
  const user = userEvent.setup();
  await open();
  await waitFor(() => expect(titles()).toEqual(['Question 3', 'Question 2', 'Question 1']));
  await menuOf(user, 'Question 1', 'Pin');
  await waitFor(() => expect(titles()).toEqual(['Question 1', 'Question 3', 'Question 2']));
  expect(within(screen.getByRole('link', { name: /^Question 1/u })).getByText('pinned')).toBeDefined();
  await menuOf(user, 'Question 1', 'Unpin');
  await waitFor(() => expect(titles()).toEqual(['Question 3', 'Question 2', 'Question 1']));
});

test('[PAGE-616] a session has a name, tags and a note of one’s own, and is found by them', async () => {
  const user = userEvent.setup();
  await open();
  await menuOf(user, 'Question 2', 'Name, tags and note…');
  const dialog = await screen.findByRole('dialog', { name: 'Name, tags and note' });
  await user.type(within(dialog).getByRole('textbox', { name: 'Name' }), 'The second sleeve');
  await user.type(within(dialog).getByRole('textbox', { name: 'Tags' }), 'later, wool, later');
  await user.type(within(dialog).getByRole('textbox', { name: 'Note' }), 'Ask ada');
  await user.click(within(dialog).getByRole('button', { name: 'Save' }));
  const row = await screen.findByRole('link', { name: /^The second sleeve/u });
  await waitFor(() => expect(within(row).getAllByText(/^(?:later|wool|note)$/u)).toHaveLength(3));
  await user.type(screen.getByRole('searchbox', { name: 'Filter sessions' }), 'wool ada');
  await waitFor(() => expect(titles()).toEqual(['The second sleeve']));
});

test('[PAGE-616] a hidden session is left out, until somebody wants those, too', async () => {
  const user = userEvent.setup();
  await open();
  await menuOf(user, 'Question 3', 'Hide from lists');
  await waitFor(() => expect(titles()).not.toContain('Question 3'));
  cleanup();
  await open('?only=hidden');
  await waitFor(() => expect(titles()).toContain('Question 3'));
  expect(within(screen.getByRole('link', { name: /^Question 3/u })).getByText('hidden')).toBeDefined();
  await menuOf(user, 'Question 3', 'List again');
  await waitFor(() => expect(within(screen.getByRole('link', { name: /^Question 3/u })).queryByText('hidden')).toBeNull());
});

test('[PAGE-616] whoever only reads sees labels, and is offered nothing', async () => {
  await stage.act('session_label', { id: idOf(1), tags: ['basket'] });
  const reader = connectAs(stage.server.url, null);
  stage.render(<SessionList />, { path: '/sessions', as: reader });
  await screen.findByText('basket');
  expect(screen.queryByRole('button', { name: /^More for/u })).toBeNull();
  reader.close();
});

test('[PAGE-615] sessions are sorted as chosen, and the address holds it', async () => {
  const user = userEvent.setup();
  await open();
  await user.selectOptions(screen.getByRole('combobox', { name: 'Sort' }), 'Most messages');
  await waitFor(() => expect(titles()).toEqual(['Question 1', 'The second sleeve', 'Question 3']));
  expect(stage.paths.at(-1)).toBe('/sessions?sort=messages');
  await user.click(screen.getByRole('button', { name: /^Show/u }));
  await user.click(await screen.findByRole('menuitemcheckbox', { name: 'Only with errors' }));
  await waitFor(() => expect(stage.paths.at(-1)).toBe('/sessions?sort=messages&only=errors'));
  await screen.findByText('No matching sessions');
});
