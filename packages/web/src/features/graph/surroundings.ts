export type Rectangle = { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number };

/** A card's place on the canvas; an item that is not a card has one too, but is not drawn. */
export type Standing = { readonly x: number; readonly y: number; readonly isCard: boolean };
/** A line between two items, by index. */
export type Ends = { readonly from: number; readonly to: number };
export type Size = { readonly width: number; readonly height: number };

/** What is inside a rectangle of the canvas, by index: cards, lines, and the cards those lines lead to. */
export type Surroundings = { readonly cards: readonly number[]; readonly lines: readonly number[] };

/** Built once per drawing, so that finding what is near need not look at everything. */
export const surroundingsOf = (items: readonly Standing[], lines: readonly Ends[], card: Size): ((rectangle: Rectangle) => Surroundings) => {
  const cards = sortedBy(
    items.flatMap(({ isCard }, i) => (isCard ? [i] : [])),
    (i) => items[i]?.y ?? 0,
  );
  const boxes = lines.map(({ from, to }) => boxOf(items[from], items[to], card));
  const spans = (n: number): boolean => (boxes[n]?.bottom ?? 0) - (boxes[n]?.top ?? 0) > LONG;
  const all = lines.map((_, n) => n);
  // A long line crosses areas far from both its ends. Few lines are long.
  const long = all.filter(spans);
  const short = sortedBy(
    all.filter((n) => !spans(n)),
    (n) => boxes[n]?.top ?? 0,
  );
  return (rectangle) => {
    const isMet = (n: number): boolean => meets(boxes[n], rectangle);
    const found = [...short.between(rectangle.top - LONG, rectangle.bottom), ...long].filter(isMet);
    const near = new Set(
      cards.between(rectangle.top - card.height, rectangle.bottom).filter((i) => meets(boxOf(items[i], items[i], card), rectangle)),
    );
    for (const n of found) {
      const line = lines[n];
      if (line !== undefined) near.add(line.from).add(line.to);
    }
    return { cards: [...near], lines: found };
  };
};

const boxOf = (a: Standing | undefined, b: Standing | undefined, { width, height }: Size): Rectangle | undefined =>
  a === undefined || b === undefined
    ? undefined
    : {
        left: Math.min(a.x, b.x),
        top: Math.min(a.y, b.y),
        right: Math.max(a.x, b.x) + width,
        bottom: Math.max(a.y, b.y) + height,
      };

const meets = (box: Rectangle | undefined, { left, top, right, bottom }: Rectangle): boolean =>
  box !== undefined && box.left <= right && box.right >= left && box.top <= bottom && box.bottom >= top;

const sortedBy = (indexes: readonly number[], keyOf: (index: number) => number) => {
  const sorted = indexes.toSorted((a, b) => keyOf(a) - keyOf(b));
  const keys = Float64Array.from(sorted, keyOf);
  const firstFrom = (key: number): number => {
    let [low, high] = [0, keys.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((keys[middle] ?? 0) < key) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return {
    /** The entries with a key from `low` to `high`. */
    between: (low: number, high: number): readonly number[] => {
      const from = firstFrom(low);
      let to = from;
      while (to < keys.length && (keys[to] ?? 0) <= high) to += 1;
      return sorted.slice(from, to);
    },
  };
};

const LONG = 2000;
