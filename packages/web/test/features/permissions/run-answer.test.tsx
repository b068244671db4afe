import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { alwaysText } from '../../../src/features/permissions/grant-words.ts';
import { answeredInput, inputFrom, questionsIn, toolWords } from '../../../src/features/permissions/questions.ts';
import { AnsweredPermission, PermissionRequests } from '../../../src/features/permissions/permission-requests.tsx';
import { openTestPage, type TestPage } from '../../test-page.tsx';
import { askedOf } from './asked.ts';

let page: TestPage;
beforeAll(async () => {
  page = await openTestPage();
});
afterEach(() => {
  vi.useRealTimers();
  cleanup();
});
afterAll(() => page.close());

const ofRun = { runId: 'run-1', agentId: null, sidebarId: null } as const;
const INPUT = {
  questions: [
    { question: 'Which one?', header: 'Pick', multiSelect: false, options: [{ label: 'Left', description: 'the old way' }, { label: 'Right' }] },
    { question: 'What else?', header: 'More', multiSelect: true, options: [{ label: 'Tests' }, { label: 'Docs' }] },
  ],
};

/** Sees whose request it is only when it is known who looks. */
const shown = async (request: Parameters<typeof askedOf>[0]): Promise<HTMLElement> => {
  page.render(<PermissionRequests requests={[askedOf({ ...ofRun, ...request })]} />);
  await screen.findByRole('button', { name: /^(?:Deny|Don’t answer)$/u });
  return screen.getByRole('article');
};

describe('PAGE-421', () => {
  test('[PAGE-421] a question is answered by its choices, or in other words, and only as a whole', async () => {
    const card = await shown({ tool: 'AskUserQuestion', input: INPUT });
    expect(card.getAttribute('aria-label')).toBe('Claude asks');
    const answer = screen.getByRole('button', { name: 'Answer' });
    fireEvent.click(screen.getByRole('radio', { name: /^Right/u }));
    expect(answer).toHaveProperty('disabled', true);
    fireEvent.click(screen.getByRole('checkbox', { name: /^Docs/u }));
    expect(answer).toHaveProperty('disabled', false);
    expect(screen.queryByRole('button', { name: 'Allow' })).toBeNull();
  });

  test('[PAGE-421] answers are told by the words of their questions; what cannot be read as questions is shown as any input', () => {
    const questions = questionsIn('AskUserQuestion', INPUT) ?? [];
    const answers = new Map([
      ['Which one?', { chosen: [], words: ' neither ' }],
      ['What else?', { chosen: ['Docs', 'Tests'], words: 'and a rest' }],
    ]);
    expect(answeredInput(INPUT, questions, answers)).toEqual({
      ...INPUT,
      answers: { 'Which one?': 'neither', 'What else?': 'Docs, Tests, and a rest' },
    });
    expect(answeredInput(INPUT, questions, new Map())).toBeNull();
    expect([
      questionsIn('Bash', INPUT),
      questionsIn('AskUserQuestion', {}),
      questionsIn('AskUserQuestion', { questions: [{}] }),
      questionsIn('AskUserQuestion', { questions: [INPUT.questions[0], INPUT.questions[0]] }),
    ]).toEqual([null, null, null, null]);
  });

  test('[PAGE-421] tools of MCP are called by their name and their server’s', async () => {
    expect([toolWords('mcp__git_hub__create_issue'), toolWords('Bash'), toolWords('mcp__x')]).toEqual(['create_issue of git_hub', 'Bash', 'mcp__x']);
    await shown({ tool: 'mcp__linear__close', title: null });
    expect(screen.getByText('Claude wants to use close of linear')).toBeTruthy();
  });
});

