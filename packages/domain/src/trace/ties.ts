import type { HowKnown, StringKind } from './kinds.ts';

/** A string between two things. Both have their unique names (`nodeOf`); no two ties share ends and kind. */
export type Tie = {
  readonly from: string;
  readonly to: string;
  readonly kind: StringKind;
  readonly at: number;
  readonly by: string | null;
  /** The position of the entry that proves it. */
  readonly entry: number;
  readonly how: HowKnown;
  /** Further details: which lines, which condition, how relevant. */
  readonly note: string | null;
};

export type Counts = Readonly<Partial<Record<StringKind, number>>>;

/** How many strings of each kind end and begin at a thing. */
export type Degrees = { readonly in: Counts; readonly out: Counts };

export const NO_DEGREES: Degrees = { in: {}, out: {} };

export type TieIndex = {
  /** A repetition is newer: it replaces the earlier one. */
  readonly add: (ties: readonly Tie[]) => void;
  /** Newest first. */
  readonly tiesOf: (node: string) => readonly Tie[];
  readonly degreesOf: (node: string) => Degrees;
  readonly has: (node: string) => boolean;
  readonly nodes: () => Iterable<string>;
};

/** TRACE-2: an index of ties from both ends. Adding one has a constant cost. */
export const createTieIndex = (): TieIndex => {
  const byNode = new Map<string, { readonly ties: Map<string, Tie>; readonly in: Tally; readonly out: Tally }>();

  const placeOf = (node: string): NonNullable<ReturnType<typeof byNode.get>> => {
    const known = byNode.get(node);
    if (known !== undefined) return known;
    const made = { ties: new Map<string, Tie>(), in: {}, out: {} };
    byNode.set(node, made);
    return made;
  };

  const addOne = (tie: Tie): void => {
    if (tie.from === tie.to) return;
    const key = keyOfTie(tie);
    const [from, to] = [placeOf(tie.from), placeOf(tie.to)];
    const isNew = !from.ties.delete(key);
    to.ties.delete(key);
    from.ties.set(key, tie);
    to.ties.set(key, tie);
    if (!isNew) return;
    from.out[tie.kind] = (from.out[tie.kind] ?? 0) + 1;
    to.in[tie.kind] = (to.in[tie.kind] ?? 0) + 1;
  };

  return {
    add: (ties) => ties.forEach(addOne),
    tiesOf: (node) => [...(byNode.get(node)?.ties.values() ?? [])].reverse(),
    degreesOf: (node) => byNode.get(node) ?? NO_DEGREES,
    has: (node) => byNode.has(node),
    nodes: () => byNode.keys(),
  };
};

type Tally = Partial<Record<StringKind, number>>;

export const keyOfTie = ({ from, to, kind }: Pick<Tie, 'from' | 'to' | 'kind'>): string => `${kind} ${from} ${to}`;

export const otherEnd = ({ from, to }: Tie, node: string): string => (from === node ? to : from);

export const addCounts = (a: Counts, b: Counts): Counts => {
  const sum: Tally = { ...a };
  for (const [kind, count] of countsOf(b)) sum[kind] = (sum[kind] ?? 0) + count;
  return sum;
};

export const countsOf = (counts: Counts): readonly (readonly [StringKind, number])[] => Object.entries(counts) as [StringKind, number][]; // the keys of its type

/** The degrees according to a list of a thing's own ties. */
export const degreesIn = (node: string, ties: readonly Tie[]): Degrees => {
  const [arriving, leaving]: [Tally, Tally] = [{}, {}];
  for (const { from, kind } of ties) {
    const side = from === node ? leaving : arriving;
    side[kind] = (side[kind] ?? 0) + 1;
  }
  return { in: arriving, out: leaving };
};
