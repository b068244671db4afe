import { StoreFault } from '../port.ts';
import type { Run } from './database.ts';

/** An entry of the log and its checksum, as this process has seen them. */
export type Mark = { readonly position: number; readonly checksum: Uint8Array };

/**
 * MANY-18: what this process knows to be on the log. A database that failed over without its last commits, or an older copy in its place, accepts new
 * entries as if nothing had happened; only a process that knows better can object.
 */
export type KnownHeads = {
  readonly last: () => Mark | null;
  readonly note: (marks: readonly Mark[]) => void;
  /**
   * Throws unless a known entry is still there and unchanged. `found` is its present checksum; null if it is missing. The caller says which entry it
   * asked for: others may have noted more since.
   */
  readonly refuseLost: (run: Run, known: Mark | null, found: Uint8Array | null) => Promise<void>;
  /** The same, including the lookup. */
  readonly check: (run: Run) => Promise<void>;
};

export const createKnownHeads = (name: string): KnownHeads => {
  let marks: readonly Mark[] = [];
  const last = (): Mark | null => marks.at(-1) ?? null;

  const refuseLost: KnownHeads['refuseLost'] = async (run, known, found) => {
    if (known === null || (found !== null && isSame(found, known.checksum))) return;
    const rows = await run<Mark>('SELECT position, checksum FROM entries WHERE position = ANY($1::bigint[])', [
      marks.map(({ position }) => position),
    ]);
    const there = new Map(rows.map(({ position, checksum }) => [position, checksum]));
    const lost = marks.find(({ position, checksum }) => !isSame(there.get(position) ?? null, checksum)) ?? known;
    const [end] = await run<Mark>('SELECT position, checksum FROM entries ORDER BY position DESC LIMIT 1');
    const has = end === undefined ? 'has no entries' : `ends at entry ${end.position} (${shortOf(end.checksum)})`;
    throw new StoreFault(
      'went-back',
      `${name} lost entries that were acknowledged: the first known to be ${there.has(lost.position) ? 'another one now' : 'missing'} is entry ${lost.position}. Here the log went to entry ${known.position} (${shortOf(known.checksum)}), and there it ${has}. Nothing is written to it. Bring back the database that has them; to go on without them, start yarnboard again`,
    );
  };

  return {
    last,
    note: (more) => {
      const end = last()?.position ?? 0;
      const fresh = more.filter(({ position }) => position > end);
      if (fresh.length > 0) marks = [...marks, ...fresh].slice(-MOST);
    },
    refuseLost,
    check: async (run) => {
      const known = last();
      if (known === null) return;
      const [row] = await run<Mark>('SELECT position, checksum FROM entries WHERE position = $1', [known.position], 'yarnboard_known');
      await refuseLost(run, known, row?.checksum ?? null);
    },
  };
};

const isSame = (one: Uint8Array | null, other: Uint8Array): boolean => one !== null && Buffer.compare(one, other) === 0;

const shortOf = (checksum: Uint8Array): string => Buffer.from(checksum).toString('hex').slice(0, 12);

/** This many of the last entries are named if they are lost; before them, only the fact is known. */
const MOST = 1024;
