import { useStore } from '@xyflow/react';
import { useMemo } from 'react';
import { surroundingsOf, type Ends, type Size, type Standing } from './surroundings.ts';

export type NearParts<I, L, N, E> = {
  readonly items: readonly I[];
  readonly lines: readonly L[];
  readonly card: Size;
  readonly nodeOf: (item: I) => N;
  readonly edgeOf: (items: readonly I[], line: L) => E;
};

/** Passes on only what is near the viewport: panning costs as much as one screenful, no matter how large the graph is. */
export const useNear = <I extends Standing, L extends Ends, N, E>({
  items,
  lines,
  card,
  nodeOf,
  edgeOf,
}: NearParts<I, L, N, E>): { readonly nodes: N[]; readonly edges: E[] } => {
  const find = useMemo(() => surroundingsOf(items, lines, card), [items, lines, card]);
  // Cards that stay keep their identity, so they do not re-render.
  const made = useMemo(() => ({ nodes: new Map<number, N>(), edges: new Map<number, E>(), of: items }), [items]);
  const tile = useStore(({ transform: [x, y, zoom], width, height }) => {
    const scale = 2 ** Math.ceil(Math.log2(1 / zoom));
    const [wide, high] = [Math.max(1, width) * scale, Math.max(1, height) * scale];
    return `${Math.floor(-x / zoom / wide)} ${Math.floor(-y / zoom / high)} ${wide} ${high}`;
  });
  return useMemo(() => {
    const [column = 0, row = 0, wide = 1, high = 1] = tile.split(' ').map(Number);
    const near = find({ left: (column - 0.5) * wide, top: (row - 0.5) * high, right: (column + 2.5) * wide, bottom: (row + 2.5) * high });
    return {
      nodes: near.cards.flatMap((i) => known(made.nodes, i, () => (items[i] === undefined ? undefined : nodeOf(items[i])))),
      edges: near.lines.flatMap((n) => known(made.edges, n, () => (lines[n] === undefined ? undefined : edgeOf(items, lines[n])))),
    };
  }, [find, made, tile, items, lines, nodeOf, edgeOf]);
};

const known = <T>(all: Map<number, T>, index: number, make: () => T | undefined): readonly T[] => {
  const there = all.get(index) ?? make();
  if (there === undefined) return [];
  all.set(index, there);
  return [there];
};

/** How much larger text is on a large screen; cards are zoomed in by the same factor. */
export const unit = (): number => (Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16) / 16;

/** Duration of a viewport animation, in milliseconds. */
export const pace = (): number => (matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 250);
