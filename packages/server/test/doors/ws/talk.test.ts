import { OPERATOR } from '@yarnboard/domain';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NOBODY, type Asker } from '../../../src/operations/request/asker.ts';
import { EVERYTHING, type Resolution } from '../../../src/doors/ws/subscription.ts';
import { beginTalk, stepTalk, type Talk, type TalkEffect, type TalkInput, type TalkLimits } from '../../../src/doors/ws/talk.ts';

const LIMITS: TalkLimits = { helloWithin: 1000, stallAfter: 3000, pingEvery: 5000, mostCommands: 3, closeWithin: 500 };
const HUMAN: Asker = { isOperator: true, actor: OPERATOR };
const HELLO = JSON.stringify({ type: 'hello', protocol: 1 });
const command = (n: number): string => JSON.stringify({ type: 'status', message_id: idOf(n) });
const idOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const subscribe = (sidebars?: readonly string[]): string => JSON.stringify({ type: 'subscribe', ...(sidebars === undefined ? {} : { sidebars }) });

/** What happens to a connection. Whatever it asked for comes back when it is told to, in any order. */
type Act =
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'come back'; readonly nth: number; readonly isWell: boolean }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'stuck' | 'room' | 'binary' | 'alive' | 'broken' | 'go-away' }
  | { readonly kind: 'closed'; readonly code: number };

const anyText = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 50 }).map(command) },
  { weight: 2, arbitrary: fc.constantFrom(subscribe(), subscribe(['SB-1']), subscribe(['SB-2'])) },
  { weight: 1, arbitrary: fc.constantFrom(HELLO, '{"type":"ping"}', 'no JSON', '{"type":"what"}') },
);

const anyAct: fc.Arbitrary<Act> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('say' as const), text: anyText }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('come back' as const), nth: fc.nat(3), isWell: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(10, 600, 2500, 6000) }) },
  { weight: 2, arbitrary: fc.constantFrom({ kind: 'stuck' as const }, { kind: 'room' as const }, { kind: 'alive' as const }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Act>(
      { kind: 'binary' },
      { kind: 'broken' },
      { kind: 'go-away' },
      { kind: 'closed', code: 1000 },
      { kind: 'closed', code: 1006 },
    ),
  },
);

type Asked = Extract<TalkEffect, { kind: 'greet' | 'look-up' | 'perform' }>;

const createWorld = () => {
  let talk: Talk = beginTalk(NOBODY, 0);
  let now = 0;
  let asked: Asked[] = [];
  const effects: TalkEffect[] = [];

  const hear = (input: TalkInput): void => {
    const stepped = stepTalk(LIMITS, talk, input);
    ({ talk } = stepped);
    for (const effect of stepped.effects) {
      effects.push(effect);
      if (effect.kind === 'greet' || effect.kind === 'look-up' || effect.kind === 'perform') asked.push(effect);
    }
  };
  const comeBack = (nth: number, isWell: boolean): void => {
    const one = asked[nth % Math.max(1, asked.length)];
    if (one === undefined) return;
    asked = asked.filter((other) => other !== one);
    if (one.kind === 'greet') {
      const { hello } = one;
      hear({
        kind: 'welcomed',
        hello,
        at: now,
        welcomed: isWell ? { ok: true, asker: HUMAN, subscription: EVERYTHING, head: 7, epoch: 'b' } : { ok: false, close: 'bad-token', why: 'no' },
      });
    } else if (one.kind === 'look-up') {
      const found: Resolution = isWell
        ? { ok: true, value: { ...EVERYTHING, contexts: one.subscription.sidebars ?? [] } }
        : { ok: false, why: 'there is none' };
      hear({ kind: 'resolved', found });
    } else {
      const { messageId } = one.command;
      hear({
        kind: 'performed',
        messageId,
        outcome: isWell
          ? { kind: 'done', done: { seq: 1, refs: [], result: null }, isRepeated: false }
          : { kind: 'refused', code: 'not-found', message: 'no' },
      });
    }
  };
  const act = (one: Act): void => {
    switch (one.kind) {
      case 'say':
        // Whoever is paused is not heard.
        if (!talk.isPaused && talk.phase !== 'closed') hear({ kind: 'text', text: one.text, at: now });
        break;
      case 'come back':
        comeBack(one.nth, one.isWell);
        break;
      case 'wait':
        now += one.ms;
        hear({ kind: 'tick', at: now, isStuck: talk.isHeldUp, movedAt: talk.isHeldUp ? 0 : now, resumeAt: 0 });
        break;
      case 'stuck':
        hear({ kind: 'held-up', isAnswer: true });
        break;
      case 'room':
        hear({ kind: 'room' });
        break;
      case 'binary':
        hear({ kind: 'binary', at: now });
        break;
      case 'alive':
        hear({ kind: 'alive', at: now });
        break;
      case 'broken':
        hear({ kind: 'broken', resumeAt: 0, at: now });
        break;
      case 'go-away':
        hear({ kind: 'go-away', reason: 'the server stops', at: now });
        break;
      case 'closed':
        if (talk.phase !== 'closed') hear({ kind: 'closed', code: one.code });
        break;
    }
  };
  return { act, effects, talk: () => talk, asked: () => asked };
};

