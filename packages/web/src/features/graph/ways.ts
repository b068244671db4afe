import { assertNever } from '@yarnboard/domain';
import type { Line } from './picture.ts';

export type Direction = 'up' | 'down' | 'left' | 'right';

/** The card that an arrow key leads to, by index; -1 if there is none in that direction. */
export const waysOf = (lines: readonly Line[], isBeside: (card: number) => boolean): ((from: number, direction: Direction) => number) => {
  const parentOf = new Map<number, number>();
  const below = new Map<number, number[]>();
  const beside = new Map<number, number[]>();
  const next = new Map<number, number>();
  for (const { from, to, isActive } of lines.toSorted((a, b) => a.to - b.to)) {
    parentOf.set(to, from);
    const lists = isBeside(to) ? beside : below;
    const list = lists.get(from);
    if (list === undefined) lists.set(from, [to]);
    else list.push(to);
    if (isActive && !isBeside(to)) next.set(from, to);
  }
  const neighbour = (from: number, by: 1 | -1): number => {
    const all = (isBeside(from) ? beside : below).get(parentOf.get(from) ?? -1) ?? [];
    return all[all.indexOf(from) + by] ?? -1;
  };
  const orElse = (card: number, other: () => number): number => (card >= 0 ? card : other());
  return (from, direction) => {
    const parent = parentOf.get(from) ?? -1;
    switch (direction) {
      case 'up':
        return isBeside(from) ? orElse(neighbour(from, -1), () => parent) : parent;
      case 'down':
        return orElse(next.get(from) ?? below.get(from)?.[0] ?? -1, () => (isBeside(from) ? neighbour(from, 1) : -1));
      case 'right':
        return orElse(beside.get(from)?.[0] ?? -1, () => (isBeside(from) ? -1 : neighbour(from, 1)));
      case 'left':
        return isBeside(from) ? parent : neighbour(from, -1);
      default:
        return assertNever(direction);
    }
  };
};
