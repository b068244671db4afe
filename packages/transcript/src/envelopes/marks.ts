import { entriesIn, lookUp, NOTHING_LAYERED, put, type Layered } from './layered.ts';

/** An immutable set with any number of insertions and removals. */
export type Marks = { readonly count: number; readonly marks: Layered<true | null> };

export const NO_MARKS: Marks = { count: 0, marks: NOTHING_LAYERED };

export const isMarked = ({ marks }: Marks, one: string): boolean => lookUp(marks, one) === true;

export const mark = (set: Marks, one: string): Marks => (isMarked(set, one) ? set : { count: set.count + 1, marks: put(set.marks, one, true) });

export const unmark = (set: Marks, one: string): Marks => {
  if (!isMarked(set, one)) return set;
  return set.count === 1 ? NO_MARKS : { count: set.count - 1, marks: put(set.marks, one, null) };
};

/** In insertion order. */
export const markedIn = ({ count, marks }: Marks): readonly string[] => (count === 0 ? NONE : entriesIn(marks).map(([one]) => one));

const NONE: readonly never[] = [];
