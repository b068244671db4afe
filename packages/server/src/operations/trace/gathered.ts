import type { Ref } from '@yarnboard/domain';
import type { OperationRow, Store } from '@yarnboard/store';

/** The parts of the store that tracing reads. */
export type TraceStore = { readonly log: Store['log']; readonly library: Store['library'] };

/**
 * TRACE-15: the same store, with single lookups batched. Tracing looks up the strings of many things at once, and on a remote database every query is
 * a round trip.
 */
export const gathered = ({ log, library }: TraceStore): TraceStore => {
  const positionOfRef = gathering<readonly [type: NumberedType, number: number], number | null>(async (refs) => {
    const places = await log.positionsOfRefs(refs.map(([type, number]) => ({ kind: 'numbered', type, number, part: null })));
    return (_, at) => places[at] ?? null;
  });
  const messageAt = gathering(async (positions: readonly number[]) => {
    const rows = await library.messagesAt([...new Set(positions)]);
    return (position) => rows.get(position) ?? null;
  });
  const touchesOfRecord = gathering(async (positions: readonly number[]) => {
    const touches = grouped(await library.touchesAt([...new Set(positions)]), ({ position }) => position);
    return (position) => touches.get(position) ?? [];
  });
  const operationsOf = gathering(async (records: readonly (readonly [sessionId: string, position: number])[]) => {
    const sessions = grouped(records, ([sessionId]) => sessionId);
    const rows = new Map<string, readonly OperationRow[]>();
    for (const [sessionId, own] of sessions)
      rows.set(sessionId, await library.operationsAt(sessionId, [...new Set(own.map(([, position]) => position))]));
    return ([sessionId, position]) => standingIn(rows.get(sessionId) ?? [], position);
  });
  return {
    log: { ...log, positionOfRef: (type, number) => positionOfRef([type, number]) },
    library: {
      ...library,
      messageAt,
      messagesAt: async (positions) => {
        const rows = await Promise.all(positions.map(messageAt));
        return new Map(rows.flatMap((row) => (row === null ? [] : [[row.position, row] as const])));
      },
      touchesAt: async (positions) => (await Promise.all(positions.map(touchesOfRecord))).flat(),
      operationsAt: async (sessionId, positions) => {
        const [only] = positions;
        return only === undefined || positions.length > 1 ? library.operationsAt(sessionId, positions) : operationsOf([sessionId, only]);
      },
    },
  };
};

const grouped = <T, K>(all: readonly T[], keyOf: (one: T) => K): ReadonlyMap<K, readonly T[]> => {
  const groups = new Map<K, T[]>();
  for (const one of all) {
    const key = keyOf(one);
    const own = groups.get(key);
    if (own === undefined) groups.set(key, [one]);
    else own.push(one);
  }
  return groups;
};

type NumberedType = Extract<Ref, { kind: 'numbered' }>['type'];

/** The uses and results in a record, with the other half of each pair. */
const standingIn = (rows: readonly OperationRow[], position: number): readonly OperationRow[] => {
  const pairs = new Set(rows.flatMap((row) => (row.position === position && row.toolUseId !== '' ? [row.toolUseId] : [])));
  return rows.filter((row) => row.position === position || pairs.has(row.toolUseId));
};

/** Batches the keys requested in the same tick into one query. */
const gathering = <K, V>(ask: (keys: readonly K[]) => Promise<(key: K, at: number) => V>): ((key: K) => Promise<V>) => {
  let waiting: { readonly keys: K[]; readonly answer: Promise<(key: K, at: number) => V> } | null = null;
  return async (key) => {
    if (waiting === null) {
      const keys: K[] = [];
      const answer = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
        waiting = null;
        return ask(keys);
      });
      waiting = { keys, answer };
    }
    const at = waiting.keys.push(key) - 1;
    return (await waiting.answer)(key, at);
  };
};
