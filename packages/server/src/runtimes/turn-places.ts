import type { SeatTurns } from './live-seat.ts';

/** RT-61: limits the concurrent turns on this machine. Waiting seats are served by rank, then in order. */
export type TurnPlaces = {
  /** One seat's access. The rank is read when a slot becomes free; the lowest goes first. */
  readonly of: (key: string, rank: () => number) => SeatTurns;
};

export const createTurnPlaces = (most: number): TurnPlaces => {
  const held = new Set<string>();
  /** Seats waiting for a permission, whose slots others may use. */
  const away = new Set<string>();
  const waiting = new Map<string, { readonly rank: () => number; readonly onPlaced: () => void }>();

  const serve = (): void => {
    while (held.size - away.size < most) {
      const [first] = [...waiting].toSorted(([, a], [, b]) => a.rank() - b.rank());
      if (first === undefined) return;
      const [key, { onPlaced }] = first;
      waiting.delete(key);
      held.add(key);
      onPlaced();
    }
  };

  return {
    of: (key, rank) => ({
      ask: (onPlaced) => {
        waiting.set(key, { rank, onPlaced });
        serve();
      },
      leave: () => {
        waiting.delete(key);
        away.delete(key);
        if (held.delete(key)) serve();
      },
      away: (isAway) => {
        if (!held.has(key)) return;
        if (isAway) away.add(key);
        else away.delete(key);
        serve();
      },
    }),
  };
};
