/** The type of one fact of a reason: one of these kinds, or one of the listed words. */
export type FactShape = 'text' | 'text-or-null' | 'number' | 'flag' | 'texts' | 'states' | 'complaints' | readonly string[];

/** A sidebar and how it stands. */
export type StateOf = { readonly sidebar: string; readonly status: string };

/** What is wrong with one input: its name, and what was wanted instead. */
export type Complaint = {
  readonly input: string;
  readonly fault: (typeof FAULTS)[number];
  readonly wanted: readonly string[];
};

export const FAULTS = ['missing', 'unknown', 'type', 'choice', 'too-small', 'too-large', 'form', 'other'] as const;

type Kinds = {
  readonly text: string;
  readonly 'text-or-null': string | null;
  readonly number: number;
  readonly flag: boolean;
  readonly texts: readonly string[];
  readonly states: readonly StateOf[];
  readonly complaints: readonly Complaint[];
};

export type FactOf<S extends FactShape> = S extends keyof Kinds ? Kinds[S] : S extends readonly (infer Word)[] ? Word : never;

export type FactsShape = Readonly<Record<string, FactShape>>;

export type FactsOf<S extends FactsShape> = { readonly [K in keyof S]: FactOf<S[K]> };

/** A reason has one code wherever it is used, and defines the facts that come with it. */
export type ReasonShape<Code extends string> = { readonly code: Code; readonly facts: FactsShape };

/** Whether a value received over the wire has these facts. Additional ones come from a newer version and do no harm. */
export const hasFacts = (shape: FactsShape, value: unknown): boolean =>
  isRow(value) && Object.entries(shape).every(([name, fact]) => Object.hasOwn(value, name) && isFact(fact, value[name]));

const isFact = (shape: FactShape, value: unknown): boolean => {
  if (typeof shape !== 'string') return typeof value === 'string' && shape.includes(value);
  return KINDS[shape](value);
};

const isText = (value: unknown): boolean => typeof value === 'string';
const isRow = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value);
const areAll = (value: unknown, is: (one: unknown) => boolean): boolean => Array.isArray(value) && value.every(is);

const KINDS: Readonly<Record<Extract<FactShape, string>, (value: unknown) => boolean>> = {
  text: isText,
  'text-or-null': (value) => value === null || isText(value),
  number: (value) => typeof value === 'number',
  flag: (value) => typeof value === 'boolean',
  texts: (value) => areAll(value, isText),
  states: (value) => areAll(value, (one) => hasFacts({ sidebar: 'text', status: 'text' }, one)),
  complaints: (value) => areAll(value, (one) => hasFacts({ input: 'text', fault: FAULTS, wanted: 'texts' }, one)),
};
