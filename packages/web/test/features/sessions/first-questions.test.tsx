// @vitest-environment happy-dom
import { cleanup, screen, waitFor } from '@testing-library/react';
import { appendFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { askFirst } from '../../../src/features/sessions/first-questions.ts';
import { sessionAddress } from '../../../src/features/sessions/session-address.ts';
import { SessionPage } from '../../../src/features/sessions/session-page.tsx';
import { withAnswersAhead } from '../../../src/live/answers-ahead.ts';
import { LiveProvider } from '../../../src/live/hooks.tsx';
import type { Live } from '../../../src/live/live.ts';
import { openTestPage, type TestPage } from '../../test-page.tsx';
import { SESSION, writeSession } from './written-session.ts';

let folder = '';
let page: TestPage;
beforeAll(async () => {
  folder = writeSession();
  page = await openTestPage({ roots: [folder] });
});
afterEach(() => {
  cleanup();
  page.live.queries.clear();
});
afterAll(async () => {
  await page.close();
  rmSync(folder, { recursive: true, force: true });
});

const never = (): (() => void) => () => {};

/** A connection, and what is asked through it. */
const listened = (to = page.live): { readonly live: Live; readonly asked: string[] } => {
  const asked: string[] = [];
  const ask: Live['ask'] = (name, input) => {
    asked.push(JSON.stringify([name, input]));
    return to.ask(name, input);
  };
  return { live: { ...to, ask }, asked };
};

const add = (text: string): void =>
  appendFileSync(
    join(folder, 'projects', '-home-dev-loom', `${SESSION}.jsonl`),
    `${JSON.stringify({ type: 'system', subtype: 'informational', content: text, uuid: crypto.randomUUID(), parentUuid: null, timestamp: new Date().toISOString(), sessionId: SESSION })}\n`,
  );

test.each([
  '',
  '?at=MSG-2',
  '?at=MSG-2&thread=main',
  '?thread=a0123456789abcdef',
  '?thread=a0123456789abcdef&at=5e551011-0000-4000-9000-000000000013',
])('[PAGE-123] what is asked ahead of a session%s is what its page asks, and it is asked once', async (query) => {
  const { live, asked } = listened();
  const address = sessionAddress(SESSION, new URLSearchParams(query));
  const ahead = withAnswersAhead(live, { sessionId: SESSION, later: never, questions: (ask) => askFirst(ask, address) });
  const first: string[] = [];
  askFirst((name, input) => {
    first.push(JSON.stringify([name, input]));
    return new Promise(() => {});
  }, address);
  const view = listened(ahead);
  page.render(
    <LiveProvider live={view.live}>
      <SessionPage sessionId={SESSION} />
    </LiveProvider>,
    { path: `/sessions/${SESSION}${query}` },
  );
  await screen.findAllByRole('article', { name: /^(?:Prompt|Reply) by / });
  await waitFor(() => expect(asked).toContain(first.at(-1)));
  expect(first.length).toBe(address.thread === null ? 2 : 3);
  expect(view.asked).toEqual(expect.arrayContaining(first));
  expect(asked.filter((question) => first.includes(question))).toEqual(first);
});

test('[PAGE-123] an answer that was asked for ahead is given once; the next is asked for', async () => {
  const { live, asked } = listened();
  const ahead = withAnswersAhead(live, { sessionId: SESSION, later: never, questions: (ask) => void ask('session', { id: SESSION }) });
  expect(await ahead.ask('session', { id: SESSION })).toEqual(await page.live.ask('session', { id: SESSION }));
  expect(asked).toHaveLength(1);
  await ahead.ask('session', { id: SESSION });
  expect(asked).toHaveLength(2);
});

test('[PAGE-123] an answer is not given after something was added to the session', async () => {
  const { live, asked } = listened();
  const ahead = withAnswersAhead(live, { sessionId: SESSION, later: never, questions: (ask) => void ask('session', { id: SESSION }) });
  await expect.poll(() => asked.length).toBe(1);
  let isTold = false;
  const stop = live.watchSession(SESSION, () => (isTold = true));
  add('more');
  await waitFor(() => expect(isTold).toBe(true));
  stop();
  await ahead.ask('session', { id: SESSION });
  expect(asked).toHaveLength(2);
});

test('[PAGE-123] an answer that nobody wants is let go after a while, and a refusal that nobody hears is no fault', async () => {
  const { live, asked } = listened();
  const work: (() => void)[] = [];
  const later = (_: number, one: () => void): (() => void) => {
    work.push(one);
    return () => {};
  };
  const ahead = withAnswersAhead(live, { sessionId: SESSION, later, questions: (ask) => void ask('session', { id: 'nothing' }) });
  await expect.poll(() => asked.length).toBe(1);
  for (const one of work) one();
  await expect(ahead.ask('session', { id: 'nothing' })).rejects.toMatchObject({ code: 'not-found' });
  expect(asked).toHaveLength(2);
});
