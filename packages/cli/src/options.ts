import { readFileSync } from 'node:fs';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { pricesOf, readPrices, type Dialects, type PriceTable } from '@yarnboard/transcript';
import { reasonOf } from '@yarnboard/server/entrance';
import { Refusal } from './refusal.ts';

type Options = NonNullable<ParseArgsConfig['options']>;
type Parsed<T extends Options> = ReturnType<typeof parseArgs<{ options: T; allowPositionals: true; strict: true }>>;

/** The options and paths of a verb; an unknown option or a missing value is bad usage, answered with the help page to read. */
export const readOptions = <T extends Options>(verb: string, args: readonly string[], options: T): Parsed<T> => {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (cause) {
    throw new Refusal(2, `${reasonOf(cause).split('. ')[0] ?? ''}; \`yarnboard help ${verb}\` lists the options`);
  }
};

export const oneOf = <T extends string>(option: string, value: string, allowed: readonly T[]): T => {
  const found = allowed.find((one) => one === value);
  if (found === undefined) throw new Refusal(2, `--${option} takes ${allowed.join(', ')}; not "${value}"`);
  return found;
};

export const pricesFrom = (path: string | undefined, dialects: Dialects): PriceTable => {
  if (path === undefined) return pricesOf(dialects);
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new Refusal(3, `cannot read the prices in ${path}: ${reasonOf(cause)}`);
  }
  const prices = readPrices(json as Parameters<typeof readPrices>[0]); // JSON.parse returns Json
  if (!prices.ok) throw new Refusal(3, `the prices in ${path} cannot be used: ${prices.error.where} must be ${prices.error.wanted}`);
  return prices.value;
};