test('[PAGE-422] changes are checked before they are sent', async () => {
  await shown({ tool: 'Bash', input: { command: 'ls' } });
  fireEvent.click(screen.getByRole('button', { name: 'Allow with changes…' }));
  const field = screen.getByRole('textbox', { name: 'Tool input' });
  for (const [text, fault] of [
    ['{', 'This is not JSON'],
    ['[]', 'It has to be an object'],
  ] as const) {
    fireEvent.change(field, { target: { value: text } });
    expect(screen.getByRole('alert').textContent).toContain(fault);
    expect(screen.getByRole('button', { name: 'Allow with changes' })).toHaveProperty('disabled', true);
  }
  fireEvent.change(field, { target: { value: '{"command":"ls -l"}' } });
  expect(screen.getByRole('button', { name: 'Allow with changes' })).toHaveProperty('disabled', false);
  expect(inputFrom('{"command":"ls -l"}')).toEqual({ input: { command: 'ls -l' } });
});

test('[PAGE-423] keys answer the request that has the focus, but nothing that came into sight a moment ago', async () => {
  // Who looks is known from then on.
  await shown({ tool: 'Bash', input: { command: 'ls' } });
  cleanup();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  page.render(<PermissionRequests requests={[askedOf({ ...ofRun, tool: 'Bash', input: { command: 'ls' } })]} />);
  const again = screen.getByRole('article');
  fireEvent.keyDown(again, { key: 'd' });
  expect(screen.queryByRole('form', { name: 'Deny' })).toBeNull();
  act(() => void vi.advanceTimersByTime(1000));
  fireEvent.keyDown(again, { key: 'd', ctrlKey: true });
  expect(screen.queryByRole('form', { name: 'Deny' })).toBeNull();
  fireEvent.keyDown(again, { key: 'e' });
  expect(screen.getByRole('form', { name: 'Allow with changes' })).toBeTruthy();
  fireEvent.keyDown(again, { key: 'd' });
  expect(screen.getByRole('form', { name: 'Deny' })).toBeTruthy();
  fireEvent.keyDown(screen.getByRole('textbox'), { key: 'e' });
  expect(screen.getByRole('form', { name: 'Deny' })).toBeTruthy();
});

test('[PAGE-423] a key that is pressed in the menu or in a form of a request answers nothing', async () => {
  await shown({ tool: 'Bash', input: { command: 'ls' } });
  cleanup();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  page.render(<PermissionRequests requests={[askedOf({ ...ofRun, tool: 'Bash', input: { command: 'ls' } })]} />);
  const card = screen.getByRole('article');
  act(() => void vi.advanceTimersByTime(1000));
  fireEvent.keyDown(screen.getByRole('button', { name: 'More' }), { key: 'Enter' });
  const menu = screen.getByRole('menu');
  fireEvent.keyDown(menu, { key: 'e' });
  expect(screen.queryByRole('form')).toBeNull();
  fireEvent.keyDown(menu, { key: 'Escape' });
  fireEvent.keyDown(card, { key: 'e' });
  fireEvent.keyDown(screen.getByRole('button', { name: 'Cancel' }), { key: 'd' });
  expect(screen.getByRole('form', { name: 'Allow with changes' })).toBeTruthy();
});

describe('a seat asks', () => {
  const ofSeat = { runId: null, agentId: 'AGENT-sec', sidebarId: 'SB-3' } as const;

  test('[PAGE-421] a question of Claude’s in a seat has its choices, too', async () => {
    const card = await shown({ ...ofSeat, tool: 'AskUserQuestion', input: INPUT });
    expect(card.getAttribute('aria-label')).toBe('sec asks');
    fireEvent.click(screen.getByRole('radio', { name: /^Right/u }));
    fireEvent.click(screen.getByRole('checkbox', { name: /^Docs/u }));
    expect(screen.getByRole('button', { name: 'Answer' })).toHaveProperty('disabled', false);
  });

  test('[PAGE-422] [PAGE-423] its request is allowed with changes, checked before they are sent, and answered by keys', async () => {
    await shown({ ...ofSeat, tool: 'Bash', input: { command: 'ls' } });
    cleanup();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    page.render(<PermissionRequests requests={[askedOf({ ...ofSeat, tool: 'Bash', input: { command: 'ls' } })]} />);
    const card = screen.getByRole('article');
    fireEvent.keyDown(card, { key: 'e' });
    expect(screen.queryByRole('form')).toBeNull();
    act(() => void vi.advanceTimersByTime(1000));
    fireEvent.keyDown(card, { key: 'e' });
    fireEvent.change(screen.getByRole('textbox', { name: 'Tool input' }), { target: { value: '[]' } });
    expect(screen.getByRole('button', { name: 'Allow with changes' })).toHaveProperty('disabled', true);
    fireEvent.keyDown(card, { key: 'd' });
    expect(screen.getByRole('form', { name: 'Deny' })).toBeTruthy();
  });
});

