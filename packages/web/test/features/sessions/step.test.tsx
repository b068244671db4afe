// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Step } from '../../../src/features/sessions/flow-pages.ts';
import { PartImage } from '../../../src/features/sessions/part-image.tsx';
import { StepView, stepName } from '../../../src/features/sessions/step.tsx';
import { openTestPage, type TestPage } from '../../test-page.tsx';
import { operationOf, stepOf } from './steps.ts';

let page: TestPage;
beforeAll(async () => {
  page = await openTestPage();
});
afterEach(cleanup);
afterAll(() => page.close());

const show = (change: Partial<Step>): HTMLElement => page.render(<StepView step={stepOf(0, change)} isNear={false} />).container;
const words = (place: Element): string => place.textContent?.replaceAll(/\s+/gu, ' ').trim() ?? '';

test.each([
  [{ isCopy: true }, 'copied'],
  [{ isForgotten: true, text: '[forgotten]' }, 'forgotten'],
  [{ isError: true }, 'error'],
] as const)('[PAGE-15] a step with %j is marked', (change, mark) => {
  expect(words(show(change).querySelector('.step-head') ?? document.body)).toContain(mark);
});

test('[PAGE-341] a step that was taken back in its tool says so, and keeps its words', async () => {
  const place = show({ isTakenBack: true, text: 'weave a basket' });
  expect(words(place.querySelector('.step-head') ?? document.body)).toContain('taken back');
  expect(await screen.findByText('weave a basket')).toBeTruthy();
  cleanup();
  expect(words(show({}))).not.toContain('taken back');
});

test('[PAGE-15] what a prompt or a turn of one reply cost is shown in tokens and money, and nothing where nobody knows', () => {
  const usage = { inputTokens: 10, outputTokens: 20, cacheReadTokens: 40_000, cacheWrite5mTokens: 0, cacheWrite1hTokens: 0 };
  expect(words(show({ usage, costUsd: 0.125, turn: { durationMs: null, usage, costUsd: 0.125 } }))).toContain('30 tokens · $0.13');
  cleanup();
  expect(words(show({}))).not.toContain('tokens');
});

test('[PAGE-16] a resumption is a line that says from where, with a link to the session', () => {
  show({ kind: 'resumption', text: '', note: 'forked from session 16cd2eec-4400-4837-a940-5e3eced8ec0e' });
  expect(screen.getByText('Resumed')).toBeTruthy();
  expect(screen.getByRole('link', { name: '16cd2eec' }).getAttribute('href')).toBe('/sessions/16cd2eec-4400-4837-a940-5e3eced8ec0e');
});

test('[PAGE-16] what nobody said is a notice, and an error among them says that it is one', async () => {
  const place = show({ kind: 'system', role: 'notice', isError: true, text: 'API overloaded' });
  await screen.findByText('API overloaded');
  expect(words(place)).toMatch(/^Error: API overloaded/u);
});

test.each([
  ['running', 'running'],
  ['failed', 'failed'],
  ['rejected', 'rejected'],
  ['unanswered', 'no result'],
] as const)('[PAGE-17] an operation that is %s says so in words', (state, word) => {
  show({ operations: [operationOf(0, { state, durationMs: null })], operationsTotal: 1 });
  expect(words(screen.getByRole('button', { name: /Running step 0/u }))).toBe(`Bash: Running step 0${word}`);
});

test('[PAGE-17] of many operations those that run and sub-agents are always seen', () => {
  const operations = Array.from({ length: 12 }, (_, n) =>
    operationOf(n, {
      ...(n === 10 ? { state: 'running' as const } : {}),
      ...(n === 11 ? { name: 'Task', summary: '🤖 Delegating to Explore: find it', agentId: 'a1' } : {}),
    }),
  );
  show({ operations, operationsTotal: 12 });
  expect(screen.getByRole('button', { name: '5 more operations' })).toBeTruthy();
  expect(screen.getByRole('button', { name: /Running step 10/u })).toBeTruthy();
  expect(screen.getByRole('button', { name: /Sub-agent.*find it/u })).toBeTruthy();
});

