import { cleanup, screen, waitFor } from '@testing-library/react';
import type { EntryFrame } from '@yarnboard/protocol';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { SessionOperations } from '../../../src/features/sessions/session-operations.tsx';
import { useSessionNews } from '../../../src/live/hooks.tsx';
import type { Live } from '../../../src/live/live.ts';
import { openTestPage } from '../../test-page.tsx';
import { put, SESSION, thread } from './written-session.ts';

afterEach(cleanup);

test('[PAGE-623] while the tool calls are loading, news doesn’t load them a second time; they are loaded again afterwards', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'yarnboard-operations-'));
  const main = thread({ now: Date.parse('2026-01-01T10:00:00Z'), made: 0 }, null);
  main.asks('Weave a basket');
  main.uses('Bash', { command: 'bend' }, { content: 'done' });
  put(join(folder, 'projects', '-home-dev-loom', `${SESSION}.jsonl`), main.lines);
  const page = await openTestPage({ roots: [folder] });
  let loads = 0;
  let heard = 0;
  let open = (): void => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const listeners: ((entry: EntryFrame) => void)[] = [];
  // The page's own connection, slow; and the news comes when the test says so.
  const ask: Live['ask'] = async (name, input, signal) => {
    if (name !== 'operations') return page.live.ask(name, input, signal);
    loads += 1;
    await gate;
    return page.live.ask(name, input, signal);
  };
  const watchSession: Live['watchSession'] = (_, listener) => {
    listeners.push(listener);
    return () => {};
  };
  const After = () => {
    useSessionNews(SESSION, () => (heard += 1), 3000);
    return null;
  };
  page.render(
    <>
      <SessionOperations sessionId={SESSION} onGo={() => {}} />
      <After />
    </>,
    { as: { ...page.live, ask, watchSession } },
  );
  await waitFor(() => expect(loads).toBe(1));
  for (const tell of listeners) tell({} as EntryFrame); // nobody reads it
  await waitFor(() => expect(heard).toBe(1));
  expect(loads).toBe(1);
  open();
  await screen.findByRole('list', { name: 'Tool calls' });
  await waitFor(() => expect(loads).toBe(2));
  await page.close();
  rmSync(folder, { recursive: true, force: true });
});

test('[PAGE-645] once something is forgotten, no part of the tool calls is kept', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'yarnboard-operations-'));
  const main = thread({ now: Date.parse('2026-01-01T10:00:00Z'), made: 0 }, null);
  main.asks('Weave a basket');
  for (const command of ['bend', 'weave']) main.uses('Bash', { command }, { content: 'done' });
  put(join(folder, 'projects', '-home-dev-loom', `${SESSION}.jsonl`), main.lines);
  const page = await openTestPage({ roots: [folder] });
  const asked: (string | undefined)[] = [];
  // The page's own connection, with one call to a page.
  const ask: Live['ask'] = async (name, input, signal) => {
    if (name !== 'operations') return page.live.ask(name, input, signal);
    asked.push('cursor' in input ? input.cursor : undefined);
    return page.live.ask(name, { ...input, limit: 1 }, signal);
  };
  const listeners: ((entry: EntryFrame) => void)[] = [];
  const watchSession: Live['watchSession'] = (_, listener) => {
    listeners.push(listener);
    return () => {};
  };
  page.render(<SessionOperations sessionId={SESSION} onGo={() => {}} />, { as: { ...page.live, ask, watchSession } });
  const list = await screen.findByRole('list', { name: 'Tool calls' });
  await waitFor(() => expect(list.textContent).toContain('weave'));
  const [first, second] = asked;
  expect([asked.length, first, typeof second]).toEqual([2, undefined, 'string']);
  for (const tell of listeners) tell({} as EntryFrame); // nobody reads it
  await waitFor(() => expect(asked.slice(2)).toEqual([second]));
  await page.live.queries.invalidateQueries(); // as when something is forgotten
  await waitFor(() => expect(asked.slice(3)).toEqual([undefined, second]));
  await page.close();
  rmSync(folder, { recursive: true, force: true });
});
