import { assertNever } from '@yarnboard/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRunNews, newerRun, waitingPrompts, type Outgoing, type Run } from '../../src/live/run-news.ts';

const FIRST: Run = {
  runId: 'run',
  sessionId: 'session',
  state: 'running',
  cwd: '/work',
  prompt: 'go',
  model: null,
  permissionMode: null,
  startedAt: null,
  endedAt: null,
  status: null,
  why: null,
  seat: null,
  queued: [],
  isEnding: false,
  revision: 0,
  forkedFrom: null,
  maxTurns: null,
  costUsd: null,
  tokens: null,
  host: null,
  pending: [],
  counts: { messages: 0, records: 0, turns: 0, permissions: 0, left: {} },
};

type Act = { readonly kind: 'queue' | 'change' | 'unsend'; readonly uuid: string; readonly text: string } | { readonly kind: 'heard' | 'end' };

const anyAct: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constantFrom('queue', 'change', 'unsend'), uuid: fc.constantFrom('a', 'b', 'c', 'd'), text: fc.string() }),
  },
  { weight: 2, arbitrary: fc.constant<Act>({ kind: 'heard' }) },
  { weight: 1, arbitrary: fc.constant<Act>({ kind: 'end' }) },
);

/** What the server makes of it, as it tells it after each. */
const step = (run: Run, act: Act): Run => {
  const next = { ...run, revision: run.revision + 1 };
  if (run.state === 'ended') return run;
  switch (act.kind) {
    case 'queue':
      return run.queued.some(({ uuid }) => uuid === act.uuid)
        ? next
        : { ...next, queued: [...run.queued, { uuid: act.uuid, text: act.text, images: 0, at: null }] };
    case 'change':
      return { ...next, queued: run.queued.map((one) => (one.uuid === act.uuid ? { ...one, text: act.text } : one)) };
    case 'unsend':
      return { ...next, queued: run.queued.filter(({ uuid }) => uuid !== act.uuid) };
    case 'heard':
      return { ...next, queued: run.queued.slice(1) };
    case 'end':
      // Told by a server that was started since: it counts anew.
      return { ...next, state: 'ended', revision: 0 };
    default:
      return assertNever(act);
  }
};

test('[PAGE-402] whatever order answers come in, and however often: the queue is the one that the server has', () => {
  const story = fc.array(anyAct, { minLength: 1, maxLength: 25 }).map((acts) => {
    const views = [FIRST];
    for (const act of acts) views.push(step(views.at(-1) ?? FIRST, act));
    return views;
  });
  fc.assert(
    fc.property(
      story.chain((views) =>
        fc.record({
          views: fc.constant(views),
          told: fc
            .tuple(fc.shuffledSubarray(views, { minLength: views.length }), fc.array(fc.constantFrom(...views)))
            .map(([all, again]) => [...all, ...again]),
        }),
      ),
      ({ views, told }) => {
        const news = createRunNews();
        for (const view of told) news.take(view);
        const last = views.at(-1) ?? FIRST;
        expect(news.of('run')?.queued).toEqual(last.queued);
        expect(told.reduce<Run | null>(newerRun, null)?.state).toBe(last.state);
      },
    ),
  );
});

test('[PAGE-402] what is on its way stands behind what the server has, and once', () => {
  const outgoing: readonly Outgoing[] = [
    { uuid: 'a', text: 'one', isQueued: true },
    { uuid: 'b', text: 'two', isQueued: true },
  ];
  const queued = [
    { uuid: 'z', text: 'before', images: 2, at: null },
    { uuid: 'a', text: 'one', images: 0, at: null },
  ];
  expect(waitingPrompts({ queued }, outgoing)).toEqual([
    { uuid: 'z', text: 'before', images: 2, isSent: true },
    { uuid: 'a', text: 'one', images: 0, isSent: true },
    { uuid: 'b', text: 'two', images: 0, isSent: false },
  ]);
});

test('[PAGE-402] a page that is open for weeks forgets the oldest runs', () => {
  const news = createRunNews();
  let told = 0;
  const stop = news.subscribe(() => (told += 1));
  for (let n = 0; n < 600; n += 1) news.take({ ...FIRST, runId: `run ${n}` });
  news.take({ ...FIRST, runId: 'run 599' });
  stop();
  expect(told).toBe(600);
  expect([news.of('run 0'), news.of('run 599')?.runId]).toEqual([null, 'run 599']);
});
