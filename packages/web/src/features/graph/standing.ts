import type { Picture } from './picture.ts';
import type { Tick } from './session-tree.ts';

/** Which cards are below which, and which beside. Every card except the tops is in exactly one list. */
export type Standing = {
  readonly tops: readonly number[];
  readonly below: readonly (readonly number[])[];
  readonly beside: readonly (readonly number[])[];
  readonly isBeside: Uint8Array;
};

/**
 * Sub-agents go beside their call. So do chains of one or two cards that end while another path continues: parallel results, progress, a folded
 * branch.
 */
export const standingOf = ({ items, lines }: Picture, tick: Tick): Standing => {
  const below: number[][] = items.map(() => []);
  const beside: number[][] = items.map(() => []);
  const isBeside = new Uint8Array(items.length);
  const hasParent = new Uint8Array(items.length);
  const size = new Int32Array(items.length).fill(1);
  const isActive = new Set<number>();
  // A card comes after its parent in the outline, so going backwards visits children before their parents.
  const inOrder = lines.toSorted((a, b) => b.to - a.to);
  for (const { from, to, kind, isActive: isOnPath } of inOrder) {
    tick();
    hasParent[to] = 1;
    size[from] = (size[from] ?? 0) + (size[to] ?? 0);
    if (isOnPath) isActive.add(to);
    (kind === 'call' ? beside : below)[from]?.push(to);
    if (kind === 'call') isBeside[to] = 1;
  }
  below.forEach((downs, card) => {
    downs.reverse();
    beside[card]?.reverse();
    if (downs.length < 2) return;
    const next = downs.reduce((best, one) => (isActive.has(one) || (!isActive.has(best) && (size[one] ?? 0) > (size[best] ?? 0)) ? one : best));
    const isShort = (one: number): boolean => one !== next && isShortChain(one, below, beside);
    const aside = downs.filter(isShort);
    if (aside.length === 0) return;
    below[card] = downs.filter((one) => !isShort(one));
    for (const one of aside) {
      tick();
      isBeside[one] = 1;
      // The rest of a short chain goes beside each card in turn: one row from left to right.
      for (let at = one, after = below[at]?.[0]; after !== undefined; at = after, after = below[at]?.[0]) {
        isBeside[after] = 1;
        beside[at]?.push(after);
        below[at] = [];
      }
    }
    beside[card]?.unshift(...aside);
  });
  // Sub-agents without a known call have no place of their own: they go beside the beginning.
  const tops = items.flatMap(({ isCard }, i) => (isCard && hasParent[i] === 0 ? [i] : []));
  const [first = -1, ...others] = tops.filter((i) => items[i]?.kind !== 'agent');
  if (first < 0) return { tops, below, beside, isBeside };
  for (const top of tops) if (items[top]?.kind === 'agent') beside[first]?.push(top);
  return { tops: [first, ...others], below, beside, isBeside };
};

const isShortChain = (from: number, below: readonly (readonly number[])[], beside: readonly (readonly number[])[]): boolean => {
  let length = 1;
  for (let at: number | undefined = from; at !== undefined; at = below[at]?.[0]) {
    if (length > SHORT || (below[at]?.length ?? 0) > 1 || (beside[at]?.length ?? 0) > 0) return false;
    length += 1;
  }
  return true;
};

const SHORT = 2;
