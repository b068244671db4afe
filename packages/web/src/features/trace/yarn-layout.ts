/** A card to be pinned. */
export type LooseCard = {
  readonly id: string;
  /** Milliseconds; null for something without a time of its own, which hangs next to what it was unfolded from. */
  readonly at: number | null;
  /** The card it was unfolded from; null for the one the board is about. */
  readonly from: string | null;
  /** The side to hang it on if time does not decide. */
  readonly side: 'before' | 'after';
};

/** Columns follow time; the card the board is about is in column 0 and row 0. */
export type Cell = { readonly column: number; readonly row: number };
export type Pinned = ReadonlyMap<string, Cell>;
export type Spot = { readonly x: number; readonly y: number };

export const YARN_CARD = { width: 264, height: 128 } as const;

/**
 * PAGE-231: pins new cards among those already there. A pinned card stays where it is, an earlier card is never to the right of a later one, and no
 * two cards share a cell. `moved` holds the cards the user has moved: nothing is pinned under them.
 */
export const pinCards = (before: Pinned, cards: readonly LooseCard[], moved: ReadonlyMap<string, Spot> = new Map()): Pinned => {
  const pinned = new Map<string, Cell>();
  const columns = createColumns();
  for (const spot of moved.values()) columns.block(spot);
  for (const { id, at } of cards) {
    const cell = before.get(id);
    if (cell === undefined) continue;
    pinned.set(id, cell);
    columns.take(cell, at);
  }
  const root = cards.find(({ from }) => from === null);
  const times = new Map(cards.map(({ id, at }) => [id, at]));
  const orders = new Map(cards.map(({ id }, n) => [id, n]));
  const distance = ({ at, from }: LooseCard): number => Math.abs((at ?? 0) - (times.get(from ?? '') ?? at ?? 0));
  const loose = cards.filter(({ id }) => !pinned.has(id));
  // Cards that hang on the same card are pinned outwards in time, so that the most distant ends up farthest away.
  const order = loose
    .map((card) => ({ card, parent: orders.get(card.from ?? '') ?? -1, away: distance(card), own: orders.get(card.id) ?? 0 }))
    .toSorted((a, b) => a.parent - b.parent || a.away - b.away || a.own - b.own);
  for (const { card } of order) {
    const cell = card === root ? MIDDLE : cellFor(card, { columns, pinned, times, root });
    pinned.set(card.id, cell);
    columns.take(cell, card.at);
  }
  return pinned;
};

/** The upper left corner of a cell. */
export const spotOf = ({ column, row }: Cell): Spot => ({ x: column * STEP.x, y: row * STEP.y });

type Around = {
  readonly columns: Columns;
  readonly pinned: Pinned;
  readonly times: ReadonlyMap<string, number | null>;
  readonly root: LooseCard | undefined;
};

const cellFor = (card: LooseCard, { columns, pinned, times, root }: Around): Cell => {
  const { at, from } = card;
  const parent = pinned.get(from ?? '') ?? MIDDLE;
  const parentAt = times.get(from ?? '') ?? null;
  const isBefore = at === null || parentAt === null || at === parentAt ? card.side === 'before' : at < parentAt;
  const step = isBefore ? -1 : 1;
  const { low, high } = columns.bounds(at, root?.at ?? null);
  const nearest = Math.min(high, Math.max(low, parent.column + step));
  // The middle column is reserved for the card the board is about, unless time leaves no other.
  const first = nearest === 0 && low <= step && step <= high ? step : nearest;
  for (let column = first; column >= low && column <= high && Math.abs(column - first) < MOST_COLUMNS; column += step) {
    const row = columns.freeRow(column, parent.row);
    if (Math.abs(row - parent.row) <= REACH) return { column, row };
  }
  return { column: first, row: columns.freeRow(first, parent.row) };
};

type Columns = {
  readonly take: (cell: Cell, at: number | null) => void;
  readonly block: (spot: Spot) => void;
  /** The columns that a card of this time may hang in. */
  readonly bounds: (at: number | null, rootAt: number | null) => { readonly low: number; readonly high: number };
  /** The free row in a column that is nearest to the given row. */
  readonly freeRow: (column: number, row: number) => number;
};

const createColumns = (): Columns => {
  const spans = new Map<number, { readonly first: number; readonly last: number }>();
  // For each taken row, the next one towards a free row. Lookups follow the links to their end and shorten them on the way.
  const down = new Map<number, Map<number, number>>();
  const up = new Map<number, Map<number, number>>();
  const occupy = (column: number, row: number): void => {
    mapOf(down, column).set(row, row + 1);
    mapOf(up, column).set(row, row - 1);
  };
  return {
    take: ({ column, row }, at) => {
      occupy(column, row);
      if (at === null) return;
      const span = spans.get(column);
      spans.set(column, { first: Math.min(span?.first ?? at, at), last: Math.max(span?.last ?? at, at) });
    },
    block: ({ x, y }) => {
      const [left, right] = [Math.floor(x / STEP.x), Math.floor((x + YARN_CARD.width) / STEP.x)];
      const [top, bottom] = [Math.floor(y / STEP.y), Math.floor((y + YARN_CARD.height) / STEP.y)];
      for (let column = left; column <= right; column += 1) for (let row = top; row <= bottom; row += 1) occupy(column, row);
    },
    bounds: (at, rootAt) => {
      let [low, high] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
      if (at === null) return { low, high };
      for (const [column, { first, last }] of spans) {
        if (first < at) low = Math.max(low, column);
        if (last > at) high = Math.min(high, column);
      }
      // Cards earlier than the root hang to its left, never above or below it.
      if (rootAt !== null && at < rootAt) high = Math.min(high, -1);
      if (rootAt !== null && at > rootAt) low = Math.max(low, 1);
      return { low, high };
    },
    freeRow: (column, row) => {
      const [below, above] = [endOf(mapOf(down, column), row), endOf(mapOf(up, column), row)];
      return below - row <= row - above ? below : above;
    },
  };
};

const mapOf = (all: Map<number, Map<number, number>>, column: number): Map<number, number> => {
  const known = all.get(column) ?? new Map<number, number>();
  all.set(column, known);
  return known;
};

const endOf = (steps: Map<number, number>, from: number): number => {
  let end = from;
  for (let next = steps.get(end); next !== undefined; next = steps.get(end)) end = next;
  for (let at = from; at !== end;) {
    const next = steps.get(at) ?? end;
    steps.set(at, end);
    at = next;
  }
  return end;
};

const MIDDLE: Cell = { column: 0, row: 0 };
const STEP = { x: YARN_CARD.width + 136, y: YARN_CARD.height + 32 } as const;
/** How many rows above and below a card to fill before moving on to the next column. */
const REACH = 5;
const MOST_COLUMNS = 200;