const countOf = (effects: readonly TalkEffect[], kind: TalkEffect['kind']): number => effects.filter((effect) => effect.kind === kind).length;

describe('what a client says', () => {
  test('[WIRE-4] is heard behind a hello only, once; it is let in once, closed once, and gone once', () => {
    fc.assert(
      fc.property(fc.boolean(), fc.array(anyAct, { maxLength: 60 }), (isPolite, acts) => {
        const world = createWorld();
        if (isPolite) world.act({ kind: 'say', text: HELLO });
        for (const act of acts) world.act(act);
        const { effects } = world;
        expect(countOf(effects, 'greet')).toBeLessThanOrEqual(1);
        expect(countOf(effects, 'open')).toBeLessThanOrEqual(1);
        expect(countOf(effects, 'close')).toBeLessThanOrEqual(1);
        expect(countOf(effects, 'gone')).toBe(world.talk().phase === 'closed' ? 1 : 0);
        const opened = effects.findIndex(({ kind }) => kind === 'open');
        const before = opened === -1 ? effects : effects.slice(0, opened);
        expect(before.filter(({ kind }) => kind === 'perform' || kind === 'look-up' || kind === 'subscribe')).toEqual([]);
        const closed = effects.findIndex(({ kind }) => kind === 'close');
        expect(
          (closed === -1 ? [] : effects.slice(closed)).filter(({ kind }) =>
            ['say', 'perform', 'look-up', 'subscribe', 'open', 'pause'].includes(kind),
          ),
        ).toEqual([]);
      }),
    );
  });

  test('[WIRE-11] is answered as long as it is open, each command once, and never more at a time than allowed; nobody stays unheard', () => {
    fc.assert(
      fc.property(fc.array(anyAct, { maxLength: 80 }), (acts) => {
        const world = createWorld();
        world.act({ kind: 'say', text: HELLO });
        world.act({ kind: 'come back', nth: 0, isWell: true });
        for (const act of acts) {
          world.act(act);
          const { running, lookups, phase } = world.talk();
          expect(running).toBeLessThanOrEqual(LIMITS.mostCommands);
          expect(world.asked().filter(({ kind }) => kind === 'look-up').length).toBeLessThanOrEqual(1);
          const open = world.asked().filter(({ kind }) => kind === 'perform').length + lookups.length;
          expect(phase === 'open' ? running : open).toBe(open);
        }
        for (let i = 0; i < 100; i += 1) world.act({ kind: 'come back', nth: 0, isWell: true });
        world.act({ kind: 'room' });
        expect(world.talk()).toMatchObject({ isPaused: false, running: 0, lookups: [] });
        const isOpen = world.talk().phase === 'open';
        const performed = world.effects.flatMap((effect) => (effect.kind === 'perform' ? [effect.command.messageId] : []));
        const answered = world.effects.flatMap((effect) =>
          effect.kind === 'say' && (effect.frame.type === 'ack' || effect.frame.type === 'rejected') ? [effect.frame.messageId] : [],
        );
        expect(isOpen ? answered.toSorted() : performed.toSorted()).toEqual(performed.toSorted());
      }),
    );
  });

  test('[WIRE-23] of several subscriptions the last that was said counts, however long the others are looked up', () => {
    const world = createWorld();
    world.act({ kind: 'say', text: HELLO });
    // Said before it was let in: heard afterwards, in order.
    world.act({ kind: 'say', text: subscribe(['SB-1']) });
    expect(world.talk().isPaused).toBe(true);
    world.act({ kind: 'come back', nth: 0, isWell: true });
    world.act({ kind: 'say', text: subscribe(['SB-2']) });
    world.act({ kind: 'come back', nth: 0, isWell: true });
    world.act({ kind: 'come back', nth: 0, isWell: true });
    const contexts = world.effects.flatMap((effect) => (effect.kind === 'subscribe' ? [effect.subscription.contexts] : []));
    expect(contexts).toEqual([['SB-1'], ['SB-2']]);
  });
});
