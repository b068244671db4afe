import { createHash } from 'node:crypto';
import { jsonText } from '@yarnboard/transcript';

/** Where an answer was cut: the path to the part, as indexes from the top, and the character, item or field from which on. */
export type Place = { readonly path: readonly number[]; readonly from: number };

export type Cut = Place & { readonly left: number; readonly of: 'characters' | 'characters of JSON' | 'items' | 'fields' };

export type Fitted = { readonly value: unknown; readonly cuts: readonly Cut[] };

export type FitOptions = {
  /** The maximum size of its JSON in bytes. */
  readonly most: number;
  /** One thing was requested: its texts are shown as far as there is room. */
  readonly isOne?: boolean;
  /** Its lists belong together: they are shown as far as there is room. */
  readonly isWhole?: boolean;
  /** Whether the reader can request the rest. */
  readonly canContinue?: boolean;
};

/** MCP-15: an answer that fits a small context. Omitted parts are marked in place, with a cursor to continue at. */
export const fit = (answer: unknown, options: FitOptions): Fitted => fitAt(answer, { path: [], from: 0 }, options);

/** MCP-16: what was omitted at a place, as far as it fits. */
export const fitRest = (answer: unknown, place: Place, options: FitOptions): Fitted => {
  const node = nodeAt(answer, place.path);
  const text = textOf(node, place.path);
  if (text === null) {
    const fitted = fitAt(node, place, { ...options, most: options.most - ROOM_FOR_NAME });
    return { ...fitted, value: Array.isArray(node) ? { items: fitted.value } : { fields: fitted.value } };
  }
  const end = endOfPage(text, place.from, options.most);
  const key = typeof node === 'string' ? 'text' : 'json';
  if (end === text.length) return { value: { [key]: text.slice(place.from) }, cuts: [] };
  const cut: Cut = { path: place.path, from: end, left: text.length - end, of: key === 'text' ? 'characters' : 'characters of JSON' };
  return { value: { [key]: `${text.slice(place.from, end)}${markOf(node, cut, options)}` }, cuts: [cut] };
};

/** A place as text, with a stamp of what was shown before it, which reveals whether the answer has changed. */
export const placeText = (answer: unknown, place: Place): string => placeOf(nodeAt(answer, place.path), place);

/** The place that a cursor means in an answer; null if the answer has changed, `undefined` if it isn't a place. */
export const placeIn = (answer: unknown, told: string): Place | null | undefined => {
  const [, steps, from, stamp] = /^(\d{1,9}(?:\.\d{1,9})*)?:(\d{1,9})~([\w-]{6})$/u.exec(told.trim()) ?? [];
  if (from === undefined) return undefined;
  const place = { path: (steps ?? '').split('.').filter(Boolean).map(Number), from: Number(from) };
  const node = nodeAt(answer, place.path);
  const length = lengthOf(node, place.path);
  return length !== null && place.from < length && stampOf(node, place.path, place.from) === stamp ? place : null;
};

type Level = { readonly items: number; readonly fields: number; readonly text: number; readonly depth: number };

/** Tried in turn until the answer fits. The last one always does: it shows one item per list and omits what is inside. */
const LEVELS: readonly Level[] = [
  { items: 20, fields: 100, text: 300, depth: 12 },
  { items: 14, fields: 80, text: 300, depth: 10 },
  { items: 10, fields: 60, text: 300, depth: 8 },
  { items: 7, fields: 50, text: 250, depth: 7 },
  { items: 5, fields: 40, text: 200, depth: 6 },
  { items: 3, fields: 20, text: 100, depth: 4 },
  { items: 1, fields: 5, text: 100, depth: 3 },
  { items: 1, fields: 1, text: 60, depth: 1 },
];

const ONE: readonly Level[] = [
  { items: 20, fields: 100, text: 16_000, depth: 12 },
  { items: 20, fields: 100, text: 4000, depth: 12 },
  { items: 20, fields: 100, text: 1000, depth: 12 },
];

const WHOLE: readonly Level[] = [
  { items: 120, fields: 100, text: 160, depth: 12 },
  { items: 60, fields: 100, text: 120, depth: 12 },
];

const fitAt = (node: unknown, place: Place, options: FitOptions): Fitted => {
  const levels = options.isOne === true ? [...ONE, ...LEVELS] : options.isWhole === true ? [...WHOLE, ...LEVELS] : LEVELS;
  const isShort = (cursor: unknown): boolean => typeof cursor === 'string' && bytesOf(cursor) <= options.most / 3;
  let fitted: Fitted = { value: null, cuts: [] };
  for (const level of levels) {
    const cuts: Cut[] = [];
    const cut: Scissors['cut'] = (from, one) => {
      cuts.push(one);
      return markOf(from, one, options);
    };
    fitted = { value: shape(node, place.path, place.from, 0, level, { cut, isShort }), cuts };
    if (bytesOf(fitted.value) <= options.most) break;
  }
  return fitted;
};

