import { isComingUp, maskJson, maskSecrets, rowsOf, type Board, type Gold, type Recorded, type Surfacing } from '@yarnboard/domain';

/** A waypoint whose symptoms a text shows, and the matching words. */
export type GoldMatch = Surfacing & { readonly words: readonly string[] };

/** Finds the waypoints whose symptoms a text shows. */
export type TriggerIndex = {
  readonly add: (gold: Gold) => void;
  readonly remove: (id: string) => void;
  readonly match: (text: string) => readonly GoldMatch[];
};

/**
 * ENGINE-9: an index of exactly the waypoints that stand and don't rest. GOLD-12: it follows their answers. SEC-26: a secret, in a waypoint or in a
 * text, matches nothing.
 */
export type Surfacings = {
  readonly match: TriggerIndex['match'];
  readonly follow: (board: Board, event: Recorded) => void;
};

export const createSurfacings = (index: TriggerIndex, board: Board): Surfacings => {
  const added = new Set<string>();
  const place = (gold: Gold | undefined): void => {
    if (gold === undefined || isComingUp(gold) === added.has(gold.id)) return;
    if (added.delete(gold.id)) return index.remove(gold.id);
    added.add(gold.id);
    index.add(maskJson(gold) as Gold); // same shape, other texts
  };
  const again = (gold: Gold | undefined): void => {
    if (gold !== undefined && added.delete(gold.id)) index.remove(gold.id);
    place(gold);
  };
  for (const gold of rowsOf(board.golds)) place(gold);
  return {
    // Most boards have none, and every message is checked.
    match: (text) => (added.size === 0 ? [] : index.match(maskSecrets(text).text)),
    follow: (now, event) => {
      if (event.type === 'gold.created') place(now.golds.get(event.uuid));
      else if (event.type === 'gold.answered') again(now.golds.get(event.payload.gold));
      else if (event.type === 'gold.validated' || event.type === 'gold.superseded') place(now.golds.get(event.payload.gold));
    },
  };
};

export const emptyIndex = (): TriggerIndex => ({ add: () => {}, remove: () => {}, match: () => [] });