test('[PAGE-312] what was allowed with changes says so', () => {
  page.render(<AnsweredPermission request={askedOf({ decision: 'allow', means: 'once', answeredBy: 'AGENT-operator', isChanged: true })} />);
  expect(screen.getByText(/allowed with changes by operator/u)).toBeTruthy();
});

describe('PAGE-427', () => {
  const grants = [{ kind: 'tool', tool: 'Bash', pattern: 'npm test:*' }, { kind: 'directory', path: '/loom' }, { kind: 'edits' }] as const;

  test('[PAGE-427] what would no longer be asked for is said, for the session and for the project', () => {
    const always = { grants, scopes: ['session', 'project'] } as const;
    expect(alwaysText(always, 'session')).toBe('“npm test *” and files in /loom and all edits, in this session');
    expect(alwaysText(always, 'project')).toBe('“npm test *” and files in /loom, in this project; all edits, in this session');
    const any = { grants: [{ kind: 'tool', tool: 'WebFetch', pattern: null }], scopes: ['session'] } as const;
    expect(alwaysText(any, 'session')).toBe('Any use of WebFetch, in this session');
    const hostile = { grants: [{ kind: 'tool', tool: 'Bash', pattern: 'ls \u202E\u001B[31m' }], scopes: ['session'] } as const;
    for (const sign of ['\u202E', '\u001B']) expect(alwaysText(hostile, 'session')).not.toContain(sign);
  });

  test('[PAGE-427] it is offered where something can be allowed for good, and nowhere else', async () => {
    await shown({ always: { grants, scopes: ['session', 'project'] } });
    expect(screen.getByRole('button', { name: 'Allow once' })).toBeTruthy();
    fireEvent.pointerDown(screen.getByRole('button', { name: 'Always allow' }), { button: 0, ctrlKey: false });
    const items = await screen.findAllByRole('menuitem');
    expect(items.map(({ textContent }) => textContent)).toEqual([
      '“npm test *” and files in /loom and all edits, in this session',
      '“npm test *” and files in /loom, in this project; all edits, in this sessionkept in its settings',
    ]);
    cleanup();
    await shown({ always: null });
    expect(screen.queryByRole('button', { name: 'Always allow' })).toBeNull();
  });

  test('[PAGE-427] an answer says for how long it was allowed', () => {
    page.render(<AnsweredPermission request={askedOf({ ...ofRun, decision: 'allow', answeredBy: 'AGENT-operator', scope: 'project' })} />);
    expect(document.body.textContent).toContain('allowed for this project by operator');
  });
});

test('[PAGE-310] a request leads to its session, unless one is there', async () => {
  const card = await shown({ sessionId: 's1' });
  expect(within(card).getByRole('link', { name: 'Open session' }).getAttribute('href')).toBe('/sessions/s1');
  cleanup();
  page.render(<PermissionRequests requests={[askedOf({ ...ofRun, sessionId: 's1' })]} />, { path: '/sessions/s1' });
  await screen.findByRole('button', { name: 'Deny' });
  expect(screen.queryByRole('link', { name: 'Open session' })).toBeNull();
});