type Scissors = {
  /** Records an omission, and returns the mark that replaces it. */
  readonly cut: (from: unknown, cut: Cut) => string;
  /** A page's cursor must be returned unchanged, if there is room for it. */
  readonly isShort: (cursor: unknown) => boolean;
};

/** No deeper than its level allows, since it recurses. */
const shape = (node: unknown, path: readonly number[], from: number, depth: number, level: Level, { cut, isShort }: Scissors): unknown => {
  const text = textOf(node, path);
  if (text !== null) {
    // Parts shown as JSON may be nested deeper than readers can follow.
    const most = typeof node === 'string' ? level.text : Math.min(level.text, SHORT);
    if (text.length <= most) return node;
    const end = wholeUpTo(text, most);
    const of = typeof node === 'string' ? 'characters' : 'characters of JSON';
    return `${text.slice(0, end)}${cut(node, { path, from: end, left: text.length - end, of })}`;
  }
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node);
  const of = Array.isArray(node) ? 'items' : 'fields';
  if (entries.length === 0) return node;
  if (depth === level.depth) return cut(node, { path, from: 0, left: entries.length, of }).trimStart();
  const end = from + level[of];
  const shown = entries.slice(from, end).map(([key, inner], i): [string, unknown] => {
    if (path.length === 0 && key === 'next_cursor' && isShort(inner)) return [key, inner];
    const innerDepth = FOLDED.has(key) ? level.depth : depth + 1;
    return [key, shape(inner, [...path, from + i], 0, innerDepth, level, { cut, isShort })];
  });
  const more = end < entries.length ? [cut(node, { path, from: end, left: entries.length - end, of }).trimStart()] : [];
  return Array.isArray(node)
    ? [...shown.map(([, inner]) => inner), ...more]
    : Object.fromEntries([...shown, ...more.map((mark): [string, unknown] => [MORE_FIELDS, mark])]);
};

/** Fields that repeat their neighbours in recorded form: shown on request. */
const FOLDED: ReadonlySet<string> = new Set(['message_data']);

/** The name that stands for an object's other fields. */
const MORE_FIELDS = '…';

const markOf = (node: unknown, cut: Cut, { canContinue = true }: FitOptions): string =>
  ` … [+${cut.left} ${cut.of}${canContinue ? `: continue at ${placeOf(node, cut)}` : ''}]`;

const placeOf = (node: unknown, { path, from }: Place): string => `${path.join('.')}:${from}~${stampOf(node, path, from)}`;

/** What is shown as text: a text, or as JSON anything too deep for places or with very long names. */
const textOf = (node: unknown, path: readonly number[]): string | null => {
  if (typeof node === 'string') return node;
  if (typeof node !== 'object' || node === null) return null;
  const isOpaque =
    path.length >= DEEPEST || (!Array.isArray(node) && Object.keys(node).some((key) => key.length > LONGEST_NAME || key === MORE_FIELDS));
  return isOpaque ? jsonText(node) : null;
};

const SHORT = 300;
const DEEPEST = 40;
const LONGEST_NAME = 200;

const lengthOf = (node: unknown, path: readonly number[]): number | null => {
  const text = textOf(node, path);
  if (text !== null) return text.length;
  return typeof node === 'object' && node !== null ? Object.keys(node).length : null;
};

const nodeAt = (answer: unknown, path: readonly number[]): unknown =>
  path.reduce<unknown>(
    (node, ordinal) => (typeof node === 'object' && node !== null ? (Object.values(node) as readonly unknown[])[ordinal] : undefined),
    answer,
  );

/** The last item shown before the place, or the first one there. A list may grow at its end while it is being read. */
const stampOf = (node: unknown, path: readonly number[], from: number): string => {
  const text = textOf(node, path);
  const [begin, end] = from === 0 ? [0, 1] : [from - 1, from];
  const beside = text === null ? sketchOf(Object.entries(node ?? {}).slice(begin, end), 3) : text.slice(Math.max(0, from - SHORT), from);
  return createHash('sha256').update(JSON.stringify(beside)).digest('base64url').slice(0, 6);
};

/** Enough of a value to distinguish it from others, whatever its size. */
const sketchOf = (node: unknown, depth: number): unknown => {
  if (typeof node === 'string') return node.slice(0, SHORT);
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node);
  return depth === 0 ? entries.length : entries.slice(0, 20).map(([key, value]) => [key.slice(0, SHORT), sketchOf(value, depth - 1)]);
};

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

const endOfPage = (text: string, from: number, most: number): number => {
  const room = most - ROOM_FOR_MARK;
  let length = Math.min(text.length - from, room);
  while (bytesOf(text.slice(from, from + length)) > room) length = Math.floor(length / 2);
  return from + length === text.length ? text.length : wholeUpTo(text, from + length);
};

const ROOM_FOR_MARK = 500;
const ROOM_FOR_NAME = 20;

/** Never cuts a character in half. */
const wholeUpTo = (text: string, end: number): number => (/[\uD800-\uDBFF]/u.test(text.charAt(end - 1)) && end > 1 ? end - 1 : end);
