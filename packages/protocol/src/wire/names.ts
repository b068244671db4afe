import { snakeOf } from '@yarnboard/domain';

type Snake<S extends string> = S extends `${infer A}_${infer B}` ? `${A}${Capitalize<Snake<B>>}` : S;

/** What the inside calls a wire shape: every key in camelCase, all the way down. */
export type Inside<T> = T extends readonly (infer Item)[]
  ? readonly Inside<Item>[]
  : T extends Foreign
    ? T
    : T extends object
      ? { readonly [K in keyof T as K extends string ? Snake<K> : K]: Inside<T[K]> }
      : T;

/** Somebody else's JSON, whose keys are not ours to rename. */
export type Foreign = { readonly foreign: unknown };

export const foreign = (value: unknown): Foreign => ({ foreign: value });

/** API-2: the one place where names change: camelCase inside, snake_case outside. */
export const toWire = (value: unknown): unknown => wired(value, new Map());

/** A page has the same few keys hundreds of times: each is renamed once. */
const wired = (value: unknown, names: Map<string, string>): unknown => {
  if (Array.isArray(value)) return value.map((item) => wired(item, names));
  if (typeof value !== 'object' || value === null) return value;
  if ('foreign' in value) return value.foreign;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const known = names.get(key);
      const name = known ?? snakeOf(key);
      if (known === undefined) names.set(key, name);
      return [name, wired(inner, names)];
    }),
  );
};
