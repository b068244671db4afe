import { STRING_KINDS, type StringKind } from './kinds.ts';
import { addCounts, countsOf, keyOfTie, otherEnd, type Counts, type Degrees, type Tie } from './ties.ts';

export type Direction = 'both' | 'back' | 'forward';

/** What is known of one thing: some of its ties, newest first, and how many there are of each kind. */
export type Strings = { readonly ties: readonly Tie[]; readonly degrees: Degrees };

export type WalkOptions = {
  readonly root: string;
  readonly direction: Direction;
  readonly depth: number;
  /** The maximum number of things, including the root. */
  readonly limit: number;
  /** How many strings of a thing are followed; for the root, all that are known. */
  readonly fan: number;
};

export type Walked = {
  /** In the order they were reached. */
  readonly nodes: readonly string[];
  readonly degrees: ReadonlyMap<string, Degrees>;
  readonly ties: readonly Tie[];
  /** How many strings of a thing aren't among the ties, by kind; omitted if none. */
  readonly cut: ReadonlyMap<string, Counts>;
};

export type Walk = {
  /** The things whose strings are needed next; none when the walk is over. */
  readonly wanted: () => readonly string[];
  readonly take: (known: ReadonlyMap<string, Strings>) => void;
  readonly end: () => Walked;
};

/**
 * TRACE-3: walks from a thing, breadth first, up to a depth and a number of things. Cycles end: nothing is visited twice. Ties between included
 * things are included as well.
 */
export const startWalk = ({ root, direction, depth, limit, fan }: WalkOptions): Walk => {
  const met = new Set([root]);
  const strings = new Map<string, Strings>();
  let frontier: readonly string[] = [root];
  let level = 0;

  const take = (known: ReadonlyMap<string, Strings>): void => {
    const next: string[] = [];
    for (const node of frontier) {
      const own = known.get(node) ?? NOTHING;
      strings.set(node, own);
      if (level >= depth) continue;
      const followed = own.ties.filter((tie) => leads(tie, node, direction));
      for (const tie of node === root ? followed : followed.slice(0, fan)) {
        const other = otherEnd(tie, node);
        if (met.size >= limit || met.has(other)) continue;
        met.add(other);
        next.push(other);
      }
    }
    frontier = next;
    level += 1;
  };

  const end = (): Walked => {
    const ties = new Map<string, Tie>();
    for (const { ties: own } of strings.values()) for (const tie of own) if (met.has(tie.from) && met.has(tie.to)) ties.set(keyOfTie(tie), tie);
    const told = new Map<string, Tally>();
    for (const { from, to, kind } of ties.values()) for (const node of [from, to]) count(told, node, kind);
    const cut = new Map<string, Counts>();
    const degrees = new Map<string, Degrees>();
    for (const [node, own] of strings) {
      degrees.set(node, own.degrees);
      const more = countsOf(addCounts(own.degrees.in, own.degrees.out))
        .map(([kind, all]) => [kind, all - (told.get(node)?.[kind] ?? 0)] as const)
        .filter(([, left]) => left > 0);
      if (more.length > 0) cut.set(node, Object.fromEntries(more));
    }
    return { nodes: [...met], degrees, ties: [...ties.values()], cut };
  };

  return { wanted: () => frontier, take, end };
};

/** Whether following a tie from a thing leads in the wanted direction. */
export const leads = ({ from, kind }: Tie, node: string, direction: Direction): boolean => {
  const points = STRING_KINDS[kind];
  if (direction === 'both' || points === 'both') return true;
  return (from === node) === (points === direction);
};

type Tally = Partial<Record<StringKind, number>>;

const count = (told: Map<string, Tally>, node: string, kind: StringKind): void => {
  const own = told.get(node) ?? {};
  own[kind] = (own[kind] ?? 0) + 1;
  told.set(node, own);
};

const NOTHING: Strings = { ties: [], degrees: { in: {}, out: {} } };
