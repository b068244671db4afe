import { KINDS_OF_STRINGS, STRING_KINDS, type NodeKind, type StringKind } from '@yarnboard/domain';
import type { InsideOutput } from '@yarnboard/protocol';
import type { LooseCard } from './yarn-layout.ts';

export type TraceAnswer = InsideOutput<'trace'>;
export type TraceNode = TraceAnswer['nodes'][number];
export type TraceString = TraceAnswer['edges'][number];

/** The strings of one kind that begin (`out`) or end (`in`) at a card. */
export type Bundle = { readonly end: 'in' | 'out'; readonly kind: StringKind };

/** Something unfolded: all strings of a card, or one bundle of them. */
export type Unfolded = {
  readonly ref: string;
  readonly bundle: Bundle | null;
  /** How many pages of sixty to show. */
  readonly pages: number;
};

export type YarnFilters = {
  /** The kinds to show; empty for all. */
  readonly strings: readonly StringKind[];
  readonly cards: readonly NodeKind[];
  /** Who said or made it. */
  readonly person: string;
  readonly since: string;
  readonly until: string;
};

export type YarnCard = {
  readonly node: TraceNode;
  /** The card it was unfolded from, and the string between them; null for the card the board is about. */
  readonly from: { readonly ref: string; readonly string: TraceString } | null;
  /** Whether its strings, or some of them, were asked for, or another card hangs on it. */
  readonly isUnfolded: boolean;
  /** Everything that hangs on it by bundle, except the string it hangs by itself. */
  readonly bundles: readonly HangingBundle[];
};

export type HangingBundle = Bundle & {
  /** The cards at the other ends that are on the board, in the order of the answers. */
  readonly shown: readonly string[];
  /** How many are not on the board. */
  readonly more: number;
  /** PAGE-232: whether the rest is drawn as a stack, because the board already shows the maximum for this kind. */
  readonly isStacked: boolean;
};

export type YarnBoard = {
  readonly root: string;
  /** In the order in which they joined the board. */
  readonly cards: ReadonlyMap<string, YarnCard>;
  readonly strings: readonly TraceString[];
};

/** The answers for each unfolded item, by `keyOfUnfolded`, page by page. */
export type Answers = ReadonlyMap<string, readonly TraceAnswer[]>;

/** What the board shows: everything unfolded that can be reached from the root card along strings that pass the filters. */
export const boardOf = (
  root: string,
  unfolded: readonly Unfolded[],
  answers: Answers,
  filters: YarnFilters,
  ways: readonly TraceAnswer[] = [],
): YarnBoard => {
  const known = new Map<string, TraceNode>();
  for (const pages of [...answers.values(), ways]) for (const { nodes } of pages) for (const node of nodes) known.set(node.ref, node);
  const own = grouped(unfolded, ({ ref }) => ref);
  const fits = fitting(filters);
  const placed = new Map<string, YarnCard['from']>();
  const strings = new Map<string, TraceString>();
  const pin = (ref: string, from: YarnCard['from']): void => {
    const node = known.get(ref);
    if (node === undefined || placed.has(ref) || (from !== null && !fits.card(node))) return;
    placed.set(ref, from);
  };
  pin(root, null);
  // `placed` grows during the loop: a new card on the board may be unfolded itself.
  for (const ref of placed.keys()) {
    const mine = own.get(ref) ?? [];
    const room = roomFor(mine);
    for (const one of mine) {
      for (const { edges } of answers.get(keyOfUnfolded(one)) ?? []) {
        for (const string of edges) {
          if (!fits.string(string)) continue;
          strings.set(keyOfString(string), string);
          const other = otherEnd(string, ref);
          if (other === null || placed.has(other) || !room.isLeft(string, ref)) continue;
          pin(other, { ref, string });
          if (placed.has(other)) room.take(string, ref);
        }
      }
    }
  }
  for (const { edges } of ways) {
    for (const string of edges) {
      strings.set(keyOfString(string), string);
      if (placed.has(string.from)) pin(string.to, { ref: string.from, string });
      else pin(string.from, { ref: string.to, string });
    }
  }
  const shown = [...strings.values()].filter(({ from, to }) => placed.has(from) && placed.has(to));
  const kept = fits.isPersonal ? withTheirWay(placed, (ref) => fits.person(known.get(ref))) : new Set(placed.keys());
  const left = shown.filter(({ from, to }) => kept.has(from) && kept.has(to));
  const hanging = stringsByEnd(left);
  const parents = new Set([...placed.values()].map((from) => from?.ref));
  const cards = new Map<string, YarnCard>();
  for (const [ref, from] of placed) {
    const node = known.get(ref);
    if (node !== undefined && kept.has(ref))
      cards.set(ref, { node, from, isUnfolded: own.has(ref) || parents.has(ref), bundles: bundlesOf(node, from, hanging.get(ref) ?? [], fits) });
  }
  return { root, cards, strings: left };
};

