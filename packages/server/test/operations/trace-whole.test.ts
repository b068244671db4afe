import type { Tie } from '@yarnboard/domain';
import { toWire, type OutputOf } from '@yarnboard/protocol';
import type { Store } from '@yarnboard/store';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NOBODY } from '../../src/operations/request/asker.ts';
import { createTracer } from '../../src/operations/trace/trace.ts';
import { createSessionLoader } from '../../src/sessions/session-loader.ts';
import { DEMO, makeBoard, walk, type Input, type TestBoard } from './boards.ts';
import { actOn, randomFrom, SESSIONS, sessionsOf } from './chance.ts';

type Trace = OutputOf<'trace'>;
type Edge = Trace['edges'][number];

const told = ({ from, to, kind, at, by, entry }: Edge): string => JSON.stringify([from, kind, to, at, by, entry]);
const otherEnd = ({ from, to }: Pick<Tie, 'from' | 'to'>, node: string): string => (from === node ? to : from);

/** The strings of every thing that hangs together with some, seen from that thing. */
type Seen = {
  readonly strings: ReadonlyMap<string, readonly Edge[]>;
  /** Of what not everything was told, or by another name. */
  readonly partial: readonly string[];
};

const traceOn = (board: TestBoard, store: Store, input: Input, signal = new AbortController().signal): Promise<Trace> => {
  const tracer = createTracer({ store, engine: board.board.engine, sessions: createSessionLoader(store), pending: () => [], now: Date.now });
  const asked = { direction: 'both', depth: 1, limit: 500, kinds: undefined, ...input } as Parameters<typeof tracer>[0]; // as the registry reads it
  return tracer(asked, { asker: NOBODY, signal }).then((answer) => toWire(answer) as Trace); // as its door tells it
};

const lookAround = async (board: TestBoard, from: readonly string[]): Promise<Seen> => {
  const strings = new Map<string, readonly Edge[]>();
  const partial: string[] = [];
  const waiting = [...from];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (strings.has(node)) continue;
    const { edges, root, cut, nodes } = await traceOn(board, board.board.store, { ref: node });
    if (root !== node || cut.some(({ ref }) => ref === node)) partial.push(node);
    strings.set(
      node,
      edges.filter(({ from: one, to }) => one === node || to === node),
    );
    // What nothing is known of is on no board, and cannot be asked for.
    for (const one of nodes) if (!one.marks.includes('unknown')) waiting.push(one.ref);
  }
  return { strings, partial };
};

/** Strings that are seen from one end, and not, or otherwise, from the other. */
const lopsided = ({ strings }: Seen): readonly string[] => {
  const missing: string[] = [];
  for (const [node, own] of strings)
    for (const edge of own) {
      const other = strings.get(otherEnd(edge, node));
      if (other !== undefined && !other.some((one) => told(one) === told(edge))) missing.push(told(edge));
    }
  return missing;
};

test('[TRACE-2] in sessions of every tool each string that is seen from one end is seen from the other', async () => {
  const board = await makeBoard({ roots: [DEMO] });
  try {
    const sessions = (await walk(board, 'sessions')).map(({ session_id: id }) => id);
    const seen = await lookAround(board, sessions);
    expect([seen.partial, seen.strings.size > 400, lopsided(seen)]).toEqual([[], true, []]);
  } finally {
    await board.close();
  }
});

describe.each([11, 2026])('tracing a board of chance (seed %i)', (seed) => {
  let board: TestBoard;
  let seen: Seen;
  let done = 0;
  const traceWith = (store: Store, input: Input, signal?: AbortSignal): Promise<Trace> => traceOn(board, store, input, signal);

  beforeAll(async () => {
    const random = randomFrom(seed);
    board = await makeBoard({ files: sessionsOf(random) });
    done = await actOn(board, random);
    seen = await lookAround(board, [...SESSIONS, 'MSG-1']);
  });
  afterAll(() => board.close());

  test('[TRACE-16] every string that is seen from one end is seen from the other, the same in everything', () => {
    expect([seen.partial, done > 20, seen.strings.size > 60, lopsided(seen)]).toEqual([[], true, true, []]);
  });

  test('[TRACE-16] the ways between two things are the shortest that a search of everything finds', async () => {
    const random = randomFrom(seed + 1);
    const { strings } = seen;
    const nodes = [...strings.keys()];
    const pick = (): string => nodes[random(nodes.length)] ?? '';
    for (let n = 0; n < 25; n += 1) {
      const [from, to] = [pick(), pick()];
      const shortest = distance(strings, from, to);
      const { ways } = await traceWith(board.board.store, { ref: from, to });
      const answer = `${from} … ${to}`;
      expect([answer, ways?.[0]?.length ?? null]).toEqual([answer, shortest === null || shortest > 12 ? null : shortest + 1]);
      for (const way of ways ?? [])
        for (const [at, node] of way.slice(1).entries())
          expect((strings.get(way[at] ?? '') ?? []).some((edge) => otherEnd(edge, way[at] ?? '') === node)).toBe(true);
    }
  });

  test('[TRACE-14] nothing more is read once nobody waits', async () => {
    const gone = new AbortController();
    const reads = counting(board.board.store, (count) => {
      if (count === 40) gone.abort();
    });
    await expect(traceWith(reads.store, { ref: SESSIONS[0], depth: 6 }, gone.signal)).rejects.toMatchObject({ code: 'cancelled' });
    const whole = counting(board.board.store);
    await traceWith(whole.store, { ref: SESSIONS[0], depth: 6 });
    expect(reads.count()).toBeLessThan(whole.count() / 2);
  });

  test('[TRACE-15] the rows of many things are read together', async () => {
    const reads = counting(board.board.store);
    const { nodes } = await traceWith(reads.store, { ref: SESSIONS[0], depth: 2 });
    const records = nodes.filter(({ ref }) => /^MSG-\d+$/u.test(ref)).length;
    expect(records).toBeGreaterThan(12);
    for (const name of ['messagesAt', 'touchesAt', 'operationsAt', 'positionsOfRefs'])
      expect([name, (reads.of(name) ?? 0) < records]).toEqual([name, true]);
    for (const name of ['messageAt', 'positionOfRef']) expect([name, reads.of(name) ?? 0]).toEqual([name, 0]);
  });
});

/** How many strings apart two things are; null where they do not hang together. */
const distance = (strings: ReadonlyMap<string, readonly Edge[]>, from: string, to: string): number | null => {
  const seen = new Map([[from, 0]]);
  for (const [node, far] of seen) {
    if (node === to) return far;
    for (const edge of strings.get(node) ?? []) {
      const other = otherEnd(edge, node);
      if (!seen.has(other)) seen.set(other, far + 1);
    }
  }
  return null;
};

/** The same store, with every read counted. */
const counting = (store: Store, onRead: (count: number) => void = () => {}) => {
  const counts = new Map<string, number>();
  let all = 0;
  const counted = <P extends object>(port: P): P =>
    Object.fromEntries(
      Object.entries(port).map(([name, value]: [string, unknown]) => {
        if (typeof value !== 'function') return [name, value];
        return [
          name,
          (...given: readonly unknown[]): unknown => {
            counts.set(name, (counts.get(name) ?? 0) + 1);
            all += 1;
            onRead(all);
            return (value as (...args: readonly unknown[]) => unknown)(...given); // it is a function, as was just seen
          },
        ];
      }),
    ) as P; // the same names, the same answers
  return { store: { ...store, log: counted(store.log), library: counted(store.library) }, count: () => all, of: (name: string) => counts.get(name) };
};
