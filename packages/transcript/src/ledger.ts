/**
 * Named facts known after a line of a file. Immutable: noting one makes a new ledger, and an earlier one still shows what was known then. All of them
 * share storage, so that the cost per line doesn't depend on the file's length.
 */
export type Ledger<V extends string | boolean | null> = {
  readonly get: (name: string) => V | undefined;
  readonly with: (name: string, value: V) => Ledger<V>;
};

export const emptyLedger = <V extends string | boolean | null>(): Ledger<V> => upTo<V>({ names: [], values: [], places: new Map() }, 0);

/** Everything ever noted, in order, and the places of each name. */
type Notes<V> = { readonly names: string[]; readonly values: V[]; readonly places: Map<string, number[]> };

const upTo = <V extends string | boolean | null>(notes: Notes<V>, length: number): Ledger<V> => ({
  get: (name) => {
    const places = notes.places.get(name);
    const at = places === undefined ? undefined : lastBelow(places, length);
    return at === undefined ? undefined : notes.values[at];
  },
  with: (name, value) => {
    // The same line read again; a different line in its place begins separate notes.
    const isNoted = length < notes.names.length;
    if (isNoted && notes.names[length] === name && notes.values[length] === value) return upTo(notes, length + 1);
    const own = isNoted ? copyOf(notes, length) : notes;
    note(own, name, value);
    return upTo(own, length + 1);
  },
});

const note = <V>({ names, values, places }: Notes<V>, name: string, value: V): void => {
  const known = places.get(name);
  if (known === undefined) places.set(name, [names.length]);
  else known.push(names.length);
  names.push(name);
  values.push(value);
};

const copyOf = <V>({ names, values }: Notes<V>, length: number): Notes<V> => {
  const copy: Notes<V> = { names: [], values: [], places: new Map() };
  names.slice(0, length).forEach((name, i) => note(copy, name, values[i] as V)); // both lists are of one length
  return copy;
};

/** The last of these ascending numbers below a limit. */
const lastBelow = (places: readonly number[], length: number): number | undefined => {
  let [from, to] = [0, places.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((places[middle] ?? 0) < length) from = middle + 1;
    else to = middle;
  }
  return from === 0 ? undefined : places[from - 1];
};
