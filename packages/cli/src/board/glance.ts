import type { Io } from '../io.ts';
import { operatorTokenOf } from './client.ts';
import { hasBoard, type Place } from './place.ts';
import { reachBoard, serverOf, type Answered, type Input } from './reach.ts';
import type { OperationName } from '@yarnboard/protocol';
import { openReader } from '@yarnboard/server';

/** A board that is only read. */
export type Glance = {
  readonly ask: (name: OperationName, input: Input) => Promise<Answered>;
  readonly fetch: (path: string) => Promise<Response>;
};

/**
 * For verbs that work without a board: reads it if there is one, and builds nothing. Null if there is none, or if its log has no entry of the needed
 * type: opening the log is quick, folding a board takes longer.
 */
export const glanceAt = async <T>(place: Place, io: Io, work: (glance: Glance) => Promise<T>, needed?: string): Promise<T | null> => {
  if ((await serverOf(place)) === null) {
    if (!hasBoard(place)) return null;
    const { readySqlite } = await import('../sqlite/ready.ts');
    await readySqlite(io, { mayBuild: false });
    if (needed !== undefined && !(await hasEntries(place, needed))) return null;
  }
  return reachBoard(place, io, { readOnly: true }, ({ ask, fetch, board }) => {
    const token = board?.token ?? operatorTokenOf(place);
    return work({ ask: (name, input) => ask(name, input, { token }), fetch: (path) => fetch(path, token) });
  });
};

const hasEntries = async ({ home }: Place, type: string): Promise<boolean> => {
  const store = await openReader(home);
  try {
    return (await store.log.positionsOfType(type)).length > 0;
  } finally {
    await store.close();
  }
};
