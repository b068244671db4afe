import { snakeOf } from '@yarnboard/domain';

type Snake<S extends string> = S extends `${infer A}_${infer B}` ? `${A}${Capitalize<Snake<B>>}` : S;

/** The internal form of a wire shape: every key in camelCase, at every depth. */
export type Inside<T> = T extends readonly (infer Item)[]
  ? readonly Inside<Item>[]
  : T extends Foreign
    ? T
    : T extends object
      ? { readonly [K in keyof T as K extends string ? Snake<K> : K]: Inside<T[K]> }
      : T;

/** Foreign JSON, whose keys we don't rename. */
export type Foreign = { readonly foreign: unknown };

export const foreign = (value: unknown): Foreign => ({ foreign: value });

/** API-2: the one place where names change: camelCase inside, snake_case outside. */
export const toWire = (value: unknown): unknown => wired(value, new Map());

/** A page has the same few keys hundreds of times: each is renamed once. */
const wired = (value: unknown, names: Map<string, string>): unknown => {
  if (Array.isArray(value)) return value.length === 0 ? value : value.map((item) => wired(item, names));
  if (typeof value !== 'object' || value === null) return value;
  if ('foreign' in value) return value.foreign;
  const told: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) {
    const name = names.get(key) ?? renamed(key, names);
    // Most values are primitive: checking first saves a call for each.
    const outer = typeof inner === 'object' && inner !== null ? wired(inner, names) : inner;
    // Assigned normally, this key would set the object's prototype.
    if (name === '__proto__') Object.defineProperty(told, name, { value: outer, enumerable: true, configurable: true, writable: true });
    else told[name] = outer;
  }
  return told;
};

const renamed = (key: string, names: Map<string, string>): string => {
  const name = snakeOf(key);
  names.set(key, name);
  return name;
};
