import type { SeatTurns } from './live-seat.ts';

/** RT-61: how many turns go on at once on this machine. Who waits is served by rank, then in order. */
export type TurnPlaces = {
  /** The side of one seat. The rank is asked for when somebody is served: the lowest goes first. */
  readonly of: (key: string, rank: () => number) => SeatTurns;
};

export const createTurnPlaces = (most: number): TurnPlaces => {
  const held = new Set<string>();
  /** Those who wait for a permission: somebody has to answer it first. */
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
