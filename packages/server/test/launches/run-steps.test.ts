import { ENTRY_TYPES } from '@yarnboard/domain';
import type { JsonObject } from '@yarnboard/transcript';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { beginRun, type AfterFlush, type Progress, type ProgressEffect, type ProgressInput } from '../../src/launches/run-progress.ts';
import { stepRun } from '../../src/launches/run-steps.ts';
import { viewOf } from '../../src/launches/run-view.ts';
import { HUMAN, S } from './run-bench.ts';
import { textOf } from './streams.ts';

const PATIENCE = { interrupt: 50, end: 30, abort: 50, send: 100 };
const STARTED = {
  runId: 'run',
  cwd: '/work',
  prompt: null,
  resume: null,
  fork: false,
  resumeAt: null,
  model: null,
  permissionMode: null,
  maxTurns: null,
};

/** What happens to a run. Whatever it asked for comes back when it is told to, in any order but that of the log. */
type Act =
  | { readonly kind: 'speak'; readonly what: 'text' | 'call' | 'result' | 'done' | 'aborted' | 'failed' | 'elsewhere' | 'noise' }
  | {
      readonly kind:
        'send' | 'queue' | 'unsend' | 'end' | 'complain' | 'flush' | 'interrupt-heard' | 'late-timeout' | 'timeout' | 'written' | 'history';
    }
  | { readonly kind: 'ask' }
  | { readonly kind: 'answer' | 'take-back'; readonly nth: number; readonly isAllowed: boolean }
  | { readonly kind: 'stop'; readonly isHurried: boolean }
  | { readonly kind: 'consumed'; readonly reason: string | null };

const speaking = fc
  .constantFrom('text', 'call', 'call', 'result', 'done', 'aborted', 'failed', 'elsewhere', 'noise')
  .map((what) => ({ kind: 'speak', what }) as const);

