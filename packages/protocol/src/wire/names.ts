/** `parentUuid` outside is `parent_uuid`. Digits begin a word: `cacheWrite5mTokens` is `cache_write_5m_tokens`. */
export const snakeOf = (key: string): string => key.replace(/(?<=[A-Za-z])(?=[0-9])|(?<!^)(?=[A-Z])/gu, '_').toLowerCase();

export const camelOf = (key: string): string => key.replace(/_([a-z0-9])/gu, (_, letter: string) => letter.toUpperCase());

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
export const toWire = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(toWire);
  if (typeof value !== 'object' || value === null) return value;
  if ('foreign' in value) return value.foreign;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [snakeOf(key), toWire(inner)]));
};
