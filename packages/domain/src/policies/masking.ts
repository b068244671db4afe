import { privateKey } from './private-key.ts';
import { isSecretOf, namesSecret } from './secret-places.ts';
import { shapesIn } from './secret-shapes.ts';
import { spansOf, type Found } from './shape.ts';

/**
 * The version of the rules. It is raised whenever other texts are masked than before: anything derived from masked texts, such as the search index,
 * is then rebuilt (SEC-24).
 */
export const MASKING_RULES = 4;

export type Masked = { readonly text: string; readonly masked: number };

/**
 * The text with every known secret replaced by its kind and, if it is long, its last four characters. Mask before cutting: half a secret is
 * unrecognizable.
 */
export const maskSecrets = (text: string): Masked => {
  if (text.length < SHORTEST) return { text, masked: 0 };
  const asWritten = maskPlain(text);
  // SEC-38: JSON as a text, of a call say, has its lines behind one another. What only shows where a line begins or ends is looked for in lines.
  const plain = ESCAPED_BREAK.test(asWritten.text) ? maskPlain(asWritten.text, inLines(asWritten.text), asWritten.masked) : asWritten;
  // SEC-31: what only shows without characters that nobody sees is shown without them.
  const bare = UNSEEN.test(text) ? maskedAs(plain, plain.text.replaceAll(EVERY_UNSEEN, '')) : plain;
  // SEC-37: likewise, a secret that only shows with its escapes decoded, as in JSON inside JSON.
  return text.includes('\\u00') ? maskedAs(bare, unescaped(bare.text)) : bare;
};

/** The rewritten text if that reveals a secret; otherwise the original. */
const maskedAs = (before: Masked, text: string): Masked => {
  const { text: shown, masked } = maskPlain(text);
  return masked === 0 ? before : { text: shown, masked: before.masked + masked };
};

const unescaped = (text: string): string =>
  text.replaceAll(/\\{1,16}u00([2-7][0-9a-f])/giu, (_, digits: string) => String.fromCodePoint(Number.parseInt(digits, 16)));

/** The shortest password in an address, with its surroundings. Most strings of a record are shorter. */
const SHORTEST = 7;

/** Line ends and tabs that are written as escapes, as line ends; as long as before, so that everything stands where it stood. */
const inLines = (text: string): string => text.replaceAll(ESCAPED_BREAKS, (escape) => '\n'.repeat(escape.length));
const ESCAPED_BREAKS = /\\{1,16}[nrt]/gu;
const ESCAPED_BREAK = new RegExp(ESCAPED_BREAKS.source, 'u');

/**
 * SEC-6: what stood within a secret of one shape may be one of another as soon as that is masked. `read` is what the shapes are looked for in, where that is
 * not the text itself; it is as long.
 */
const maskPlain = (text: string, read = text, masked = 0): Masked => {
  let state: Masked = { text, masked };
  let seen: Masked = { text: read, masked };
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const before = state.masked;
    let sightings = shapesIn(seen.text);
    for (let next = 0, sighting = sightings[next]; sighting !== undefined; sighting = sightings[next]) {
      const spans = spansOf(seen.text, sighting);
      next += 1;
      if (spans.length === 0) continue;
      const isSame = read === text;
      // The same masks in both: they say what stands in the text.
      const stamps = spans.map(({ from, to, kind }) => stamp(kind, state.text.slice(from, to)));
      state = maskSpans(state, spans, stamps);
      seen = isSame ? state : maskSpans(seen, spans, stamps);
      // Everything behind a mask stands elsewhere now.
      const { order } = sighting;
      sightings = shapesIn(seen.text).filter((one) => one.order > order);
      next = 0;
    }
    if (state.masked === before) return state;
  }
  return state;
};
const MOST_ROUNDS = 8;

