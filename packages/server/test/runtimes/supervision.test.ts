import { SEAT_LIMITS, type SeatEvent } from '@yarnboard/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Spent } from '../../src/runtimes/budgets.ts';
import { createClockJumps } from '../../src/runtimes/clock-jumps.ts';
import { newSeat, superviseSeat, type Supervised, type SupervisionEffect, type SupervisionInput } from '../../src/runtimes/supervision.ts';

const NOTHING: Spent = { turns: 0, unanswered: 0, tokens: 0, usd: 0, usdToday: 0, usdBoardToday: 0 };
const LIMITS = { ...SEAT_LIMITS, turns: 6, tokens: 1000 };

const event = (seq: number): SeatEvent => ({ seq, kind: 'mention', from: 'AGENT-operator', text: `word ${seq}`, refs: [] });

const run = (inputs: readonly SupervisionInput[], seat: Supervised = newSeat(LIMITS, NOTHING)) => {
  const effects: SupervisionEffect[] = [];
  let now = seat;
  for (const input of inputs) {
    const next = superviseSeat(now, input);
    now = next.seat;
    effects.push(...next.effects);
  }
  return { seat: now, effects, kinds: effects.map(({ kind }) => kind) };
};

const fact = (at: number, given: Extract<SupervisionInput, { kind: 'fact' }>['fact']): SupervisionInput => ({ kind: 'fact', at, fact: given });
const usage = (tokens: number) => ({ model: 'm', inputTokens: tokens, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: null });
const READY: readonly SupervisionInput[] = [{ kind: 'wanted', at: 0 }, fact(0, { kind: 'ready', name: null, version: null })];
const ended = (at: number, turnId: string, text: string | null = null): SupervisionInput =>
  fact(at, { kind: 'turn-ended', turnId, status: 'completed', text, why: null });

