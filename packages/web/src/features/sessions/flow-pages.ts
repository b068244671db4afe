import type { InsideInput, InsideOutput } from '@yarnboard/protocol';

export type Told = InsideOutput<'conversation'>;
export type Step = Told['items'][number];
export type FlowOperation = Step['operations'][number];

/** Which conversation: a session's main thread, on the branch through a record (null: the active one), or a sub-agent's. */
export type FlowAddress = { readonly sessionId: string; readonly thread: string; readonly through: string | null };

/**
 * How many rows a conversation has, and the steps of some rows that are known without loading their page.
 *
 * Every row has a place: a number that stays the same while the conversation grows, and when it turns out how many steps came earlier, so that
 * measurements of a row stay valid. Until that is known, the last row has the place `END - 1`, and one extra row stands for all earlier steps. While
 * only the surroundings of a message are known, that message has the place `MIDDLE`, with one extra row before and one after.
 */
export type FlowShape = {
  readonly isSettled: boolean;
  /** Whether the last row is the last step. */
  readonly hasEnd: boolean;
  readonly firstPlace: number;
  readonly count: number;
  readonly known: ReadonlyMap<number, Step>;
};

export const PAGE_SIZE = 50;

const END = 1_000_000_000;
const MIDDLE = END / 2;

/** Whether an answer covers only the surroundings of a message. */
export const isPart = ({ total, at }: Told): boolean => total === null && at !== null;

/** The shape that a first answer gives. */
export const shapeOf = (told: Told): FlowShape => {
  const { total, items } = told;
  if (total !== null) return { isSettled: true, hasEnd: true, firstPlace: 0, count: total, known: placed(items, 0) };
  if (!isPart(told))
    return { isSettled: false, hasEnd: true, firstPlace: END - items.length - 1, count: items.length + 1, known: placed(items, END) };
  return { isSettled: false, hasEnd: false, firstPlace: MIDDLE + (items[0]?.index ?? 0) - 1, count: items.length + 2, known: placed(items, MIDDLE) };
};

/** PAGE-12: the shape after a later answer. Rows keep their places, unless the two have no step in common. */
export const shapeWith = (shape: FlowShape | null, told: Told): FlowShape => {
  if (shape === null || told.total === null) return shape ?? shapeOf(told);
  const firstPlace = shape.isSettled ? shape.firstPlace : firstPlaceBy(shape, told.items);
  return { isSettled: true, hasEnd: true, firstPlace, count: told.total, known: placed(told.items, firstPlace) };
};

/** The place of the requested step in the shape of its answer; null if none was requested. */
export const placeOf = ({ firstPlace }: FlowShape, told: Told): number | null =>
  told.at === null ? null : (isPart(told) ? MIDDLE : firstPlace) + told.at;

/** The first row's place in a settled answer, chosen so that a step in both has the same place in both. */
const firstPlaceBy = ({ known }: FlowShape, items: readonly Step[]): number => {
  const places = new Map([...known].map(([place, { uuid }]) => [uuid, place]));
  for (const { uuid, index } of items) {
    const place = places.get(uuid);
    if (place !== undefined) return place - index;
  }
  return 0;
};

const placed = (items: readonly Step[], first: number): ReadonlyMap<number, Step> => new Map(items.map((step) => [first + step.index, step]));

export type PageItems = ReadonlyMap<number, readonly Step[]>;

/** The step of a row, from its page or else from the known steps; null while it loads. */
export const stepAt = ({ isSettled, firstPlace, known }: FlowShape, pages: PageItems, row: number): Step | null => {
  const ofPage = isSettled ? pages.get(Math.floor(row / PAGE_SIZE))?.[row % PAGE_SIZE] : undefined;
  return ofPage ?? known.get(firstPlace + row) ?? null;
};

/** The pages that cover a range of rows, plus some margin on both sides. */
export const pagesFor = ({ isSettled, count }: FlowShape, from: number, to: number): readonly number[] => {
  if (!isSettled || count === 0) return [];
  const first = Math.floor(Math.max(0, from - AHEAD) / PAGE_SIZE);
  const last = Math.floor(Math.min(count - 1, Math.max(from, to) + AHEAD) / PAGE_SIZE);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, n) => first + n);
};

const AHEAD = 12;

/** What happens to a cached page when a new end arrives. */
export type PageFate = 'kept' | 'asked-again' | { readonly items: readonly Step[] };

/** PAGE-13: updates a page from the last steps, if that is enough to avoid loading it again. */
export const pageWith = (page: number, items: readonly Step[], { total, items: tail }: Told): PageFate => {
  if (total === null) return 'kept';
  const first = page * PAGE_SIZE;
  const size = Math.max(0, Math.min(PAGE_SIZE, total - first));
  const tailStart = tail[0]?.index ?? total;
  const merged = Array.from({ length: size }, (_, n) => tail[first + n - tailStart] ?? items[n]).filter((step) => step !== undefined);
  if (merged.length < size) return 'asked-again';
  const isSame = merged.length === items.length && merged.every((step, n) => step === items[n]);
  return isSame ? 'kept' : { items: merged };
};

/** Whether the conversation took another course than the one cached: an earlier step differs, or there are fewer steps. */
export const isOtherWay = (shape: FlowShape, pages: PageItems, { total, items }: Told): boolean => {
  if (!shape.isSettled || total === null) return false;
  return total < shape.count || items.some(({ index, uuid }) => index < shape.count && isOther(stepAt(shape, pages, index), uuid));
};

const isOther = (step: Step | null, uuid: string): boolean => step !== null && step.uuid !== uuid;

/** Whether a step is shown as typed; everything else is formatted. */
export const isTyped = ({ kind, speaker }: Step): boolean => kind === 'prompt' && speaker === 'Human';

/** The texts that are shown formatted, those nearest to a row first. */
export const formattedIn = (items: readonly Step[], row: number): readonly string[] =>
  items
    .filter((step) => !isTyped(step) && step.text !== '' && !FOLDED.has(step.kind))
    .toSorted((a, b) => Math.abs(a.index - row) - Math.abs(b.index - row))
    .map(({ text }) => text);

const FOLDED: ReadonlySet<Step['kind']> = new Set(['compaction', 'resumption']);

export const hasOpenEnds = (items: readonly Step[]): boolean => items.some(({ operations }) => operations.some(({ state }) => state === 'running'));

/** The first request for a conversation: the requested step, otherwise the end, using the quick mode if possible. */
export const firstInput = (address: FlowAddress, at: string | null, isQuick = true): InsideInput<'conversation'> => ({
  ...addressInput(address),
  limit: PAGE_SIZE,
  ...(at === null ? {} : { at }),
  ...(isQuick && address.through === null ? { quick: 'true' as const } : {}),
});

export const tailInput = (address: FlowAddress): InsideInput<'conversation'> => ({ ...addressInput(address), limit: PAGE_SIZE });

export const pageInput = (address: FlowAddress, page: number): InsideInput<'conversation'> => ({
  ...addressInput(address),
  from: page * PAGE_SIZE,
  limit: PAGE_SIZE,
});

const addressInput = ({ sessionId, thread, through }: FlowAddress): InsideInput<'conversation'> => ({
  id: sessionId,
  ...(thread === 'main' ? {} : { thread }),
  ...(through === null ? {} : { through }),
});
