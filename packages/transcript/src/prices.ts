import type { Billing, Usage } from './entry.ts';
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

/**
 * `above`: prompts of more than `tokens` (including cached ones) have different rates, possibly with another such step. `fast`: the price factor of a
 * fast response.
 */
export type Price = Stepped & { readonly fast?: number };
type Stepped = Rates & { readonly above?: { readonly tokens: number; readonly rates: Stepped } };

export type PriceTable = {
  readonly date: string;
  readonly models: Readonly<Record<string, Price>>;
  /** Dollars per web search; by default 0. */
  readonly webSearch?: number;
  /** The price factor of a response bound to the United States. */
  readonly us?: number;
};

/**
 * COST-5: a model is priced under its own name, without the parts that don't change its price: a date ("-20250929", "-2025-09-29"), a context size
 * ("[1m]"), a provider's prefix and suffix ("us.anthropic.…-v1:0", "…-v2@20250929"), "-latest". Some tools write versions with a dot
 * ("claude-sonnet-4.5"). Anything else is unpriced, never guessed.
 */
export const priceOf = (table: PriceTable, model: string): Price | null => {
  const plain = plainModel(model);
  return ownPrice(table, model) ?? ownPrice(table, plain) ?? ownPrice(table, plain.replaceAll(/(?<=\d)\.(?=\d)/gu, '-'));
};

// Names come from foreign files: "constructor" must not find an inherited property.
const ownPrice = (table: PriceTable, model: string): Price | null => (Object.hasOwn(table.models, model) ? (table.models[model] ?? null) : null);

// A name longer than any model's matches none, and isn't worth parsing.
const plainModel = (model: string): string => (model.length > 200 ? model : withoutAffixes(model));

const withoutAffixes = (model: string): string =>
  model
    .replace(/^.*anthropic[./]/u, '')
    .replace(/\[[^\]]*\]$/u, '')
    .replace(/(?:-v\d+)?(?:[-@]\d{8}|-\d{4}-\d\d-\d\d)?(?:-v\d+)?(?::\d+)?$/u, '')
    .replace(/-(?:latest|0)$/u, '');

/** COST-4: the cost of a response. Old versions recorded it themselves, which is reliable; null if there is no price either. */
export const responseCost = (
  table: PriceTable,
  response: { readonly model: string | null; readonly usage: Usage; readonly billing: Billing | null; readonly costUsd: number | null },
): number | null => {
  if (response.costUsd !== null) return response.costUsd;
  const price = response.model === null ? null : priceOf(table, response.model);
  return price === null ? null : chargeFor(table, price, response);
};

/** COST-9: the cost of a response with all its charges. */
export const chargeFor = (
  { webSearch = 0, us = 1 }: Pick<PriceTable, 'webSearch' | 'us'>,
  price: Price,
  { usage, billing }: { readonly usage: Usage; readonly billing: Billing | null },
): number => {
  const tokens = costOf(price, usage);
  if (billing === null) return tokens;
  return tokens * (billing.isFast ? (price.fast ?? 1) : 1) * (billing.isUs ? us : 1) + billing.webSearches * webSearch;
};

export const costOf = (price: Price, usage: Usage): number => {
  const prompt = usage.input + usage.cacheWrite5m + usage.cacheWrite1h + usage.cacheRead;
  let rates: Stepped = price;
  while (rates.above !== undefined && prompt > rates.above.tokens) rates = rates.above.rates;
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

/**
 * Reads a price table from JSON: `{"date": "…", "models": {"<model>": {"input", "output", "cache_write_5m", "cache_write_1h", "cache_read"}}}`. A model may
 * have `fast`, and the table `web_search` and `us`.
 */
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
    const fast = optional(objectOf(given)?.['fast']);
    table.set(model, { input, output, cacheWrite5m, cacheWrite1h, cacheRead, ...(fast === null ? {} : { fast }) });
  }
  const webSearch = optional(value['web_search']);
  const us = optional(value['us']);
  return ok({
    date: stringOf(value['date']) ?? 'undated',
    models: Object.fromEntries(table),
    ...(webSearch === null ? {} : { webSearch }),
    ...(us === null ? {} : { us }),
  });
};

const optional = (value: Json | undefined): number | null => (typeof value === 'number' && value >= 0 && value <= MAX_RATE ? value : null);

const MAX_RATE = 1_000_000;
const COLUMNS = ['input', 'output', 'cache_write_5m', 'cache_write_1h', 'cache_read'] as const;
