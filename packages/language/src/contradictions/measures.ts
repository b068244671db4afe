/** What a number measures; only numbers of one measure can disagree. */
export type Measure =
  | 'time'
  | 'bytes'
  | 'percent'
  | 'factor'
  | 'rate'
  | 'interval'
  | 'count'
  | 'version'
  | 'date'
  | 'clock'
  | 'weekday'
  | 'money'
  | 'ratio'
  | 'frequency'
  | 'current'
  | 'voltage'
  | 'bits';
export type Bound = 'exact' | 'least' | 'most';

export type Quantity = {
  readonly measure: Measure;
  /** Seconds, bytes, per second, minutes of the day…; for versions and dates, the components. */
  readonly parts: readonly number[];
  readonly bound: Bound;
  readonly about: boolean;
  /** The number alone is the value: "is 300", "= 300". */
  readonly alone: boolean;
  /** The things counted, or the name before a version. */
  readonly nouns: readonly string[];
  readonly label: string | null;
  readonly text: string;
  readonly at: number;
  readonly until: number;
};

/** What the words up to `until` say, before looking at the words in front. */
export type Reading = Pick<Quantity, 'measure' | 'parts' | 'until'> & { readonly label?: string; readonly nouns?: readonly string[] };
