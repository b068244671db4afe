import { otherEnd, type Tie } from './ties.ts';
import type { Strings } from './walk.ts';

export type Way = { readonly nodes: readonly string[]; readonly ties: readonly Tie[] };

export type Ways = {
  readonly wanted: () => readonly string[];
  readonly take: (known: ReadonlyMap<string, Strings>) => void;
  readonly end: () => readonly Way[];
};

type Side = {
  frontier: readonly string[];
  /** How each thing was reached: from which thing, by which strings. Several strings between two things are one way. */
  readonly steps: Map<string, Map<string, Tie[]>>;
  readonly distance: Map<string, number>;
  depth: number;
};

/** TRACE-4: the shortest paths between two things, limited in number and length, searched from both ends; the side with less to expand goes first. */
export const startWays = (from: string, to: string, { depth, most, budget }: { depth: number; most: number; budget: number }): Ways => {
  const sides: readonly [Side, Side] = [sideAt(from), sideAt(to)];
  let meetings: readonly string[] = from === to ? [from] : [];
  let turn = 0;

  const isOver = (): boolean => {
    const [a, b] = sides;
    if (meetings.length > 0 || a.depth + b.depth >= depth || a.distance.size + b.distance.size > budget) return true;
    return a.frontier.length === 0 || b.frontier.length === 0;
  };

  const wanted = (): readonly string[] => {
    if (isOver()) return [];
    turn = sides[0].frontier.length <= sides[1].frontier.length ? 0 : 1;
    return sides[turn === 0 ? 0 : 1].frontier;
  };

  const take = (strings: ReadonlyMap<string, Strings>): void => {
    const [side, other] = turn === 0 ? sides : [sides[1], sides[0]];
    side.depth += 1;
    const next: string[] = [];
    for (const node of side.frontier) {
      for (const tie of strings.get(node)?.ties ?? []) {
        const end = otherEnd(tie, node);
        if (!side.distance.has(end)) {
          side.distance.set(end, side.depth);
          side.steps.set(end, new Map());
          next.push(end);
        }
        if (side.distance.get(end) !== side.depth) continue;
        const steps = side.steps.get(end);
        const known = steps?.get(node);
        if (known === undefined) steps?.set(node, [tie]);
        else known.push(tie);
      }
    }
    side.frontier = next;
    meetings = next.filter((node) => other.distance.has(node));
  };

  const end = (): readonly Way[] => {
    const ways: Way[] = [];
    for (const middle of meetings) {
      for (const before of pathsTo(sides[0], middle, most))
        for (const after of pathsTo(sides[1], middle, most)) {
          if (ways.length >= most) return ways;
          ways.push({ nodes: [...before.nodes, middle, ...after.nodes.toReversed()], ties: [...before.ties, ...after.ties.toReversed()] });
        }
    }
    return ways;
  };

  return { wanted, take, end };
};

const sideAt = (node: string): Side => ({ frontier: [node], steps: new Map(), distance: new Map([[node, 0]]), depth: 0 });

/** From one end to a thing it has reached, excluding that thing; in order from the end. */
const pathsTo = (side: Side, node: string, most: number): readonly Way[] => {
  let paths: readonly (Way & { readonly at: string })[] = [{ at: node, nodes: [], ties: [] }];
  for (let distance = side.distance.get(node) ?? 0; distance > 0; distance -= 1) {
    paths = paths
      .flatMap(({ at, nodes, ties }) =>
        [...(side.steps.get(at) ?? [])].map(([before, own]) => ({ at: before, nodes: [before, ...nodes], ties: [...own, ...ties] })),
      )
      .slice(0, most);
  }
  return paths;
};