describe('supervising a seat', () => {
  test('[RT-61] a turn begins when there is a place for it, and gives the place back when it is over or nothing is left to begin', () => {
    const seat = newSeat(LIMITS, NOTHING, [], 0, 'none');
    const told: SupervisionInput = { kind: 'told', at: 1, event: event(1) };
    const asked = run([...READY, told], seat);
    expect(asked.kinds).toEqual(['start', 'report', 'ask-place']);
    const begun = run([{ kind: 'placed', at: 2 }], asked.seat);
    expect(begun.kinds.slice(0, 1)).toEqual(['begin-turn']);
    const done = run([{ kind: 'told', at: 3, event: event(2) }, ended(4, 'turn-1')], begun.seat);
    expect(done.kinds).toEqual(['tell', 'leave-place', 'close-turn']);
    // What came too late for the turn asks again.
    expect(
      run([{ kind: 'cancel', at: 3, why: 'x' }, { kind: 'told', at: 3, event: event(3) }, ended(4, 'turn-1')], begun.seat).kinds.slice(-3),
    ).toEqual(['leave-place', 'close-turn', 'ask-place']);
    expect(run([{ kind: 'unwanted', at: 2, why: 'gone' }], asked.seat).kinds).toContain('leave-place');
    expect(run([fact(2, { kind: 'died', why: 'crash' })], asked.seat).kinds).toContain('leave-place');
    expect(run([{ kind: 'placed', at: 2 }], done.seat).kinds).toEqual([]);
  });

  test('[RT-11] what all agents spend in a day is a budget, too; whoever is held by a day is looked at when it is over', () => {
    const day = 86_400_000;
    const spent: Spent = { ...NOTHING, usdBoardToday: 50 };
    const { effects, seat } = run([...READY, { kind: 'told', at: day + 5, event: event(1) }], newSeat(LIMITS, spent));
    expect(effects.slice(2)).toEqual([
      { kind: 'warn', of: 'board-usd-per-day', share: 1 },
      { kind: 'report', state: 'resting', why: 'the budget of all agents for today is used up', isCrash: false },
      { kind: 'wake', at: 2 * day },
    ]);
    const folded: SupervisionInput = { kind: 'folded', at: 2 * day, spent: NOTHING, limits: LIMITS, row: 0 };
    expect(run([folded, { kind: 'clock', at: 2 * day }], seat).kinds[0]).toBe('begin-turn');
    // A limit that is lowered below what was used holds at once.
    const lowered: SupervisionInput = { kind: 'folded', at: 1, spent: { ...NOTHING, turns: 3 }, limits: { ...LIMITS, turns: 2 }, row: 0 };
    expect(run([...READY, lowered, { kind: 'told', at: 2, event: event(1) }]).effects.slice(2)).toEqual([
      { kind: 'warn', of: 'turns', share: 1 },
      { kind: 'report', state: 'resting', why: 'its turns in this sidebar are used up', isCrash: false },
    ]);
  });

  test('[RT-8] whoever is wanted is started, and given a turn when there is something to tell', () => {
    expect(run(READY).kinds).toEqual(['start', 'report']);
    expect(run([...READY, { kind: 'told', at: 1, event: event(1) }]).effects.at(2)).toEqual({ kind: 'begin-turn', id: 'turn-1', events: [event(1)] });
  });

  test('[RT-9] a word in the middle of a turn goes to it, one that was told is not told again', () => {
    const told = [event(1), event(2), event(2), event(1)].map((one): SupervisionInput => ({ kind: 'told', at: 1, event: one }));
    const { effects } = run([...READY, ...told, ended(2, 'turn-1')]);
    expect(effects.filter(({ kind }) => kind === 'begin-turn' || kind === 'tell')).toEqual([
      { kind: 'begin-turn', id: 'turn-1', events: [event(1)] },
      { kind: 'tell', id: 'turn-1', event: event(2) },
    ]);
    expect(effects.at(-1)).toMatchObject({ kind: 'close-turn', status: 'completed', upTo: 2 });
  });

  test('[RT-9] the last words of a turn are said once, and not at all when it said them itself', () => {
    const words = (more: readonly SupervisionInput[], text: string | null) =>
      run([...READY, { kind: 'told', at: 1, event: event(1) }, ...more, ended(2, 'turn-1', text)]).effects.filter(({ kind }) => kind === 'say');
    expect(words([], 'Done.')).toEqual([{ kind: 'say', id: 'turn-1', about: 1, text: 'Done.', effort: { took: 1, tools: [], tokens: null } }]);
    expect(words([{ kind: 'said', at: 1, text: ' Done. ' }], 'Done.')).toEqual([]);
    expect(
      words(
        [
          fact(1, { kind: 'text', text: 'Thinking…' }),
          fact(1, { kind: 'tool', id: 't', name: 'n', input: {} }),
          fact(1, { kind: 'text', text: 'Found it.' }),
        ],
        null,
      ),
    ).toEqual([{ kind: 'say', id: 'turn-1', about: 1, text: 'Found it.', effort: { took: 1, tools: ['n'], tokens: null } }]);
    expect(words([], '  ')).toEqual([]);
  });

  test('[RT-65] with its last words it tells which tools it used, how long it took without waiting for anybody, and what it wrote', () => {
    const wrote = { ...usage(100), outputTokens: 7 };
    const { effects } = run([
      ...READY,
      { kind: 'told', at: 1000, event: event(1) },
      fact(1500, { kind: 'tool', id: 't', name: 'Read', input: {} }),
      fact(1500, { kind: 'command', id: 'c', name: 'cite', input: {} }),
      fact(1500, { kind: 'tool', id: 'u', name: 'Read', input: {} }),
      fact(1600, { kind: 'usage', usage: wrote }),
      fact(2000, { kind: 'permission', requestId: 'p', tool: 'Bash', input: {} }),
      { kind: 'permitted', at: 9000, requestId: 'p' },
      ended(10_000, 'turn-1', 'Done.'),
    ]);
    expect(effects.find(({ kind }) => kind === 'say')).toMatchObject({ effort: { took: 2000, tools: ['Read', 'cite'], tokens: 7 } });
  });

  test('[RT-11] 80 % of a budget is reported once; 100 % cancels the turn and begins no other until more is granted', () => {
    const first = run([
      ...READY,
      { kind: 'told', at: 1, event: event(1) },
      fact(1, { kind: 'usage', usage: usage(800) }),
      fact(1, { kind: 'usage', usage: usage(10) }),
    ]);
    expect(first.effects.filter(({ kind }) => kind === 'warn')).toEqual([{ kind: 'warn', of: 'tokens', share: 0.8 }]);
    const over = run(
      [
        fact(2, { kind: 'usage', usage: usage(500) }),
        fact(3, { kind: 'turn-ended', turnId: 'turn-1', status: 'failed', text: null, why: null }),
        { kind: 'told', at: 4, event: event(2) },
        { kind: 'told', at: 4, event: event(3) },
      ],
      first.seat,
    );
    expect(over.effects.filter(({ kind }) => kind !== 'wake')).toEqual([
      { kind: 'cancel', id: 'turn-1' },
      expect.objectContaining({ kind: 'close-turn', status: 'cancelled', over: 'tokens', why: 'its tokens in this sidebar are used up' }),
      { kind: 'warn', of: 'tokens', share: 1 },
      { kind: 'report', state: 'resting', why: 'its tokens in this sidebar are used up', isCrash: false },
    ]);
    const granted = run([{ kind: 'folded', at: 5, spent: over.seat.spent, limits: { ...LIMITS, tokens: 100_000 }, row: 0 }], over.seat);
    expect(granted.effects[0]).toEqual({ kind: 'begin-turn', id: 'turn-2', events: [event(2), event(3)] });
  });

  test('[RT-11] 80 % of a day is reported again on another day, and of a budget that was raised when it is nearly used up, too', () => {
    const folded = (at: number, spent: Partial<Spent>, tokens = 1000): SupervisionInput => ({
      kind: 'folded',
      at,
      spent: { ...NOTHING, ...spent },
      limits: { ...LIMITS, tokens },
      row: 0,
    });
    const turn = (at: number, n: number): readonly SupervisionInput[] => [{ kind: 'told', at, event: event(n) }, ended(at, `turn-${n}`)];
    const spent = [{ usdToday: 17 }, { usdToday: 18 }, { usdToday: 1 }, { usdToday: 17 }];
    const { effects } = run([...READY, ...spent.flatMap((one, n) => [folded(n, { ...one, turns: n }), ...turn(n, n + 1)])]);
    expect(effects.filter(({ kind }) => kind === 'warn')).toEqual([
      { kind: 'warn', of: 'usd-per-day', share: 0.8 },
      { kind: 'warn', of: 'usd-per-day', share: 0.8 },
    ]);
    const raised = run([...READY, folded(0, { tokens: 900 }), ...turn(1, 1), folded(2, { tokens: 900, turns: 1 }, 5000), ...turn(3, 2)]);
    const again = run([folded(4, { tokens: 4500, turns: 2 }, 5000), ...turn(5, 3)], raised.seat);
    expect([...raised.effects, ...again.effects].flatMap((one) => (one.kind === 'warn' ? [one.of] : []))).toEqual(['tokens', 'tokens']);
  });

  test('[RT-11] agents that take turns without anything coming of it rest', () => {
    const { effects } = run([...READY, { kind: 'told', at: 1, event: event(1) }], newSeat(LIMITS, NOTHING, [], LIMITS.turnsInARow));
    expect(effects.at(-1)).toMatchObject({ kind: 'report', state: 'resting' });
    expect(effects.some(({ kind }) => kind === 'begin-turn')).toBe(false);
  });

  test('[RT-12] whoever is silent is asked, then cancelled, then started anew; waiting for a permission does not count', () => {
    const began = run([...READY, { kind: 'told', at: 0, event: event(1) }]);
    const { silence } = LIMITS;
    const silent = run(
      [1, 2, 3].map((n): SupervisionInput => ({ kind: 'clock', at: n * silence })),
      began.seat,
    );
    expect(silent.kinds.filter((kind) => kind !== 'wake')).toEqual(['tell', 'cancel', 'close-turn', 'stop']);
    const asking = run(
      [
        fact(1, { kind: 'permission', requestId: 'p', tool: 'Bash', input: {} }),
        { kind: 'clock', at: 100 * silence },
        { kind: 'permitted', at: 100 * silence, requestId: 'p' },
        { kind: 'clock', at: 100 * silence + 1 },
      ],
      began.seat,
    );
    expect(asking.kinds.filter((kind) => kind !== 'wake')).toEqual([]);
  });

  test('[RT-13] what was told in a turn that was cut off is delivered again, once', () => {
    const cut = run([
      ...READY,
      { kind: 'told', at: 1, event: event(1) },
      fact(2, { kind: 'died', why: 'gone' }),
      { kind: 'clock', at: 5000 },
      fact(5000, { kind: 'ready', name: null, version: null }),
    ]);
    expect(cut.effects.filter(({ kind }) => kind === 'begin-turn' || kind === 'close-turn')).toEqual([
      { kind: 'begin-turn', id: 'turn-1', events: [event(1)] },
      expect.objectContaining({ kind: 'close-turn', id: 'turn-1', status: 'cancelled', isAgain: true }),
      { kind: 'begin-turn', id: 'turn-2', events: [event(1)] },
    ]);
    const twice = run(
      [fact(6000, { kind: 'died', why: 'gone' }), { kind: 'clock', at: 20_000 }, fact(20_000, { kind: 'ready', name: null, version: null })],
      cut.seat,
    );
    expect(twice.kinds).not.toContain('begin-turn');
  });

  test('[RT-14] a crash is followed by a pause that grows, the fourth within ten minutes by none', () => {
    const crash = (at: number): readonly SupervisionInput[] => [fact(at, { kind: 'died', why: 'boom' }), { kind: 'clock', at: at + 60_000 }];
    const { effects, seat } = run([{ kind: 'wanted', at: 0 }, ...[0, 1, 2, 3].flatMap((n) => crash(n * 60_000))]);
    expect(effects.flatMap((one) => (one.kind === 'wake' ? [one.at] : []))).toEqual([1000, 62_000, 124_000]);
    expect(effects.at(-1)).toEqual({ kind: 'report', state: 'failed', why: 'boom', isCrash: true });
    expect(run([{ kind: 'clock', at: 1e9 }], seat).kinds).toEqual([]);
    expect(run([{ kind: 'restart', at: 1e9 }], seat).kinds).toEqual(['start']);
  });

  test('[RT-62] a program that is never ready is ended and counts as crashed; what holds it up without its doing does not count', () => {
    const time = LIMITS.startTime;
    const late = run([
      { kind: 'wanted', at: 0 },
      { kind: 'clock', at: time - 1 },
      { kind: 'clock', at: time },
    ]);
    const why = 'it was not ready within 2 minutes';
    expect(late.effects).toEqual([
      { kind: 'start', lookAt: time },
      { kind: 'wake', at: time },
      { kind: 'report', state: 'resting', why, isCrash: true },
      { kind: 'stop', why },
      { kind: 'wake', at: time + 1000 },
    ]);
    // It is started again once it is gone and the pause is over, and its end is no second crash.
    const gone = run([fact(time + 10, { kind: 'died', why: 'SIGTERM' }), { kind: 'clock', at: time + 1000 }], late.seat);
    expect(gone.kinds).toEqual(['wake', 'start']);
    expect(gone.seat.crashes).toEqual([time]);
    const ready = run([fact(time + 2000, { kind: 'ready', name: null, version: null }), { kind: 'clock', at: 3 * time }], gone.seat);
    expect(ready.kinds).toEqual(['report']);
    const heldUp = run([{ kind: 'wanted', at: 0 }, fact(time - 1, { kind: 'held-up' }), { kind: 'clock', at: time }]);
    expect(heldUp.kinds).toEqual(['start', 'wake']);
    // The fourth in a row fails the seat.
    const rounds = [0, 1, 2, 3].flatMap((n): readonly SupervisionInput[] => {
      const at = n * 4 * time;
      return [{ kind: 'clock', at }, { kind: 'clock', at: at + time }, fact(at + time + 1, { kind: 'died', why: 'SIGKILL' })];
    });
    const short = newSeat({ ...LIMITS, startTime: 20_000 }, NOTHING);
    const quick = rounds.map((input): SupervisionInput => ({ ...input, at: Math.round((input.at * 20_000) / time) }));
    expect(run([{ kind: 'wanted', at: 0 }, ...quick], short).effects.findLast(({ kind }) => kind === 'report')).toMatchObject({ state: 'failed' });
  });

  test('[RT-15] a provider that wants everybody to wait is no crash: the turn is asked again when the time has come', () => {
    const { effects, seat } = run([
      ...READY,
      { kind: 'told', at: 1, event: event(1) },
      { kind: 'rest', at: 2, until: 9000, why: 'rate limit' },
      fact(2, { kind: 'turn-ended', turnId: 'turn-1', status: 'failed', text: null, why: 'rate limit' }),
      { kind: 'clock', at: 8999 },
      { kind: 'clock', at: 9000 },
    ]);
    expect(effects.filter(({ kind }) => kind === 'begin-turn')).toHaveLength(2);
    expect(seat.crashes).toEqual([]);
  });

  test('[RT-15] [RT-70] however often it has to wait, what was asked is asked again', () => {
    const rounds = [1, 2, 3, 4].flatMap((n): readonly SupervisionInput[] => [
      { kind: 'rest', at: 1000 * n, until: 1000 * n + 500, why: 'away' },
      fact(1000 * n, { kind: 'turn-ended', turnId: `turn-${n}`, status: 'failed', text: null, why: 'away' }),
      { kind: 'clock', at: 1000 * n + 500 },
    ]);
    const { effects } = run([...READY, { kind: 'told', at: 1, event: event(1) }, ...rounds]);
    const begun = effects.flatMap((effect) => (effect.kind === 'begin-turn' ? [effect.events.map(({ seq }) => seq)] : []));
    expect(begun).toEqual([[1], [1], [1], [1], [1]]);
    // It is shown as resting only while it does.
    expect(effects.flatMap((effect) => (effect.kind === 'report' ? [effect.state] : []))).toEqual([
      'ready',
      ...rounds.filter(({ kind }) => kind === 'rest').flatMap(() => ['resting', 'ready']),
    ]);
  });
});

