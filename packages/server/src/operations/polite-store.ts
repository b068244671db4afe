import type { LibraryPort, LogPort, OperationRow, Store } from '@yarnboard/store';
import type { Turns } from '../sessions/turns.ts';

/**
 * API-54: the same store for queries on the main thread: it yields before each read, and reads long lists in pieces. A remote database is awaited
 * anyway, and there each piece would be another round trip.
 */
export const politeStore = <S extends Pick<Store, 'capabilities' | 'log' | 'library'>>(store: S, { go }: Pick<Turns, 'go'>): S => {
  if (store.capabilities.isSharedByServers) return store;
  const { log, library } = store;
  return { ...store, log: { ...eachAfter(log, go), ...longReadsOf(log, go) }, library: { ...eachAfter(library, go), ...longListsOf(library, go) } };
};

type Go = Turns['go'];

/** How many rows to read at once. */
export const PIECE = 100;

/** Calls `go` before each function of a port. Other values stay as they are. */
const eachAfter = <P extends object>(port: P, go: Go): P =>
  Object.fromEntries(
    Object.entries(port).map(([name, value]: [string, unknown]) => {
      if (typeof value !== 'function') return [name, value];
      const ask = value as (...args: readonly unknown[]) => Promise<unknown>; // a port has async functions and plain values
      return [name, async (...args: readonly unknown[]) => (await go(), ask(...args))];
    }),
  ) as P; // same names, same results

const longReadsOf = (log: LogPort, go: Go): Pick<LogPort, 'entriesAfter' | 'entriesOf' | 'linesOf' | 'entriesAt' | 'payloadsOf'> => ({
  entriesAfter: (position, limit) => onward(go, position, limit, log.entriesAfter),
  entriesOf: (sessionId, after, limit) => onward(go, after, limit, (from, most) => log.entriesOf(sessionId, from, most)),
  linesOf: (sessionId, after, limit) => onward(go, after, limit, (from, most) => log.linesOf(sessionId, from, most)),
  entriesAt: async (positions) => (await inPieces(go, positions, log.entriesAt)).flat(),
  payloadsOf: async (positions) => together(await inPieces(go, positions, log.payloadsOf)),
});

type LongLists = Pick<
  LibraryPort,
  'sessions' | 'sessionsById' | 'firstNumbersOf' | 'messages' | 'messagesAt' | 'operationsAt' | 'responsesAt' | 'positionsOf'
>;

const longListsOf = (library: LibraryPort, go: Go): LongLists => ({
  sessions: async (query) => {
    const rows: Awaited<ReturnType<LibraryPort['sessions']>>[number][] = [];
    for (let { before } = query; ;) {
      await go();
      const most = Math.min(PIECE, query.limit - rows.length);
      const some = await library.sessions({ ...query, ...(before === undefined ? {} : { before }), limit: most });
      rows.push(...some);
      const last = some.at(-1);
      if (last === undefined || some.length < most || rows.length >= query.limit) return rows;
      before = { lastAt: last.lastAt ?? 0, sessionId: last.sessionId };
    }
  },
  sessionsById: async (ids) => together(await inPieces(go, ids, library.sessionsById)),
  firstNumbersOf: async (ids) => together(await inPieces(go, ids, library.firstNumbersOf)),
  messages: (query) => onward(go, query.from - 1, query.limit, (after, limit) => library.messages({ ...query, from: after + 1, limit })),
  messagesAt: async (positions) => together(await inPieces(go, positions, library.messagesAt)),
  operationsAt: async (sessionId, positions) => {
    const found = new Map<string, OperationRow>();
    for (const one of (await inPieces(go, positions, (some) => library.operationsAt(sessionId, some))).flat())
      found.set(`${one.position}|${one.kind}|${one.index}`, one);
    return [...found.values()];
  },
  responsesAt: async (positions) => together(await inPieces(go, positions, library.responsesAt)),
  positionsOf: async (sessionId, after, limit) => {
    const rows = await onward(go, after, limit, async (from, most) =>
      (await library.positionsOf(sessionId, from, most)).map((position) => ({ position })),
    );
    return rows.map(({ position }) => position);
  },
});

/** Reads a list by position, each piece starting after the last row of the one before. */
const onward = async <T extends { readonly position: number }>(
  go: Go,
  after: number,
  limit: number,
  ask: (after: number, limit: number) => Promise<readonly T[]>,
): Promise<readonly T[]> => {
  const rows: T[] = [];
  for (let from = after; ;) {
    await go();
    const most = Math.min(PIECE, limit - rows.length);
    const some = await ask(from, most);
    rows.push(...some);
    const last = some.at(-1);
    if (last === undefined || some.length < most || rows.length >= limit) return rows;
    from = last.position;
  }
};

const inPieces = async <K, A>(go: Go, keys: readonly K[], ask: (some: readonly K[]) => Promise<A>): Promise<readonly A[]> => {
  const answers: A[] = [];
  for (let from = 0; from < keys.length || from === 0; from += PIECE) {
    await go();
    answers.push(await ask(keys.slice(from, from + PIECE)));
  }
  return answers;
};

const together = <K, V>(maps: readonly ReadonlyMap<K, V>[]): ReadonlyMap<K, V> => {
  const [first = new Map<K, V>(), ...more] = maps;
  return more.length === 0 ? first : new Map(maps.flatMap((map) => [...map]));
};