const anyAct: fc.Arbitrary<Act> = fc.oneof(
  { weight: 8, arbitrary: speaking },
  { weight: 3, arbitrary: fc.constant<Act>({ kind: 'send' }) },
  { weight: 3, arbitrary: fc.constantFrom<Act>({ kind: 'queue' }, { kind: 'queue' }, { kind: 'unsend' }) },
  { weight: 4, arbitrary: fc.constant<Act>({ kind: 'flush' }) },
  { weight: 3, arbitrary: fc.constant<Act>({ kind: 'ask' }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom('answer' as const, 'take-back' as const), nth: fc.nat(5), isAllowed: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Act>(
      { kind: 'timeout' },
      { kind: 'late-timeout' },
      { kind: 'interrupt-heard' },
      { kind: 'complain' },
      { kind: 'history' },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Act>(
      { kind: 'end' },
      { kind: 'stop', isHurried: false },
      { kind: 'stop', isHurried: true },
      { kind: 'consumed', reason: null },
      { kind: 'consumed', reason: 'spawn ENOENT' },
      { kind: 'written' },
    ),
  },
);

type Posted = { readonly type: string; readonly uuid: string | null; readonly payload: JsonObject };

const createWorld = (isFork = false) => {
  let progress: Progress = beginRun({ ...STARTED, fork: isFork }, S, isFork);
  let ids = 0;
  let at = 0;
  let flushes: AfterFlush[] = [];
  let timer: number | null = null;
  let lastStage = 0;
  let interrupts: number[] = [];
  let isWriting = false;
  let isConsumed = false;
  let sessionId = S;
  const calls: string[] = [];
  const said: string[] = [];
  const effects: ProgressEffect[] = [];
  const posted: Posted[] = [];
  const requests: string[] = [];

  const hear = (input: ProgressInput): void => {
    const stepped = stepRun(PATIENCE, progress, input);
    ({ progress } = stepped);
    for (const effect of stepped.effects) {
      effects.push(effect);
      if (effect.kind === 'post') {
        const { draft, payload } = effect.item;
        posted.push({ type: draft.type, uuid: draft.uuid, payload: JSON.parse(Buffer.from(payload ?? []).toString('utf8')) as JsonObject });
      } else if (effect.kind === 'flush' || effect.kind === 'make-room') flushes.push(effect.behind);
      else if (effect.kind === 'wait') timer = lastStage = effect.stage;
      else if (effect.kind === 'call-off') timer = null;
      else if (effect.kind === 'interrupt') interrupts.push(effect.stage);
      else if (effect.kind === 'write-out') isWriting = true;
    }
  };
  // The SDK is kept waiting while the end of its turn is on its way, and says nothing once it is consumed.
  const canSpeak = (): boolean => !isConsumed && !flushes.some(({ kind }) => kind === 'close-turn');
  const id = (): string => `id-${(ids += 1)}`;
  const speak = (what: Extract<Act, { kind: 'speak' }>['what']): void => {
    if (!canSpeak()) return;
    const uuid = id();
    const call = `call-${uuid}`;
    const answered = calls.at(-1);
    if (what === 'elsewhere') sessionId = `session-${uuid}`;
    const base = { session_id: sessionId, parent_tool_use_id: null, uuid };
    const assistant = (block: object): object => ({ ...base, type: 'assistant', message: { role: 'assistant', content: [block] } });
    const value = {
      text: () => assistant({ type: 'text', text: 'hm' }),
      elsewhere: () => assistant({ type: 'text', text: 'here' }),
      call: () => {
        calls.push(call);
        return assistant({ type: 'tool_use', id: call, name: 'Bash', input: {} });
      },
      result: () => ({
        ...base,
        type: 'user',
        message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: answered ?? 'none', content: 'ok' }] },
      }),
      done: () => ({ ...base, type: 'result', subtype: 'success' }),
      aborted: () => ({ ...base, type: 'result', subtype: 'error_during_execution', is_error: true, terminal_reason: 'aborted_tools' }),
      failed: () => ({ ...base, type: 'result', subtype: 'success', is_error: true, result: 'API Error: 400' }),
      noise: () => ({ ...base, type: 'something_new' }),
    }[what]();
    if (['text', 'elsewhere', 'call'].includes(what) && progress.ended === null) said.push(uuid);
    hear({ kind: 'message', value, at });
  };
  const flush = (): void => {
    const [first, ...rest] = flushes;
    if (first === undefined) return;
    flushes = rest;
    hear({ kind: 'flushed', behind: first, at });
  };

  const act = (one: Act): void => {
    at += 1;
    switch (one.kind) {
      case 'speak':
        speak(one.what);
        break;
      case 'send':
        hear({ kind: 'prompt', uuid: id(), text: 'go', at });
        break;
      case 'queue':
        hear({ kind: 'queued', uuid: id(), text: 'and then', at });
        break;
      case 'unsend':
        hear({ kind: 'unsent', uuid: progress.queued.at(-1)?.uuid ?? 'never queued' });
        break;
      case 'ask': {
        const requestId = id();
        requests.push(requestId);
        hear({
          kind: 'asked',
          question: {
            requestId,
            tool: 'Write',
            input: {},
            toolUseId: calls.at(-1) ?? null,
            agentId: null,
            suggestions: [],
            title: null,
            askedAt: at,
          },
        });
        break;
      }
      case 'answer':
      case 'take-back': {
        const requestId = requests[one.nth % Math.max(1, requests.length)] ?? 'never asked';
        if (one.kind === 'take-back') hear({ kind: 'taken-back', requestId, at });
        else {
          const answer = one.isAllowed
            ? ({ decision: 'allow', updatedInput: null } as const)
            : ({ decision: 'deny', message: null, interrupt: false } as const);
          hear({ kind: 'answered', requestId, answer, by: HUMAN, at });
        }
        break;
      }
      case 'flush':
        flush();
        break;
      case 'end':
        hear({ kind: 'end' });
        break;
      case 'complain':
        hear({ kind: 'complained', text: 'oh no\n' });
        break;
      case 'history':
        hear({ kind: 'history-told' });
        break;
      case 'stop':
        hear({ kind: 'stop', why: 'enough', by: 'run', isHurried: one.isHurried, at });
        break;
      case 'interrupt-heard': {
        const [stage, ...rest] = interrupts;
        interrupts = rest;
        if (stage !== undefined) hear({ kind: 'interrupt-heard', stage, at });
        break;
      }
      case 'timeout': {
        const stage = timer;
        timer = null;
        if (stage !== null) hear({ kind: 'timeout', stage, at });
        break;
      }
      case 'late-timeout':
        hear({ kind: 'timeout', stage: lastStage - 1, at });
        break;
      case 'consumed':
        if (!isConsumed && canSpeak()) {
          isConsumed = true;
          hear({ kind: 'consumed', reason: one.reason, at });
        }
        break;
      case 'written':
        if (isWriting) {
          isWriting = false;
          hear({ kind: 'written', unsent: 0 });
        }
        break;
    }
  };
  /** Stops it with an SDK that never answers: nothing but the clock goes on. Gives back how many times it rang. */
  const stopDeaf = (): number => {
    act({ kind: 'stop', isHurried: false });
    let rung = 0;
    while (progress.ended === null && rung < 100) {
      act({ kind: 'timeout' });
      rung += 1;
    }
    act({ kind: 'written' });
    while (flushes.length > 0) flush();
    return rung;
  };
  return { act, stopDeaf, effects, posted, said, requests, progress: () => progress };
};