const anyInput = fc.oneof(
  fc.constantFrom<Wish>(
    { kind: 'wanted' },
    { kind: 'restart' },
    { kind: 'clock' },
    { kind: 'unwanted', why: 'left' },
    { kind: 'cancel', why: 'asked' },
  ),
  fc.nat(20).map((seq): Wish => ({ kind: 'told', event: event(seq + 1) })),
  fc.nat(900).map((tokens): Wish => ({ kind: 'fact', fact: { kind: 'usage', usage: usage(tokens) } })),
  fc.constantFrom<Wish>(
    { kind: 'fact', fact: { kind: 'ready', name: null, version: null } },
    { kind: 'fact', fact: { kind: 'died', why: 'boom' } },
    { kind: 'fact', fact: { kind: 'held-up' } },
    { kind: 'fact', fact: { kind: 'text', text: 'words' } },
    { kind: 'fact', fact: { kind: 'permission', requestId: 'p', tool: 't', input: {} } },
    { kind: 'permitted', requestId: 'p' },
    { kind: 'rest', until: 50_000, why: 'limit' },
  ),
  fc
    .nat(5)
    .map((n): Wish => ({ kind: 'fact', fact: { kind: 'turn-ended', turnId: `turn-${n + 1}`, status: 'completed', text: 'words', why: null } })),
);

