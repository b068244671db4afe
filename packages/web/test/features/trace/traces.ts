import { KINDS_OF_STRINGS, NODE_KINDS, type StringKind } from '@yarnboard/domain';
import fc from 'fast-check';
import {
  directionOf,
  leadsBack,
  type Bundle,
  type TraceAnswer,
  type TraceNode,
  type TraceString,
  type Unfolded,
} from '../../../src/features/trace/yarn-board.ts';

/** Everything that hangs together, known at once: what a server would tell of it is looked up. */
export type Web = { readonly nodes: readonly TraceNode[]; readonly strings: readonly TraceString[] };

/** The kinds are few, so that bundles have several strings. */
export const anyWeb: fc.Arbitrary<Web> = fc
  .record({
    size: fc.integer({ min: 1, max: 30 }),
    strings: fc.array(fc.tuple(fc.nat(), fc.nat(), fc.constantFrom<StringKind>('cites', 'said', 'rests-on', 'related')), { maxLength: 80 }),
  })
  .map(({ size, strings }) =>
    webOf(
      size,
      strings.map(([from, to, kind]) => [from % size, to % size, kind]),
    ),
  );

export const webOf = (size: number, given: readonly (readonly [number, number, StringKind])[]): Web => {
  const all = new Map(
    given.filter(([from, to]) => from !== to).map(([from, to, kind]) => [`${kind} ${from} ${to}`, stringOf(`MSG-${from}`, to, kind)]),
  );
  const strings = [...all.values()];
  const count = (ref: string, end: 'from' | 'to'): TraceNode['in'] =>
    Object.fromEntries(
      KINDS_OF_STRINGS.flatMap((kind) => {
        const found = strings.filter((one) => one.kind === kind && one[end] === ref).length;
        return found === 0 ? [] : [[kind, found]];
      }),
    );
  const nodes = Array.from({ length: size }, (_, n): TraceNode => {
    const ref = `MSG-${n}`;
    const kind = NODE_KINDS[n % 3] ?? 'message';
    const at = new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString();
    return {
      ref,
      uuid: null,
      kind,
      title: `Number ${n}`,
      at,
      by: `AGENT-${n % 2}`,
      context: null,
      marks: [],
      in: count(ref, 'to'),
      out: count(ref, 'from'),
    };
  });
  return { nodes, strings };
};

const stringOf = (from: string, to: number, kind: StringKind): TraceString => ({
  from,
  to: `MSG-${to}`,
  kind,
  at: null,
  by: null,
  entry: to,
  how: 'said',
  note: null,
});

/** What a server would answer to something that was unfolded. */
export const answerTo = ({ nodes, strings }: Web, { ref, bundle, pages }: Unfolded, limit = bundle === null ? 200 : 60): readonly TraceAnswer[] => {
  const own = strings.filter(({ from, to, kind }) => {
    if (from !== ref && to !== ref) return false;
    return bundle === null || (kind === bundle.kind && (directionOf(bundle) === 'both' || isOf(ref, from, bundle)));
  });
  return Array.from({ length: pages }, (_, n): TraceAnswer => {
    const page = own.slice(n * limit, (n + 1) * limit);
    const told = new Set([ref, ...page.flatMap(({ from, to }) => [from, to])]);
    return { root: ref, nodes: nodes.filter((one) => told.has(one.ref)), edges: page, cut: [], ways: null, unknownCalls: 0, nextCursor: null };
  });
};

const isOf = (ref: string, from: string, bundle: Bundle): boolean =>
  leadsBack({ kind: bundle.kind, end: from === ref ? 'out' : 'in' }) === leadsBack(bundle);