/** Zero width: joiners, direction marks, soft hyphens, the byte order mark. */
const EVERY_UNSEEN = /[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/gu;
// Without the flag: none of them is half of a character, and every string is tested.
const UNSEEN = new RegExp(EVERY_UNSEEN.source);

/** The masks in a text. Treating such a text as the original loses what they hide. */
export const masksIn = (text: string): readonly string[] => text.match(EVERY_MASK) ?? [];
const EVERY_MASK = /\[masked [\w-]+(?: …[\w+/=-]{4})?\]/gu;

export const hasSecrets = (text: string): boolean => maskSecrets(text).masked > 0;

/** SEC-26: a text as everybody sees it. Filters compare this: a right guess then fits no better than a wrong one, and a mask fits what it stands for. */
export const shownText = (text: string): string => maskSecrets(text).text;

/**
 * Masks the strings of a JSON tree, including keys; anything without a secret stays the same object. A Map is masked like an object. A string under a
 * key that names a secret is judged as if it were assigned to it.
 */
export const maskJson = (value: unknown): unknown => {
  const steps = maskingJson(value, Number.POSITIVE_INFINITY);
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
};

/** One text of such a tree, masked as it is there: under its key, or '' in a list; null if it is a key itself. */
export const maskUnder = (key: string | null, text: string): string => (key === null ? keyOf(text).shown : maskText(keyOf(key), text));

/** Trees that are shown again and again, each with how it is shown once it has been masked. */
export type Lasting = WeakMap<object, { shown?: unknown }>;

/** The same in steps: yields after every `most` characters, so that the caller can serve others. What is in `lasting` is masked once. */
export function* maskingJson(value: unknown, most: number, lasting: Lasting = NONE_LASTING): Generator<undefined, unknown, undefined> {
  if (!isTree(value)) return maskLeaf(keyOf(''), value);
  const open: Frame[] = [frameOf(value)];
  for (let seen = 0; ;) {
    const frame = open.at(-1);
    if (frame === undefined) return value;
    const { at } = frame;
    if (at < frame.children.length) {
      const child = frame.children[at];
      if (isTree(child)) {
        const known = lasting.get(child)?.shown;
        if (known === undefined) open.push(frameOf(child));
        else give(frame, child, known);
      } else give(frame, child, maskLeaf(keyOf(frame.keys?.[at] ?? ''), child));
      // A number costs something as well.
      seen += typeof child === 'string' ? child.length + LEAST_COST : LEAST_COST;
      if (seen < most) continue;
      seen = 0;
      yield;
      continue;
    }
    const done = close(frame);
    const kept = lasting.get(frame.source);
    if (kept !== undefined) kept.shown = done;
    open.pop();
    const parent = open.at(-1);
    if (parent === undefined) return done;
    give(parent, frame.source, done);
  }
}

const LEAST_COST = 16;
const NONE_LASTING: Lasting = new WeakMap();

/** A key's own masking, and what it says about its value. */
type Key = { readonly name: string; readonly shown: string; readonly isHeader: boolean; readonly isSecret: boolean };

const keyFrom = (name: string): Key => ({
  name,
  shown: maskSecrets(name).text,
  isHeader: /authorization$/iu.test(name),
  isSecret: namesSecret(name),
});

/** All records share the same few keys, and checking each again took longer than masking their texts. Where keys are data, each differs. */
const KEYS = new Map<string, Key>();
const MOST_KEYS = 1000;
const LONGEST_KEY = 64;

const keyOf = (name: string): Key => {
  const before = KEYS.get(name);
  if (before !== undefined) return before;
  const key = keyFrom(name);
  if (name.length > LONGEST_KEY) return key;
  if (KEYS.size >= MOST_KEYS) KEYS.clear();
  KEYS.set(name, key);
  return key;
};

type Tree = Readonly<Record<string, unknown>> | readonly unknown[];

type Names = ReadonlyMap<unknown, unknown>;

type Frame = {
  readonly source: Tree | Names;
  /** Null in an array. */
  readonly keys: readonly string[] | null;
  readonly children: readonly unknown[];
  /** How many of them are done. */
  at: number;
  /** Their new values; null as long as all are unchanged, which is nearly always. */
  values: unknown[] | null;
};

const maskSpans = ({ text, masked }: Masked, spans: readonly Found[], stamps: readonly string[]): Masked => {
  const parts: string[] = [];
  let copied = 0;
  for (const [at, { from, to }] of spans.entries()) {
    parts.push(text.slice(copied, from), stamps[at] ?? '');
    copied = to;
  }
  parts.push(text.slice(copied));
  return { text: parts.join(''), masked: masked + spans.length };
};

// Four characters would reveal too much of a short secret, and say nothing about a key block.
const TAIL_FROM = 20;

const stamp = (kind: string, secret: string): string => {
  const tail = secret.slice(-4);
  return secret.length >= TAIL_FROM && kind !== 'private-key' && /^[\w+/=-]{4}$/u.test(tail) ? `[masked ${kind} …${tail}]` : `[masked ${kind}]`;
};

const isTree = (value: unknown): value is Tree | Names => typeof value === 'object' && value !== null;

const frameOf = (source: Tree | Names): Frame => {
  if (isNames(source)) return { source, keys: [...source.keys()].map(String), children: [...source.values()], at: 0, values: null };
  if (!isList(source)) return { source, keys: Object.keys(source), children: Object.values(source), at: 0, values: null };
  const children = withoutKeys(source);
  return { source, keys: null, children, at: 0, values: children === source ? null : [] };
};

const isNames = (tree: Tree | Names): tree is Names => tree instanceof Map;

const isList = (tree: Tree): tree is readonly unknown[] => Array.isArray(tree);

/** SEC-3: a list of texts may be the lines of one text, such as a patch. No single line looks like part of a private key. */
const withoutKeys = (list: readonly unknown[]): readonly unknown[] => {
  if (!list.every((one) => typeof one === 'string') || !list.some((one) => one.includes('PRIVATE KEY'))) return list;
  const text = list.join('\n');
  const sighting = shapesIn(text).find(({ shape }) => shape === privateKey);
  const spans = sighting === undefined ? [] : spansOf(text, sighting);
  if (spans.length === 0) return list;
  let at = 0;
  let next = 0;
  return list.map((line) => {
    const from = at;
    at += line.length + 1;
    let masked = '';
    let copied = 0;
    for (let span = spans[next]; span !== undefined && span.from < from + line.length; span = spans[next]) {
      masked += line.slice(copied, Math.max(copied, span.from - from)) + stamp(privateKey.kind, '');
      copied = Math.min(line.length, span.to - from);
      if (span.to > from + line.length) break; // it continues in the next line
      next += 1;
    }
    return copied === 0 ? line : masked + line.slice(copied);
  });
};

const give = (frame: Frame, before: unknown, after: unknown): void => {
  if (frame.values !== null) frame.values.push(after);
  else if (after !== before) frame.values = [...frame.children.slice(0, frame.at), after];
  frame.at += 1;
};

const close = ({ source, keys, children, values }: Frame): Tree | Names => {
  if (keys === null) return values ?? source;
  if (values === null && keys.every((key) => keyOf(key).shown === key)) return source;
  const taken = new Map<string, number>();
  const entries = (values ?? children).map((value, i) => [unused(keyOf(keys[i] ?? '').shown, taken), value] as const);
  // fromEntries defines a property where an assignment to `__proto__` would set the prototype.
  return isNames(source) ? new Map(entries) : Object.fromEntries(entries);
};

/**
 * Two secrets may have the same ending; the second must not replace the first. `taken` counts the uses, so that nobody counts from the start again.
 */
const unused = (key: string, taken: Map<string, number>): string => {
  let name = key;
  let n = taken.get(key) ?? 0;
  for (; taken.has(name); n += 1) name = `${key} (${n + 1})`;
  taken.set(key, Math.max(n, 1));
  if (name !== key) taken.set(name, 1);
  return name;
};

const maskLeaf = (key: Key, value: unknown): unknown => (typeof value === 'string' ? maskText(key, value) : value);

const maskText = ({ name, isHeader, isSecret }: Key, value: string): string => {
  // Judged after its header's name, where "Basic …" isn't prose.
  const before = isHeader ? 'authorization: ' : '';
  const { text, masked } = maskSecrets(before + value);
  return masked === 0 && isSecret && isSecretOf(name, value) ? stamp('secret', value) : text.slice(before.length);
};
