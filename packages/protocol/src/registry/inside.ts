import type { z } from 'zod';
import { REGISTRY, type OperationName, type OutputOf } from './registry.ts';
import { camelOf, snakeOf } from '@yarnboard/domain';
import type { Inside } from '../wire/names.ts';

export type InsideInput<N extends OperationName> = Inside<z.input<(typeof REGISTRY)[N]['input']>>;
export type InsideOutput<N extends OperationName> = Inside<OutputOf<N>>;

/** API-21: an operation's answer with internal names. Whatever its schema leaves open is foreign and stays as it is. */
export const insideAnswer = <N extends OperationName>(name: N, answer: OutputOf<N>): InsideOutput<N> =>
  renamed(REGISTRY[name].output, answer, camelOf) as InsideOutput<N>; // the schema is the type's own

/** An operation's input with wire names. */
export const outsideInput = <N extends OperationName>(name: N, input: InsideInput<N>): z.input<(typeof REGISTRY)[N]['input']> =>
  Object.fromEntries(
    Object.entries(input as object).flatMap(([key, value]) => {
      const outside = snakeOf(key);
      return value === undefined ? [] : [[Object.hasOwn(REGISTRY[name].input.shape, outside) ? outside : key, value]];
    }),
  ) as z.input<(typeof REGISTRY)[N]['input']>; // as the type of the input says

/** The parts of a schema read here: its kind, and its contents. */
type Schema = {
  readonly def: {
    readonly type: string;
    readonly shape?: Readonly<Record<string, Schema>>;
    readonly element?: Schema;
    readonly innerType?: Schema;
    readonly valueType?: Schema;
    readonly items?: readonly Schema[];
    readonly options?: readonly Schema[];
  };
  readonly safeParse: (value: unknown) => { readonly success: boolean };
};

const renamed = (schema: Schema, value: unknown, rename: (key: string) => string): unknown => {
  const { type, shape, element, innerType, valueType, items, options } = schema.def;
  if (value === null || typeof value !== 'object') return value;
  if (innerType !== undefined) return renamed(innerType, value, rename);
  if (type === 'union' && options !== undefined) {
    const fit = options.find((option) => option.safeParse(value).success);
    return fit === undefined ? value : renamed(fit, value, rename);
  }
  if (Array.isArray(value)) {
    if (element !== undefined) return value.map((one) => renamed(element, one, rename));
    return items === undefined ? value : value.map((one, n) => (items[n] === undefined ? one : renamed(items[n], one, rename)));
  }
  if (valueType !== undefined) return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, renamed(valueType, one, rename)]));
  if (shape === undefined) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => (shape[key] === undefined ? [key, one] : [rename(key), renamed(shape[key], one, rename)])),
  );
};