test('[RT-74] a clock jumps when it leaves one that counts while the machine is awake, and not while the two drift', () => {
  let [wall, awake] = [1000, 0];
  const jumps = createClockJumps(
    () => wall,
    () => awake,
  );
  const pass = (byWall: number, byAwake: number): number => {
    wall += byWall;
    awake += byAwake;
    return jumps();
  };
  // In whole milliseconds, as everything on the log.
  expect([pass(5000, 5000), pass(60_000, 59_000), pass(3_600_000, 0.3), pass(10, 10), pass(-7_200_000, 100), pass(0, 0)]).toEqual([
    0, 0, 3_601_000, 0, -7_200_100, 0,
  ]);
});

type Wish = SupervisionInput extends infer I ? (I extends { readonly at: number } ? Omit<I, 'at'> : never) : never;

describe('whatever happens to a seat', () => {
  test('[RT-74] a clock that jumps changes nothing of it', () => {
    const jump = fc.tuple(fc.nat(59), fc.integer({ min: -100_000_000, max: 100_000_000 }));
    fc.assert(
      fc.property(fc.array(fc.tuple(anyInput, fc.nat(400_000)), { maxLength: 60 }), fc.array(jump, { maxLength: 5 }), (wishes, jumps) => {
        let [plain, jumped] = [newSeat(LIMITS, NOTHING), newSeat(LIMITS, NOTHING)];
        let [at, off] = [200_000_000, 0];
        const effectsOf = (effects: readonly SupervisionEffect[]): readonly unknown[] =>
          effects.flatMap((effect) => (effect.kind === 'wake' ? [] : [effect.kind === 'start' ? { kind: 'start' } : effect]));
        const both = (one: Wish, other: Wish): void => {
          const next = [superviseSeat(plain, { ...one, at }), superviseSeat(jumped, { ...other, at: at + off })] as const;
          [plain, jumped] = [next[0].seat, next[1].seat];
          expect(effectsOf(next[1].effects)).toEqual(effectsOf(next[0].effects));
        };
        for (const [n, [wish, later]] of wishes.entries()) {
          at += later;
          for (const [, by] of jumps.filter(([place]) => place === n)) {
            // What a provider named is a time of day.
            if (by > 0 && plain.restUntil > at) continue;
            off += by;
            both({ kind: 'clock' }, { kind: 'jumped', by });
          }
          const until = (shift: number): Wish => (wish.kind === 'rest' ? { ...wish, until: at + shift + 50_000 } : wish);
          both(until(0), until(off));
        }
      }),
    );
  });

  test('[RT-8] one process and one turn at a time, every turn that begins ends once, and no word is delivered more than twice', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(anyInput, fc.nat(400_000)), { maxLength: 60 }), (wishes) => {
        let at = 0;
        const inputs = wishes.map(([wish, later]): SupervisionInput => ({ ...wish, at: (at += later) }));
        let seat = newSeat(LIMITS, NOTHING);
        let hasProcess = false;
        let open: string | null = null;
        const began = new Set<string>();
        const told = new Map<number, number>();
        const count = (seq: number): unknown => told.set(seq, (told.get(seq) ?? 0) + 1);
        let given = new Set<number>();
        const wrong: string[] = [];
        const must = (isSo: boolean, what: string): unknown => isSo || wrong.push(what);
        for (const input of inputs) {
          // A process that is not there says nothing.
          if (input.kind === 'fact' && !hasProcess) continue;
          if (input.kind === 'fact' && input.fact.kind === 'died') hasProcess = false;
          if (input.kind === 'told') {
            // The board tells each of its entries once.
            if (given.has(input.event.seq)) continue;
            given = new Set([...given, input.event.seq]);
          }
          const next = superviseSeat(seat, input);
          seat = next.seat;
          for (const effect of next.effects) {
            if (effect.kind === 'start') {
              must(!hasProcess, 'a second process');
              hasProcess = true;
            }
            if (effect.kind === 'begin-turn') {
              must(open === null, 'a second turn');
              must(!began.has(effect.id), 'the same turn again');
              must(effect.events.length > 0, 'a turn about nothing');
              began.add(effect.id);
              open = effect.id;
              for (const { seq } of effect.events) count(seq);
            }
            if (effect.kind === 'tell') {
              must(effect.id === open, `${effect.kind} of no open turn`);
              if (effect.event.seq > 0) count(effect.event.seq);
            }
            if (effect.kind === 'close-turn') {
              must(effect.id === open, `${effect.kind} of no open turn`);
              open = null;
            }
            if (effect.kind === 'say' || effect.kind === 'cancel') must(effect.id === open, `${effect.kind} of no open turn`);
          }
          expect(seat.turn?.id ?? null).toBe(open);
          expect(seat.spent.turns).toBeLessThanOrEqual(LIMITS.turns);
        }
        expect(wrong).toEqual([]);
        for (const times of told.values()) expect(times).toBeLessThanOrEqual(2);
      }),
    );
  });
});
