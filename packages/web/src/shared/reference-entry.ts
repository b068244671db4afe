import { formatRef, parseRef } from '@yarnboard/domain';
import { useState } from 'react';

/** The references chosen so far, and the text typed beside them. */
export type ReferenceEntry = {
  readonly value: readonly string[];
  readonly typed: string;
  /** Why the text is not a reference. */
  readonly error: string | undefined;
  readonly write: (typed: string) => void;
  readonly add: (refs: readonly string[]) => void;
  readonly remove: (ref: string) => void;
  /** PAGE-176: takes the typed text as well and returns all references; null when part of it is not a reference, which is then shown. */
  readonly take: () => readonly string[] | null;
};

export const useReferenceEntry = (value: readonly string[], onChange: (refs: readonly string[]) => void): ReferenceEntry => {
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string | undefined>(undefined);
  const add = (refs: readonly string[]): readonly string[] => {
    const all = [...new Set([...value, ...refs])];
    if (all.length > value.length) onChange(all);
    return all;
  };
  return {
    value,
    typed,
    error,
    write: (text) => {
      setTyped(text);
      setError(undefined);
    },
    add,
    remove: (ref) => onChange(value.filter((one) => one !== ref)),
    take: () => {
      const { refs, left, why } = readTyped(typed);
      const all = add(refs);
      setTyped(left);
      setError(why);
      return why === undefined ? all : null;
    },
  };
};

/** The references in a text; words that are not references are left over, with the reason. */
export const readTyped = (typed: string): { readonly refs: readonly string[]; readonly left: string; readonly why: string | undefined } => {
  const words = typed.split(/[\s,;]+/u).filter((word) => word !== '');
  const read = words.map((word) => ({ word, ref: parseRef(word) }));
  const bad = read.flatMap(({ word, ref }) => (ref.ok ? [] : [{ word, wanted: ref.error.wanted }]));
  return {
    refs: read.flatMap(({ ref }) => (ref.ok ? [formatRef(ref.value)] : [])),
    left: bad.map(({ word }) => word).join(' '),
    why: bad[0] === undefined ? undefined : `“${bad[0].word}” isn’t a reference. Try ${bad[0].wanted}.`,
  };
};
