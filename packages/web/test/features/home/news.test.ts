import { expect, test } from 'vitest';
import type { Permission } from '../../../src/features/permissions/permissions.ts';
import { askedOf } from '../permissions/asked.ts';
import type { ActiveSession } from '../../../src/shared/activity.ts';
import { newsBetween, type Glance } from '../../../src/features/home/news.ts';

const session = (sessionId: string, isWorking: boolean, doing: string | null = null): ActiveSession => ({
  tool: 'claude-code',
  sessionId,
  title: `the ${sessionId}`,
  project: null,
  lastAt: null,
  isWorking,
  isYourTurn: !isWorking,
  doing,
  agents: [],
  runId: null,
  launchId: null,
});

const asked = (requestId: string): Permission => askedOf({ requestId, runId: 'r', sessionId: 'one' });

const item = (key: string): Glance['inbox'][number] => ({
  key,
  kind: 'notice',
  title: 'You were mentioned',
  text: null,
  from: null,
  at: null,
  href: '/sidebars/SB-1',
  isPast: false,
  level: null,
  isWaiting: true,
  canPause: [],
  proposal: null,
  shownGold: null,
});

const glance = (sessions: readonly ActiveSession[], inbox: readonly string[] = [], requests: readonly string[] = []): Glance => ({
  activity: { sessions, permissions: [] },
  inbox: inbox.map(item),
  permissions: requests.map(asked),
  standing: null,
});

test('[PAGE-47] what newly waits, turns that are over and permissions that are asked for are news, once', () => {
  const before = glance([session('one', true), session('two', false), session('three', true)], ['a'], ['q1']);
  const after = glance(
    [session('one', false, 'done'), session('two', true), session('three', true), session('four', true)],
    ['a', 'b'],
    ['q1', 'q2'],
  );
  expect(newsBetween(before, after)).toEqual([
    { tag: 'permission:q2', title: 'Claude wants to use Bash', text: '💻 Running ls', href: '/sessions/one' },
    { tag: 'b', title: 'You were mentioned', text: '', href: '/sidebars/SB-1' },
    { tag: 'turn:one', title: 'Done: the one', text: 'done', href: '/sessions/one' },
  ]);
  expect(newsBetween(after, after)).toEqual([]);
});

test('[PAGE-47] a session that was not at work, or is not told any more, is no news', () => {
  expect(newsBetween(glance([session('one', false)]), glance([session('one', false)]))).toEqual([]);
  expect(newsBetween(glance([session('one', true)]), glance([]))).toEqual([]);
  expect(newsBetween(glance([]), glance([session('new', false)]))).toEqual([]);
});

test('[PAGE-450] an emergency, recovery and the end of them are news once, whatever is counted meanwhile', () => {
  const standing = (kind: NonNullable<Glance['standing']>['kind'], text = 'n queued'): Glance => ({
    ...glance([]),
    standing: { kind, word: kind.toUpperCase(), text },
  });
  const well = glance([]);
  expect(newsBetween(well, standing('emergency'))).toEqual([{ tag: 'standing', title: 'EMERGENCY', text: 'n queued', href: '/health' }]);
  expect(newsBetween(standing('emergency'), standing('emergency', '2 queued'))).toEqual([]);
  expect(newsBetween(standing('emergency'), standing('resuming'))).toEqual([]);
  expect(newsBetween(standing('resuming'), well)).toEqual([{ tag: 'standing', title: 'All services are back', text: '', href: '/' }]);
  expect(newsBetween(standing('resuming'), standing('conflicts'))).toMatchObject([{ title: 'CONFLICTS', href: '/recovery' }]);
  expect(newsBetween(well, well)).toEqual([]);
});
