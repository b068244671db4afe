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
  /** Seconds, bytes, per second, minutes of the day…; for versions and dates their parts. */
  readonly parts: readonly number[];
  readonly bound: Bound;
  readonly about: boolean;
  /** Stands alone as the value: "is 300", "= 300". */
  readonly alone: boolean;
  /** What is counted, or the name a version stands behind. */
  readonly nouns: readonly string[];
  readonly label: string | null;
  readonly text: string;
  readonly at: number;
  readonly until: number;
};

/** What is read from the words up to `until`, before what stands in front of it is looked at. */
export type Reading = Pick<Quantity, 'measure' | 'parts' | 'until'> & { readonly label?: string; readonly nouns?: readonly string[] };