test('[PAGE-29] steps are named by what they are, by whom, and by their reference', () => {
  expect([stepOf(0), stepOf(1, { kind: 'prompt', speaker: 'Human' }), stepOf(2, { kind: 'compaction', ref: null })].map(stepName)).toEqual([
    'Reply by Claude, MSG-1',
    'Prompt by Human, MSG-2',
    'Compaction',
  ]);
});

test('[PAGE-2] signs that turn what follows are visible in what was typed and in the lines of operations', () => {
  const place = show({ kind: 'prompt', speaker: 'Human', text: 'a\u202Eb', operations: [] });
  expect(words(place.querySelector('.step-typed') ?? place)).toBe('a\ufffdb');
  cleanup();
  show({ operations: [operationOf(0, { summary: '💻 Running \u202Esl' })], operationsTotal: 1 });
  expect(screen.getByRole('button', { name: /Running \ufffdsl/u })).toBeTruthy();
});

describe('PAGE-618', () => {
  const usage = { inputTokens: 10, outputTokens: 20, cacheReadTokens: 0, cacheWrite5mTokens: 0, cacheWrite1hTokens: 0 };
  const turn = { durationMs: 83_000, usage: { ...usage, inputTokens: 100 }, costUsd: 0.5 };
  const spent = { usage, costUsd: 0.125 };

  test('[PAGE-618] the first reply of a turn has the head, the others have none, and the last says what the turn took', () => {
    expect(words(show({ ...spent }).querySelector('.step-head') ?? document.body)).toMatch(/^ClaudeOpus 5\.5.*MSG-1$/u);
    cleanup();
    expect(show({ ...spent, isGoingOn: true }).querySelector('.step-head, .step-turn')).toBeNull();
    cleanup();
    const last = show({ ...spent, isGoingOn: true, turn });
    expect(last.querySelector('.step-head')).toBeNull();
    expect(words(last.querySelector('.step-turn') ?? document.body)).toBe('Worked for 1 min 23 s120 tokens · $0.50');
    cleanup();
    const running = show({ isGoingOn: true, turn, operations: [operationOf(0, { state: 'running' })], operationsTotal: 1 });
    expect(words(running.querySelector('.step-turn') ?? document.body)).toBe('120 tokens · $0.50');
  });

  test('[PAGE-618] a turn of one reply says it in its head', () => {
    const place = show({ ...spent, turn });
    expect(words(place.querySelector('.step-head') ?? document.body)).toContain('30 tokens · $0.13');
    expect(place.querySelector('.step-turn')).toBeNull();
  });

  test('[PAGE-618] what failed, was forgotten or taken back has a head that says so', () => {
    for (const change of [{ isError: true }, { isForgotten: true }, { isTakenBack: true }] as const) {
      expect(show({ ...change, isGoingOn: true }).querySelector('.step-head')).not.toBeNull();
      cleanup();
    }
  });

  test('[PAGE-618] what one reply took is said to whoever comes near', () => {
    page.render(<StepView step={stepOf(0, { ...spent, isGoingOn: true })} isNear />);
    expect(words(screen.getByRole('toolbar'))).toContain('MSG-130 tokens · $0.13');
  });
});

test('[PAGE-18] an image is enlarged by a click, and one that is damaged is named', async () => {
  const image = { kind: 'image', mediaType: 'image/png', data: 'AAAA' } as const;
  page.render(<PartImage image={image} label="Image 1 of 1" />);
  fireEvent.click(screen.getByRole('button', { name: 'Enlarge Image 1 of 1' }));
  const dialog = await screen.findByRole('dialog', { name: 'Image 1 of 1' });
  expect(dialog.querySelector('img')?.getAttribute('src')).toBe('data:image/png;base64,AAAA');
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  fireEvent.error(screen.getByRole('img', { name: 'Image 1 of 1' }));
  expect(screen.getByText(/damaged, couldn’t be shown$/u)).toBeTruthy();
});
