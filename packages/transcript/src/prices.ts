import type { Usage } from './entry.ts';
import { isObject, objectOf, stringOf, type Json } from './json.ts';
import { err, ok, type Result } from './result.ts';

/** US dollars per million tokens. */
export type Rates = {
  readonly input: number;
  readonly output: number;
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
  readonly cacheRead: number;
};

/** `above`: prompts of more than `tokens` (cached ones included) cost other rates. */
export type Price = Rates & { readonly above?: { readonly tokens: number; readonly rates: Rates } };

export type PriceTable = { readonly date: string; readonly models: Readonly<Record<string, Price>> };

const standard = (input: number, output: number, cacheRead = input / 10): Rates => ({
  input,
  output,
  cacheWrite5m: input * 1.25,
  cacheWrite1h: input * 2,
  cacheRead,
});

/**
 * List prices on the date given. Those of claude-opus-5-5, claude-opus-5, claude-sonnet-4-5 and claude-haiku-4-5 are checked by a test against
 * the costs that the CLI itself recorded.
 */
export const DEFAULT_PRICES: PriceTable = {
  date: '2026-11-15',
  models: {
    'claude-fable-5-1': standard(10, 50, 0.25),
    'claude-mythos-5-1': standard(10, 50, 0.25),
    'claude-fable-5': standard(10, 50),
    'claude-mythos-5': standard(10, 50),
    'claude-opus-5-5': standard(4, 20, 0.2),
    'claude-opus-5': standard(5, 25),
    'claude-opus-4-8': standard(5, 25),
    'claude-opus-4-7': standard(5, 25),
    'claude-opus-4-6': standard(5, 25),
    'claude-opus-4-5': standard(5, 25),
    'claude-opus-4-1': standard(15, 75),
    'claude-opus-4': standard(15, 75),
    'claude-3-opus': standard(15, 75),
    'claude-sonnet-5-5': standard(2, 10),
    'claude-sonnet-5': standard(2, 10),
    'claude-sonnet-4-6': standard(3, 15),
    'claude-sonnet-4-5': standard(3, 15),
    'claude-sonnet-4': standard(3, 15),
    'claude-3-7-sonnet': standard(3, 15),
    'claude-3-5-sonnet': standard(3, 15),
    'claude-haiku-5-5': { ...standard(0.1, 0.5), above: { tokens: 100_000, rates: standard(0.5, 2.5) } },
    'claude-haiku-4-5': standard(1, 5),
    'claude-3-5-haiku': standard(0.8, 4),
    'claude-3-haiku': { input: 0.25, output: 1.25, cacheWrite5m: 0.3, cacheWrite1h: 0.5, cacheRead: 0.03 },
  },
};

/**
 * COST-5: a model is priced under its own name, without the parts that do not change its price: a date ("-20250929"), a context size ("[1m]"),
 * a provider's prefix and suffix ("us.anthropic.…-v1:0", "…-v2@20250929"), "-latest". Anything else is unpriced, never guessed.
 */
export const priceOf = (table: PriceTable, model: string): Price | null => ownPrice(table, model) ?? ownPrice(table, plainModel(model));

// Names come from foreign files: one called "constructor" must not find what every object has.
const ownPrice = (table: PriceTable, model: string): Price | null => (Object.hasOwn(table.models, model) ? (table.models[model] ?? null) : null);

// A name longer than any model's is nobody's, and not worth taking apart.
const plainModel = (model: string): string => (model.length > 200 ? model : withoutAffixes(model));

const withoutAffixes = (model: string): string =>
  model
    .replace(/^.*anthropic[./]/u, '')
    .replace(/\[[^\]]*\]$/u, '')
    .replace(/(?:-v\d+)?(?:[-@]\d{8})?(?:-v\d+)?(?::\d+)?$/u, '')
    .replace(/-(?:latest|0)$/u, '');

/** COST-4: what a response cost. Old versions wrote that down themselves, and knew; null when there is no price either. */
export const responseCost = (
  table: PriceTable,
  response: { readonly model: string | null; readonly usage: Usage; readonly costUsd: number | null },
): number | null => {
  if (response.costUsd !== null) return response.costUsd;
  const price = response.model === null ? null : priceOf(table, response.model);
  return price === null ? null : costOf(price, response.usage);
};

export const costOf = (price: Price, usage: Usage): number => {
  const prompt = usage.input + usage.cacheWrite5m + usage.cacheWrite1h + usage.cacheRead;
  const rates = price.above !== undefined && prompt > price.above.tokens ? price.above.rates : price;
  return (
    (usage.input * rates.input +
      usage.output * rates.output +
      usage.cacheWrite5m * rates.cacheWrite5m +
      usage.cacheWrite1h * rates.cacheWrite1h +
      usage.cacheRead * rates.cacheRead) /
    1_000_000
  );
};

export type BadPrices = { readonly kind: 'bad-prices'; readonly where: string; readonly wanted: string };

/** Reads a price table from JSON: `{"date": "…", "models": {"<model>": {"input", "output", "cache_write_5m", "cache_write_1h", "cache_read"}}}`. */
export const readPrices = (value: Json | undefined): Result<PriceTable, BadPrices> => {
  const models = isObject(value) ? objectOf(value['models']) : null;
  if (models === null || !isObject(value)) return err({ kind: 'bad-prices', where: 'the file', wanted: 'an object with "models"' });
  const table = new Map<string, Price>();
  for (const [model, given] of Object.entries(models)) {
    const rates: number[] = [];
    for (const column of COLUMNS) {
      const rate = objectOf(given)?.[column];
      if (typeof rate !== 'number' || !(rate >= 0 && rate <= MAX_RATE)) {
        return err({ kind: 'bad-prices', where: `models.${model}.${column}`, wanted: 'dollars per million tokens, 0 or more' });
      }
      rates.push(rate);
    }
    const [input = 0, output = 0, cacheWrite5m = 0, cacheWrite1h = 0, cacheRead = 0] = rates;
    table.set(model, { input, output, cacheWrite5m, cacheWrite1h, cacheRead });
  }
  return ok({ date: stringOf(value['date']) ?? 'undated', models: Object.fromEntries(table) });
};

const MAX_RATE = 1_000_000;
const COLUMNS = ['input', 'output', 'cache_write_5m', 'cache_write_1h', 'cache_read'] as const;