/** The cards as the layout needs them. A stack hangs where its cards would. */
export const looseCards = ({ cards }: YarnBoard): readonly LooseCard[] =>
  [...cards].flatMap(([ref, { node, from, bundles }]): readonly LooseCard[] => [
    { id: ref, at: timeOf(node), from: from?.ref ?? null, side: from === null ? 'after' : sideOf(from.ref, from.string) },
    ...bundles
      .filter(({ isStacked }) => isStacked)
      .map((bundle): LooseCard => ({ id: stackId(ref, bundle), at: null, from: ref, side: leadsBack(bundle) ? 'before' : 'after' })),
  ]);

export const stackId = (ref: string, bundle: Bundle): string => `${ref} ${nameOfBundle(bundle)}`;

export const keyOfUnfolded = ({ ref, bundle, pages }: Unfolded): string => `${ref} ${bundle === null ? '' : nameOfBundle(bundle)} ${pages}`;

export const keyOfString = ({ from, to, kind }: Pick<TraceString, 'from' | 'to' | 'kind'>): string => `${kind} ${from} ${to}`;

export const nameOfBundle = ({ end, kind }: Bundle): string => `${end}.${kind}`;

export const bundleNamed = (name: string): Bundle | null => {
  const [end, kind] = name.split('.');
  const known = KINDS_OF_STRINGS.find((one) => one === kind);
  return (end === 'in' || end === 'out') && known !== undefined ? { end, kind: known } : null;
};

/** Whether these strings lead to where the card comes from. */
export const leadsBack = ({ end, kind }: Bundle): boolean => (STRING_KINDS[kind] === 'forward') === (end === 'in');

/** The direction in which the server follows a bundle. */
export const directionOf = (bundle: Bundle): 'both' | 'back' | 'forward' =>
  STRING_KINDS[bundle.kind] === 'both' ? 'both' : leadsBack(bundle) ? 'back' : 'forward';

/** Unfolds or folds a card, or one of its bundles. Folding also folds everything unfolded beyond it. */
export const toggled = (unfolded: readonly Unfolded[], { node: { ref }, bundles }: YarnCard, bundle: Bundle | null): readonly Unfolded[] => {
  const others = unfolded.filter((one) => one.ref !== ref);
  const mine = unfolded.filter((one) => one.ref === ref);
  if (bundle === null) return mine.length > 0 ? others : [...others, { ref, bundle: null, pages: 1 }];
  const isShown = bundles.some((one) => isSame(one, bundle) && one.shown.length > 0);
  if (!isShown) return [...unfolded, { ref, bundle, pages: 1 }];
  const named = mine.filter((one) => one.bundle !== null && !isSame(one.bundle, bundle));
  // All bundles but this one, each listed separately.
  const rest = mine.some((one) => one.bundle === null)
    ? bundles.filter(
        (one) => !isSame(one, bundle) && one.shown.length > 0 && !named.some((other) => other.bundle !== null && isSame(other.bundle, one)),
      )
    : [];
  return [...others, ...named, ...rest.map(({ end, kind }) => ({ ref, bundle: { end, kind }, pages: 1 }))];
};

/** Moves the next sixty cards of a stack to the board. */
export const lifted = (unfolded: readonly Unfolded[], ref: string, { end, kind }: Bundle): readonly Unfolded[] => {
  const at = unfolded.findIndex((one) => one.ref === ref && one.bundle !== null && isSame(one.bundle, { end, kind }));
  const found = unfolded[at];
  if (found === undefined) return [...unfolded, { ref, bundle: { end, kind }, pages: 2 }];
  return unfolded.with(at, { ...found, pages: found.pages + 1 });
};

const isSame = (a: Bundle, b: Bundle): boolean => a.end === b.end && a.kind === b.kind;

const timeOf = ({ at }: TraceNode): number | null => {
  const time = at === null ? Number.NaN : Date.parse(at);
  return Number.isNaN(time) ? null : time;
};

