import { hierarchy, tree, type HierarchyNode, type HierarchyPointNode } from 'd3-hierarchy';
import { standingOf, type Standing } from './standing.ts';
import type { Picture } from './picture.ts';
import { NO_TICK, type Tick } from './session-tree.ts';

export type Layout = {
  /** The upper left corner of each card; for an open item, the corner of the first card in it. */
  readonly x: Float32Array;
  readonly y: Float32Array;
  /** Whether it is to the right of its parent instead of below it. */
  readonly isBeside: Uint8Array;
  readonly width: number;
  readonly height: number;
};

export const CARD = { width: 240, height: 64 } as const;

/**
 * Time runs downwards. A continuation goes below its parent, and several continuations fan out (Buchheim, Jünger and Leipert's drawing, by
 * d3-hierarchy). Sub-agents and short dead ends go to the right, so that the path you read stays straight no matter how many there are.
 */
export const layoutOf = (picture: Picture, tick: Tick = NO_TICK): Layout => {
  const { items } = picture;
  const standing = standingOf(picture, tick);
  const { below, beside, isBeside, tops } = standing;
  const x = new Float32Array(items.length);
  const y = new Float32Array(items.length);
  // Each block is laid out separately: the main thread, and whatever is beside a card. Inner blocks come first; outer ones then position them.
  const blocks: Block[] = [{ head: -1, tops, cards: [] }];
  for (const block of blocks) {
    const stack = block.tops.toReversed();
    const add = (card: number): void => {
      for (const other of beside[card] ?? []) blocks.push({ head: other, tops: below[other] ?? [], cards: [] });
    };
    // If this head is itself beside another card, the cards beside it belong to no other block.
    if (block.head >= 0) add(block.head);
    for (let card = stack.pop(); card !== undefined; card = stack.pop()) {
      tick();
      block.cards.push(card);
      add(card);
      for (const down of (below[card] ?? []).toReversed()) stack.push(down);
    }
  }
  const sizes = new Map<number, Size>();
  const drawing = { standing, sizes, x, y, tick };
  for (const block of blocks.toReversed()) sizes.set(block.head, drawBlock(block, drawing));
  for (const { cards, head } of blocks) {
    // Every block was laid out as if its corner were the origin.
    const [left, top] = head < 0 ? [0, 0] : [x[head] ?? 0, y[head] ?? 0];
    const move = (card: number, dx: number, dy: number): void => {
      tick();
      x[card] = (x[card] ?? 0) + dx;
      y[card] = (y[card] ?? 0) + dy;
    };
    if (head >= 0) for (const other of beside[head] ?? []) move(other, left, top);
    for (const card of cards) {
      move(card, left, top);
      for (const other of beside[card] ?? []) move(other, x[card] ?? 0, y[card] ?? 0);
    }
  }
  // An open item begins at the next card.
  for (let i = items.length - 1, next = -1; i >= 0; i -= 1) {
    if (items[i]?.isCard === true) next = i;
    else if (next >= 0) {
      x[i] = x[next] ?? 0;
      y[i] = y[next] ?? 0;
    }
  }
  return { x, y, isBeside, ...(sizes.get(-1) ?? { width: 0, height: 0 }) };
};

/** A card beside another, with everything below it; -1 for the main thread, which has no such card. */
type Block = { readonly head: number; readonly tops: readonly number[]; readonly cards: number[] };
type Size = { readonly width: number; readonly height: number };
type Drawing = {
  readonly standing: Standing;
  readonly sizes: ReadonlyMap<number, Size>;
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly tick: Tick;
};

/** Positions the cards of a block relative to its corner, and the cards beside each relative to that card. */
const drawBlock = ({ head, tops, cards }: Block, drawing: Drawing): Size => {
  const { x, y, tick, standing } = drawing;
  const first = head < 0 ? { width: 0, height: 0 } : placeBeside(head, drawing);
  if (cards.length === 0) return first;
  const cells = new Map(cards.map((card) => [card, placeBeside(card, drawing)]));
  const numbers = new Map(cards.map((card, n) => [card, n]));
  const cellOf = (card: number): Size => cells.get(card) ?? CARD;
  const distance = (a: HierarchyPointNode<number>, b: HierarchyPointNode<number>): number => {
    tick();
    // d3 asks in either order. A cell is as wide as its contents, with the card at its left.
    const left = (numbers.get(a.data) ?? 0) < (numbers.get(b.data) ?? 0) ? a : b;
    return cellOf(left.data).width + GAP.across;
  };
  const placed = tree<number>().nodeSize([1, 1]).separation(distance)(linked(tops, standing.below, tick));
  const rows: number[] = [];
  let leftmost = Number.POSITIVE_INFINITY;
  placed.each(({ data, depth, x: at }) => {
    if (data < 0) return;
    rows[depth] = Math.max(rows[depth] ?? 0, cellOf(data).height);
    leftmost = Math.min(leftmost, at);
  });
  let bottom = head < 0 ? 0 : first.height + GAP.down;
  const topOf = rows.map((row) => {
    const top = bottom;
    bottom += row + GAP.down;
    return top;
  });
  const indent = head < 0 ? 0 : GAP.inside;
  let { width } = first;
  placed.each((node) => {
    tick();
    if (node.data < 0) return;
    x[node.data] = node.x - leftmost + indent;
    y[node.data] = topOf[node.depth] ?? 0;
    width = Math.max(width, node.x - leftmost + indent + cellOf(node.data).width);
  });
  return { width, height: bottom - GAP.down };
};

/** Places blocks to the right of a card: small ones stacked, tall ones in a column of their own. Returns the size that everything takes up. */
const placeBeside = (card: number, { standing, sizes, x, y }: Drawing): Size => {
  let left: number = CARD.width + GAP.aside;
  let height: number = CARD.height;
  let [top, column, row] = [0, 0, 0];
  const closeColumn = (): void => {
    if (row > 0) left += column + GAP.aside;
    [top, column, row] = [0, 0, 0];
  };
  for (const other of standing.beside[card] ?? []) {
    const size = sizes.get(other) ?? CARD;
    const isTall = size.height > CARD.height;
    if (isTall || row === MOST_IN_COLUMN) closeColumn();
    x[other] = left;
    y[other] = top;
    height = Math.max(height, top + size.height);
    column = Math.max(column, size.width);
    top += size.height + GAP.between;
    row += 1;
    if (isTall) closeColumn();
  }
  closeColumn();
  return { width: left - GAP.aside, height };
};

/** `hierarchy` measures depth by walking up from every node, which takes hours for a conversation of 100,000. */
const linked = (tops: readonly number[], below: Standing['below'], tick: Tick): HierarchyNode<number> => {
  const root = hierarchy<number>(-1);
  const order = [{ node: root, children: tops }];
  for (const { node, children } of order) {
    if (children.length === 0) continue;
    node.children = children.map((card) => {
      tick();
      const child = hierarchy(card);
      Object.assign(child, { parent: node, depth: node.depth + 1 });
      order.push({ node: child, children: below[card] ?? [] });
      return child;
    });
  }
  for (const { node } of order.toReversed()) {
    const { parent } = node;
    if (parent !== null) Object.assign(parent, { height: Math.max(parent.height, node.height + 1) });
  }
  return root;
};

const GAP = { across: 28, down: 34, aside: 28, between: 12, inside: 24 } as const;
const MOST_IN_COLUMN = 3;