const count = (effects: readonly ProgressEffect[], kind: ProgressEffect['kind']): number => effects.filter((effect) => effect.kind === kind).length;
const acts = fc.array(anyAct, { maxLength: 40, size: 'max' });

describe('whatever happens to a run', () => {
  test('[RUN-8] nothing comes behind its end, which comes once, and its turn is closed right before it', () => {
    fc.assert(
      fc.property(fc.boolean(), acts, acts, (isFork, before, after) => {
        const world = createWorld(isFork);
        for (const act of before) world.act(act);
        world.stopDeaf();
        const { effects, posted } = world;
        expect(posted.slice(-2).map(({ type, payload }) => [type, payload['isEnd']])).toEqual([
          [ENTRY_TYPES.turnClosed, true],
          [ENTRY_TYPES.runEnded, undefined],
        ]);
        expect(viewOf(world.progress(), 0)).toMatchObject({ state: 'ended', pending: [] });
        for (const act of after) world.act(act);
        const later = effects.slice(effects.findIndex(({ kind }) => kind === 'write-out') + 1);
        // A question is still told no, or whoever asked would wait for ever.
        expect(later.filter((effect) => effect.kind !== 'over' && (effect.kind !== 'settle' || effect.result.behavior === 'allow'))).toEqual([]);
        for (const kind of ['begun', 'end-input', 'over', 'write-out'] as const) expect([kind, count(effects, kind)]).toEqual([kind, 1]);
        expect(count(effects, 'abort')).toBeLessThanOrEqual(1);
      }),
    );
  });

  test('[RUN-8] one that never answers has ended after a few stages', () => {
    fc.assert(
      fc.property(acts, (before) => {
        const world = createWorld();
        for (const act of before) world.act(act);
        // Three times interrupted, each time with a moment of quiet; without input; aborted.
        expect(world.stopDeaf()).toBeLessThanOrEqual(8);
        expect(world.progress().isOver).toBe(true);
      }),
    );
  });

  test('[RUN-8] one that begins another turn whenever one is interrupted is interrupted three times, and then left without input', () => {
    const world = createWorld();
    world.act({ kind: 'send' });
    world.act({ kind: 'flush' });
    world.act({ kind: 'stop', isHurried: false });
    for (let i = 0; i < 10; i += 1) {
      world.act({ kind: 'speak', what: 'text' });
      world.act({ kind: 'speak', what: 'aborted' });
      world.act({ kind: 'flush' });
    }
    expect(world.effects.flatMap(({ kind }) => (kind === 'interrupt' || kind === 'end-input' ? [kind] : []))).toEqual([
      'interrupt',
      'interrupt',
      'interrupt',
      'end-input',
    ]);
    const closed = world.posted.filter(({ type }) => type === ENTRY_TYPES.turnClosed);
    expect(closed.map(({ payload }) => payload['status'])).toEqual(Array(10).fill('cancelled'));
    expect(new Set(closed.map(({ uuid }) => uuid)).size).toBe(10);
  });

  test('[RUN-6] each record is reported once, in the order it was said, under a uuid of its own', () => {
    fc.assert(
      fc.property(acts, (before) => {
        const world = createWorld();
        for (const act of before) world.act(act);
        world.stopDeaf();
        const streamed = world.posted.filter(({ type }) => type === ENTRY_TYPES.streamed).map(({ payload }) => textOf(payload['uuid']));
        expect(streamed.filter((uuid) => world.said.includes(uuid))).toEqual(world.said);
        const uuids = world.posted.map(({ uuid }) => uuid);
        expect(new Set(uuids).size).toBe(uuids.length);
        const { counts } = viewOf(world.progress(), 0);
        expect(counts.records).toBe(streamed.length);
      }),
    );
  });

  test('[RUN-5] each call has a result before the turn is closed for good', () => {
    fc.assert(
      fc.property(acts, (before) => {
        const world = createWorld();
        for (const act of before) world.act(act);
        world.stopDeaf();
        const texts = world.posted.filter(({ type }) => type === ENTRY_TYPES.streamed).map(({ payload }) => JSON.stringify(payload));
        const called = texts.flatMap((text) => /"type":"tool_use","id":"([^"]+)"/u.exec(text)?.slice(1) ?? []);
        const answered = texts.flatMap((text) => /"tool_use_id":"([^"]+)"/u.exec(text)?.slice(1) ?? []);
        expect(called.filter((call) => !answered.includes(call))).toEqual([]);
      }),
    );
  });

  test('[RUN-10] each question is on the log once, has one answer there, and is reported to the SDK once, behind it', () => {
    fc.assert(
      fc.property(acts, (before) => {
        const world = createWorld();
        for (const act of before) {
          world.act(act);
          const { state, pending } = viewOf(world.progress(), 0);
          expect(state === 'waiting').toBe(pending.length > 0);
        }
        world.stopDeaf();
        const { effects, posted, requests } = world;
        const idsOf = (type: string): readonly string[] =>
          posted.filter((one) => one.type === type).map(({ payload }) => textOf(payload['requestId']));
        const asked = idsOf(ENTRY_TYPES.permissionAsked);
        expect(new Set(asked).size).toBe(asked.length);
        expect(idsOf(ENTRY_TYPES.permissionAnswered).toSorted()).toEqual(asked.toSorted());
        const settled = effects.flatMap((effect) => (effect.kind === 'settle' ? [effect.requestId] : []));
        expect(settled.toSorted()).toEqual(requests.toSorted());
        for (const [i, effect] of effects.entries()) {
          if (effect.kind !== 'settle' || effect.result.behavior !== 'allow') continue;
          const isTold = effects
            .slice(0, i)
            .some((one) => one.kind === 'flush' && one.behind.kind === 'settle' && one.behind.requestId === effect.requestId);
          expect(isTold).toBe(true);
        }
      }),
    );
  });

  test('[RUN-14] a prompt is on the log before the run hears it, is heard at most once, and never when no more is to be heard', () => {
    fc.assert(
      fc.property(fc.boolean(), acts, (isFork, before) => {
        const world = createWorld(isFork);
        for (const act of before) world.act(act);
        world.stopDeaf();
        const { effects } = world;
        const heard = effects.flatMap((effect, i) => (effect.kind === 'say' ? [{ uuid: effect.uuid, i }] : []));
        expect(new Set(heard.map(({ uuid }) => uuid)).size).toBe(heard.length);
        const end = effects.findIndex(({ kind }) => kind === 'end-input');
        expect(heard.filter(({ i }) => i > end)).toEqual([]);
        for (const { uuid, i } of heard) {
          const earlier = effects.slice(0, i);
          expect(earlier.some((one) => one.kind === 'post' && Buffer.from(one.item.payload ?? []).includes(`"uuid":"${uuid}"`))).toBe(true);
          expect(
            earlier.some(
              (one) => (one.kind === 'flush' || (isFork && one.kind === 'make-room')) && one.behind.kind === 'say' && one.behind.uuid === uuid,
            ),
          ).toBe(true);
        }
      }),
    );
  });

  test('[RUN-7] every turn that the SDK ended is closed, once, but for one that the run’s own end overtook', () => {
    fc.assert(
      fc.property(acts, (before) => {
        const world = createWorld();
        for (const act of before) world.act(act);
        world.stopDeaf();
        const closed = world.posted.filter(({ type }) => type === ENTRY_TYPES.turnClosed).length;
        const { turns } = viewOf(world.progress(), 0).counts;
        expect([turns, turns + 1]).toContain(closed);
      }),
    );
  });
});
