import { SHAPES, START_OF_ANY, looksRandom, namesSecret, type Shape } from './secret-shapes.ts';

export type Masked = { readonly text: string; readonly masked: number };

/** The text with every known secret replaced by its kind and, of a long one, its last four characters. Mask before cutting: half a secret has no shape. */
export const maskSecrets = (text: string): Masked => {
  if (!START_OF_ANY.test(text)) return { text, masked: 0 };
  let state: Masked = { text, masked: 0 };
  for (const shape of SHAPES) state = maskShape(state, shape);
  return state;
};

export const hasSecrets = (text: string): boolean => maskSecrets(text).masked > 0;

/**
 * A JSON tree with its strings masked, keys included; whatever holds no secret is the same object as before.
 * A string under a key that names a secret is judged as if it were assigned to it.
 */
export const maskJson = (value: unknown): unknown => {
  if (!isTree(value)) return maskLeaf('', value);
  const open: Frame[] = [frameOf(value)];
  for (;;) {
    const frame = open.at(-1);
    if (frame === undefined) return value;
    const at = frame.values.length;
    if (at < frame.children.length) {
      const child = frame.children[at];
      if (isTree(child)) open.push(frameOf(child));
      else give(frame, child, maskLeaf(frame.keys?.[at] ?? '', child));
      continue;
    }
    const done = close(frame);
    open.pop();
    const parent = open.at(-1);
    if (parent === undefined) return done;
    give(parent, frame.source, done);
  }
};

type Tree = Readonly<Record<string, unknown>> | readonly unknown[];

type Frame = {
  readonly source: Tree;
  /** Null in an array. */
  readonly keys: readonly string[] | null;
  readonly children: readonly unknown[];
  readonly values: unknown[];
  changed: boolean;
};

const maskShape = ({ text, masked }: Masked, shape: Shape): Masked => {
  const parts: string[] = [];
  let copied = 0;
  shape.start.lastIndex = 0;
  for (let match = shape.start.exec(text); match !== null; match = shape.start.exec(text)) {
    const end = match.index + match[0].length;
    const { from, to, secret } = shape.span(text, match.index, end);
    // Past what can hold no other: nothing is walked over again and again, so a hostile text costs no more than its length.
    shape.start.lastIndex = Math.max(to, match.index + 1);
    if (!secret) continue;
    parts.push(text.slice(copied, from), stamp(shape.kind, text.slice(from, to)));
    copied = to;
  }
  return parts.length === 0 ? { text, masked } : { text: parts.join('') + text.slice(copied), masked: masked + parts.length / 2 };
};

// Of a short secret four characters would be too much of it, of a key block they would say nothing.
const TAIL_FROM = 20;

const stamp = (kind: string, secret: string): string => {
  const tail = secret.slice(-4);
  return secret.length >= TAIL_FROM && kind !== 'private-key' && /^[\w+/=-]{4}$/u.test(tail) ? `[masked ${kind} …${tail}]` : `[masked ${kind}]`;
};

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null;

const frameOf = (source: Tree): Frame => {
  const keys = Array.isArray(source) ? null : Object.keys(source);
  return { source, keys, children: keys === null ? (source as readonly unknown[]) : Object.values(source), values: [], changed: false };
};

const give = (frame: Frame, before: unknown, after: unknown): void => {
  frame.values.push(after);
  if (after !== before) frame.changed = true;
};

const close = ({ source, keys, values, changed }: Frame): Tree => {
  if (keys === null) return changed ? values : source;
  const shown = keys.map((key) => maskSecrets(key).text);
  if (!changed && shown.every((key, i) => key === keys[i])) return source;
  const taken = new Map<string, number>();
  // fromEntries defines where an assignment to `__proto__` would set the prototype.
  return Object.fromEntries(values.map((value, i) => [unused(shown[i] ?? '', taken), value]));
};

/** Two secrets may end alike; the second must not take the place of the first. `taken` has how often each was wanted: nobody counts from the start again. */
const unused = (key: string, taken: Map<string, number>): string => {
  let name = key;
  let n = taken.get(key) ?? 0;
  for (; taken.has(name); n += 1) name = `${key} (${n + 1})`;
  taken.set(key, Math.max(n, 1));
  if (name !== key) taken.set(name, 1);
  return name;
};

const maskLeaf = (key: string, value: unknown): unknown => {
  if (typeof value !== 'string') return value;
  // Judged behind its header's name, where "Basic …" is no prose.
  const before = /authorization$/iu.test(key) ? 'authorization: ' : '';
  const { text, masked } = maskSecrets(before + value);
  return masked === 0 && namesSecret(key) && looksRandom(value) ? stamp('secret', value) : text.slice(before.length);
};
