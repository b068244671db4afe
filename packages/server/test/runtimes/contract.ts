import type { SeatEvent } from '@yarnboard/protocol';
import { describe, expect, test } from 'vitest';
import type { ClaudeParts } from '../../src/board-runtimes.ts';
import { BRIEFED, type Runtime, type SeatFact, type SeatProcess, type SeatStart } from '../../src/runtimes/port.ts';

export const START: SeatStart = {
  place: { agent: 'AGENT-echo', sidebarId: 'sidebar-1' },
  sidebarRef: 'SB-1',
  model: null,
  instructions: null,
  token: 'token-of-the-seat',
  url: null,
  briefing: { text: 'Find out why the build is slow.', hash: 'abc' },
  context: BRIEFED,
  instance: null,
};

const unused = (): never => {
  throw new Error('nobody runs Claude here');
};

/** For runtimes that are not on Claude. */
export const NO_CLAUDE: ClaudeParts = {
  runs: { start: unused, send: unused, answer: unused, interrupt: unused, abort: unused },
  toolsFor: unused,
  newId: unused,
  catchUp: unused,
  now: unused,
  sdkProblem: unused,
  home: '/nowhere',
};

export const eventOf = (seq: number, text: string): SeatEvent => ({ seq, kind: 'mention', from: 'AGENT-operator', text, refs: [] });

/** A seat, and what was heard of it; `until` waits for a fact, and fails with the seat's end. */
export type Heard = {
  readonly seat: SeatProcess;
  readonly facts: readonly SeatFact[];
  readonly until: <K extends SeatFact['kind']>(
    kind: K,
    fits?: (fact: Extract<SeatFact, { kind: K }>) => boolean,
  ) => Promise<Extract<SeatFact, { kind: K }>>;
};

export const startHeard = (runtime: Runtime, start: SeatStart = START): Heard => {
  const facts: SeatFact[] = [];
  const waiters = new Set<() => void>();
  const seat = runtime.start(start, (fact) => {
    facts.push(fact);
    for (const waiter of waiters) waiter();
  });
  const until: Heard['until'] = (kind, fits = () => true) =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = facts.find((fact): fact is Extract<SeatFact, { kind: typeof kind }> => fact.kind === kind && fits(fact as never)); // of this kind: looked at before
        const end = facts.find((fact) => fact.kind === 'died');
        if (found === undefined && end === undefined) return;
        waiters.delete(look);
        if (found === undefined) reject(new Error(`it died before "${kind}": ${end?.why ?? ''}`));
        else resolve(found);
      };
      waiters.add(look);
      look();
    });
  return { seat, facts, until };
};

export type Contract = {
  /** A runtime whose model answers every turn with a text. */
  readonly make: () => Promise<Runtime> | Runtime;
  /** What makes it use a tool, and which. */
  readonly toolText: string;
  readonly toolName: string;
};

/** RT-1: what every adapter does alike. */
export const describeRuntime = (name: string, { make, toolText, toolName }: Contract): void => {
  describe(`the runtime ${name}`, () => {
    test('[RT-1] a seat gets ready, takes its turns one after the other, and is gone when it is stopped', async () => {
      const { seat, facts, until } = startHeard(await make());
      await until('ready');
      seat.turn('turn-1', [eventOf(1, 'Hello')]);
      const first = await until('turn-ended', ({ turnId }) => turnId === 'turn-1');
      expect(first.status).toBe('completed');
      expect(first.text ?? '').not.toBe('');
      await until('usage', ({ usage }) => usage.inputTokens > 0);
      seat.turn('turn-2', [eventOf(2, 'And again')]);
      expect((await until('turn-ended', ({ turnId }) => turnId === 'turn-2')).status).toBe('completed');
      await seat.stop('done');
      expect(facts.filter(({ kind }) => kind === 'died')).toHaveLength(1);
      expect(facts.at(-1)?.kind).toBe('died');
      expect(facts.filter(({ kind }) => kind === 'fault')).toEqual([]);
    });

    test('[RT-1] what it does to the board is asked for, and answered', async () => {
      const { seat, facts, until } = startHeard(await make());
      await until('ready');
      seat.turn('turn-1', [eventOf(1, toolText)]);
      const { id, name: asked, input } = await until('command');
      expect(asked).toBe(toolName);
      expect(input).toMatchObject({ sidebar_id: 'SB-1' });
      seat.answer(id, true, { ref: 'SCRATCH-1:FINDING-1' });
      expect((await until('turn-ended')).status).toBe('completed');
      expect(facts.filter(({ kind }) => kind === 'tool').length).toBe(1);
      await seat.stop('done');
    });

    test('[RT-1] a turn that is cancelled ends', async () => {
      const { seat, until } = startHeard(await make());
      await until('ready');
      seat.turn('turn-1', [eventOf(1, toolText)]);
      const { id } = await until('command');
      seat.cancel('turn-1');
      seat.answer(id, true, { ref: 'SCRATCH-1:FINDING-1' });
      expect((await until('turn-ended')).status).toBe('cancelled');
      await seat.stop('done');
    });
  });
};
