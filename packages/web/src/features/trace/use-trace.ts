import { KINDS_OF_STRINGS, NODE_KINDS, type NodeKind, type StringKind } from '@yarnboard/domain';
import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useAsk, useLive } from '../../live/hooks.tsx';
import type { Live } from '../../live/live.ts';
import { useFreshBoard, useFreshSessions } from '../../shared/freshness.ts';
import type { YarnWish } from './yarn-address.ts';
import { boardOf, directionOf, keyOfUnfolded, MOST_LOOSE, type Answers, type TraceAnswer, type Unfolded, type YarnBoard } from './yarn-board.ts';

export type Traced = {
  /** Null until the first answer. */
  readonly board: YarnBoard | null;
  readonly unfolded: readonly Unfolded[];
  /** With two chosen cards: the ways between them, each as references in order; null while they load. */
  readonly ways: readonly (readonly string[])[] | null;
  readonly offered: Offered;
  readonly error: Error | null;
  /** Why something failed to unfold. */
  readonly trouble: Error | null;
  readonly isLoading: boolean;
  readonly retry: () => void;
};

/** The choices of the filters: everything in the answers, shown or not. */
export type Offered = { readonly strings: readonly StringKind[]; readonly cards: readonly NodeKind[]; readonly people: readonly string[] };

/** The board around a reference. It asks for one card at a time, and again whenever something changes. */
export const useTrace = (ref: string, { unfolded: asked, filters, chosen }: YarnWish): Traced => {
  const { ask, queries } = useLive();
  const { since, until } = filters;
  const times = useMemo(() => ({ ...(since === '' ? {} : { since }), ...(until === '' ? {} : { until }) }), [since, until]);
  const first = useAsk('trace', { ref, depth: 1, limit: MOST_FIRST, ...times }, { keepsPrevious: true });
  const root = first.data === undefined ? null : rootOf(first.data);
  const unfolded = useMemo(() => asked ?? (root === null ? [] : [{ ref: root, bundle: null, pages: 1 }]), [asked, root]);
  const wanted = useMemo(() => unfolded.filter((one) => root !== null && !(one.ref === root && one.bundle === null)), [unfolded, root]);
  const others = useQueries({
    queries: wanted.map((one) => ({
      queryKey: ['trace', one, times],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => askPages(ask, one, times, signal),
      placeholderData: () => toldBefore(queries, one),
    })),
    combine: collected,
  });
  const [from, to] = chosen;
  const way = useAsk('trace', { ref: from ?? '', to: to ?? '' }, { isWanted: from !== undefined && to !== undefined });
  useFreshBoard('trace');
  useFreshSessions(sessionsOf(first.data), 'trace');

  const answers = useMemo(() => {
    if (first.data === undefined || root === null) return null;
    const all = new Map<string, readonly TraceAnswer[]>([[keyOfUnfolded({ ref: root, bundle: null, pages: 1 }), [first.data]]]);
    wanted.forEach((one, n) => {
      const pages = others.data[n];
      if (pages !== undefined) all.set(keyOfUnfolded(one), pages);
    });
    return all;
  }, [first.data, root, wanted, others.data]);
  const board = useMemo(
    () =>
      answers === null || root === null
        ? null
        : boardOf(root, unfolded, answers, filters, to === undefined || way.data === undefined ? [] : [way.data]),
    [answers, root, unfolded, filters, to, way.data],
  );
  const offered = useMemo(() => offeredIn(answers ?? new Map()), [answers]);

  return {
    board,
    unfolded,
    ways: to === undefined ? [] : (way.data?.ways ?? null),
    offered,
    error: first.data === undefined ? first.error : null,
    trouble: others.error ?? (to === undefined ? null : way.error),
    isLoading: first.isFetching || others.isFetching || way.isFetching,
    retry: () => void first.refetch(),
  };
};

/** The card in the middle. For a range A..B, the first thing in it. */
const rootOf = ({ root, nodes }: TraceAnswer): string | null => (nodes.some(({ ref }) => ref === root) ? root : (nodes[0]?.ref ?? null));

const askPages = async (
  ask: Live['ask'],
  { ref, bundle, pages }: Unfolded,
  times: { readonly since?: string; readonly until?: string },
  signal: AbortSignal,
): Promise<readonly TraceAnswer[]> => {
  const question = {
    ref,
    depth: 1,
    ...times,
    ...(bundle === null ? { limit: MOST_FIRST } : { kinds: [bundle.kind], direction: directionOf(bundle), limit: MOST_LOOSE + 1 }),
  } as const;
  const answers: TraceAnswer[] = [];
  for (let cursor: string | null | undefined; answers.length < pages && cursor !== null;) {
    const answer: TraceAnswer = await ask('trace', { ...question, ...(cursor === undefined ? {} : { cursor }) }, signal);
    answers.push(answer);
    cursor = answer.nextCursor;
  }
  return answers;
};

/** While the next answer loads, keeps the previous one. */
const toldBefore = (queries: Live['queries'], one: Unfolded): readonly TraceAnswer[] | undefined =>
  [{ ...one, pages: one.pages - 1 }, one]
    .flatMap((wish) => queries.getQueriesData<readonly TraceAnswer[]>({ queryKey: ['trace', wish] }))
    .findLast(([, pages]) => pages !== undefined)?.[1];

const collected = (results: readonly UseQueryResult<readonly TraceAnswer[]>[]) => ({
  data: results.map(({ data }) => data),
  error: results.find(({ error }) => error !== null)?.error ?? null,
  isFetching: results.some(({ isFetching }) => isFetching),
});

const offeredIn = (answers: Answers): Offered => {
  const [strings, cards, people] = [new Set<StringKind>(), new Set<NodeKind>(), new Set<string>()];
  for (const { nodes, edges } of [...answers.values()].flat()) {
    for (const { kind } of edges) strings.add(kind);
    for (const { kind, by } of nodes) {
      cards.add(kind);
      if (by !== null) people.add(by);
    }
  }
  return {
    strings: KINDS_OF_STRINGS.filter((kind) => strings.has(kind)),
    cards: NODE_KINDS.filter((kind) => cards.has(kind)),
    people: [...people].toSorted(),
  };
};

/** The sessions whose new entries may connect to the card in the middle. */
const sessionsOf = (answer: TraceAnswer | undefined): readonly string[] => {
  const root = answer?.nodes.find(({ ref }) => ref === answer.root);
  const context = root?.kind === 'session' ? root.ref : root?.context;
  return context !== null && context !== undefined && /^[0-9a-f]{8}-/u.test(context) ? [context] : [];
};

const MOST_FIRST = 200;