const sideOf = (parent: string, { from, kind }: TraceString): 'before' | 'after' =>
  leadsBack({ kind, end: from === parent ? 'out' : 'in' }) ? 'before' : 'after';

const fitting = ({ strings, cards, person }: YarnFilters) => {
  const [kinds, things] = [new Set(strings), new Set(cards)];
  return {
    string: ({ kind }: Pick<TraceString, 'kind'>): boolean => kinds.size === 0 || kinds.has(kind),
    card: ({ kind }: TraceNode): boolean => things.size === 0 || things.has(kind),
    isPersonal: person !== '',
    person: (node: TraceNode | undefined): boolean => node !== undefined && (node.by === person || node.ref === person),
  };
};

/** The cards that pass the filter, and those between them and the root, so that no card hangs loose. */
const withTheirWay = (placed: ReadonlyMap<string, YarnCard['from']>, fits: (ref: string) => boolean): ReadonlySet<string> => {
  const kept = new Set<string>();
  for (const [ref, from] of placed) {
    if (from !== null && !fits(ref)) continue;
    for (let at: string | undefined = ref; at !== undefined && !kept.has(at); at = placed.get(at)?.ref) kept.add(at);
  }
  return kept;
};

/** PAGE-232: how many more cards may hang on one card, per bundle. */
const roomFor = (mine: readonly Unfolded[]) => {
  const taken = new Map<string, number>();
  const pages = new Map(mine.map(({ bundle, pages: so }) => [bundle === null ? '' : nameOfBundle(bundle), so]));
  const nameAt = ({ from, kind }: TraceString, ref: string): string => nameOfBundle({ end: from === ref ? 'out' : 'in', kind });
  return {
    isLeft: (string: TraceString, ref: string): boolean => {
      const name = nameAt(string, ref);
      return (taken.get(name) ?? 0) < MOST_LOOSE * (pages.get(name) ?? 1);
    },
    take: (string: TraceString, ref: string): void => {
      const name = nameAt(string, ref);
      taken.set(name, (taken.get(name) ?? 0) + 1);
    },
  };
};

const otherEnd = ({ from, to }: TraceString, ref: string): string | null => (from === ref ? to : to === ref ? from : null);

const stringsByEnd = (strings: readonly TraceString[]): ReadonlyMap<string, readonly TraceString[]> => {
  const ends = strings.flatMap((string) => [string.from, string.to].map((ref) => ({ ref, string })));
  return new Map([...grouped(ends, ({ ref }) => ref)].map(([ref, all]) => [ref, all.map(({ string }) => string)]));
};

const grouped = <T>(all: readonly T[], keyOf: (one: T) => string): ReadonlyMap<string, readonly T[]> => {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const group = groups.get(keyOf(one));
    if (group === undefined) groups.set(keyOf(one), [one]);
    else group.push(one);
  }
  return groups;
};

const bundlesOf = (
  node: TraceNode,
  from: YarnCard['from'],
  hanging: readonly TraceString[],
  { string: fits }: Pick<ReturnType<typeof fitting>, 'string'>,
): readonly HangingBundle[] => {
  const { ref } = node;
  const by = from === null ? null : keyOfString(from.string);
  const ends = grouped(hanging, (one) => nameOfBundle({ end: one.from === ref ? 'out' : 'in', kind: one.kind }));
  const bundles: HangingBundle[] = [];
  for (const end of ['in', 'out'] as const) {
    // Typed loosely: the node counts strings by the name of their kind.
    const counts: Readonly<Record<string, number | undefined>> = node[end];
    for (const kind of KINDS_OF_STRINGS) {
      const all = counts[kind] ?? 0;
      if (!fits({ kind })) continue;
      const told = ends.get(nameOfBundle({ end, kind })) ?? [];
      const shown = told.filter((one) => keyOfString(one) !== by).map((one) => (one.from === ref ? one.to : one.from));
      const more = Math.max(0, all - told.length);
      if (shown.length + more > 0) bundles.push({ end, kind, shown, more, isStacked: more > 0 && shown.length >= MOST_LOOSE });
    }
  }
  // First where it comes from, then what came of it.
  return bundles.toSorted((a, b) => Number(leadsBack(b)) - Number(leadsBack(a)));
};

/** PAGE-232: the most cards of one kind that hang on a card; the others form a stack. */
export const MOST_LOOSE = 60;
