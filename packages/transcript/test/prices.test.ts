import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  claudeCode,
  costOf,
  DEFAULT_PRICES,
  priceOf,
  readPrices,
  responseCost,
  responseCountedAt,
  type Json,
  type JsonObject,
  type Usage,
} from '../src/index.ts';
import { mainOf, reply, reportOf } from './reading.ts';

const NOTHING: Usage = { input: 0, output: 0, cacheWrite5m: 0, cacheWrite1h: 0, cacheRead: 0 };
const MILLION = 1_000_000;

const priced = (model: string, usage: Partial<Usage>): number | null => {
  const price = priceOf(DEFAULT_PRICES, model);
  return price === null ? null : costOf(price, { ...NOTHING, ...usage });
};

const million = (kind: keyof Usage): number | null => priced('claude-sonnet-4-5', { [kind]: MILLION });

describe('what a response costs', () => {
  test('[COST-4] every kind of token has its own price', () => {
    expect({
      input: million('input'),
      output: million('output'),
      cacheWrite5m: million('cacheWrite5m'),
      cacheWrite1h: million('cacheWrite1h'),
      cacheRead: million('cacheRead'),
    }).toEqual({ input: 3, output: 15, cacheWrite5m: 3.75, cacheWrite1h: 6, cacheRead: expect.closeTo(0.3, 12) });
  });

  test('[COST-4] every model of Claude costs 1.25 times its input for five-minute writes and twice for one-hour writes, but where its list says otherwise', () => {
    const odd = Object.entries(claudeCode.prices.models).filter(
      ([, rates]) => rates.cacheWrite5m !== rates.input * 1.25 || rates.cacheWrite1h !== rates.input * 2,
    );
    expect(odd).toEqual([['claude-3-haiku', { input: 0.25, output: 1.25, cacheWrite5m: 0.3, cacheWrite1h: 0.5, cacheRead: 0.03 }]]);
  });

  test('[COST-4] a long prompt of a tiered model costs the higher rates for all of its tokens, cached ones counted', () => {
    const model = 'claude-haiku-5-5';
    expect(priced(model, { input: 100_000, output: 1000 })).toBeCloseTo(0.1 * 0.1 + 0.0005, 12);
    expect(priced(model, { input: 100_001, output: 1000 })).toBeCloseTo(0.5 * 0.100001 + 0.0025, 12);
    expect(priced(model, { cacheRead: 60_000, cacheWrite5m: 30_000, cacheWrite1h: 10_001 })).toBeCloseTo(0.06 * 0.05 + 0.03 * 0.625 + 0.010001, 12);
    expect(priced(model, { output: 200_000 })).toBeCloseTo(0.1, 12);
  });

  test('[COST-4] the cost of two responses of an untiered model is the cost of their sum', () => {
    const tokens = fc.nat({ max: 2 * MILLION });
    const usage = fc.record({ input: tokens, output: tokens, cacheWrite5m: tokens, cacheWrite1h: tokens, cacheRead: tokens });
    const model = fc.constantFrom(...Object.keys(DEFAULT_PRICES.models).filter((name) => DEFAULT_PRICES.models[name]?.above === undefined));
    fc.assert(
      fc.property(model, usage, usage, (name, a, b) => {
        const both: Usage = {
          input: a.input + b.input,
          output: a.output + b.output,
          cacheWrite5m: a.cacheWrite5m + b.cacheWrite5m,
          cacheWrite1h: a.cacheWrite1h + b.cacheWrite1h,
          cacheRead: a.cacheRead + b.cacheRead,
        };
        expect(priced(name, both)).toBeCloseTo((priced(name, a) ?? Number.NaN) + (priced(name, b) ?? Number.NaN), 6);
      }),
    );
  });
});

describe('which model a name means', () => {
  test.each([
    ['claude-sonnet-4-5', 'claude-sonnet-4-5'],
    ['claude-sonnet-4-5-20250929', 'claude-sonnet-4-5'],
    ['claude-opus-4-20250514', 'claude-opus-4'],
    ['claude-opus-4-0', 'claude-opus-4'],
    ['claude-opus-4-1-20250805', 'claude-opus-4-1'],
    ['claude-3-5-haiku-latest', 'claude-3-5-haiku'],
    ['claude-opus-5[1m]', 'claude-opus-5'],
    ['claude-sonnet-4-5-20250929[1m]', 'claude-sonnet-4-5'],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-sonnet-4-5'],
    ['global.anthropic.claude-haiku-4-5-20251001-v1:0[1m]', 'claude-haiku-4-5'],
    ['anthropic.claude-3-5-sonnet-20241022-v2:0', 'claude-3-5-sonnet'],
    ['anthropic.claude-opus-4-6-v1', 'claude-opus-4-6'],
    ['anthropic.claude-sonnet-4-6', 'claude-sonnet-4-6'],
    ['arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-opus-4-20250514-v1:0', 'claude-opus-4'],
    ['claude-opus-4-1@20250805', 'claude-opus-4-1'],
    ['claude-3-5-sonnet-v2@20241022', 'claude-3-5-sonnet'],
    ['anthropic/claude-opus-4-5', 'claude-opus-4-5'],
    ['claude-sonnet-4.5', 'claude-sonnet-4-5'],
    ['gpt-5-2025-08-07', 'gpt-5'],
    ['qwen3-coder-plus-2025-09-23', 'qwen3-coder-plus'],
    ['anthropic/claude-3.5-haiku', 'claude-3-5-haiku'],
  ])('[COST-5] %s is priced as %s', (name, model) => {
    expect(priceOf(DEFAULT_PRICES, name)).toEqual(DEFAULT_PRICES.models[model]);
    expect(DEFAULT_PRICES.models[model]).toBeDefined();
  });

  test.each([
    'claude-opus-9',
    'claude-sonnet-4-5-fast',
    'claude-opus',
    'gpt-9',
    'gpt-5.5-fast',
    'gpt-5.9',
    'deepseek-v3',
    '<synthetic>',
    'unknown',
    '',
  ])('[COST-5] %s is unpriced', (name) => {
    expect(priceOf(DEFAULT_PRICES, name)).toBeNull();
  });

  test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])('[COST-5] a model that calls itself %s is unpriced', (name) => {
    expect(priceOf(DEFAULT_PRICES, name)).toBeNull();
  });

  test('[COST-5] no name makes the search throw or hang', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
        expect(priceOf(DEFAULT_PRICES, `${name}anthropic.`)).toBeNull();
      }),
    );
    expect(priceOf(DEFAULT_PRICES, `${'anthropic.'.repeat(10_000)}${'[1m]'.repeat(10_000)}`)).toBeNull();
  });

  test('[COST-5] a name with affixes is found under exactly that name first', () => {
    const own = { input: 1, output: 2, cacheWrite5m: 3, cacheWrite1h: 4, cacheRead: 5 };
    const table = { date: 'today', models: { 'claude-x-20250101': own, 'claude-x': { ...own, input: 9 } } };
    expect(priceOf(table, 'claude-x-20250101')).toEqual(own);
  });
});

describe('every cell of the price list', () => {
  type Cell = { readonly what: string; readonly model: string; readonly usage: JsonObject; readonly usd: number };
  const cells = JSON.parse(readFileSync(new URL('../../../fixtures/oddities/price-cells.json', import.meta.url), 'utf8')) as readonly Cell[];
  const replyOf = ({ model, usage }: Cell): object => reply('a1', null, 'm1', [], { message: { id: 'm1', model, content: [], usage } });

  test('[COST-9] there are 33', () => {
    expect(cells).toHaveLength(33);
  });

  test.each(cells.map((cell) => [cell.model, cell.what, cell] as const))('[COST-9] %s, %s', (_, __, cell) => {
    const session = mainOf(replyOf(cell));
    const [node] = session.main.nodes;
    const response = node === undefined ? null : responseCountedAt(session.responses, node);
    expect(response === null ? null : responseCost(DEFAULT_PRICES, response)).toBeCloseTo(cell.usd, 12);
    // The same through a report, where responses travel as numbers.
    expect(reportOf([session]).totals.spending.costUsd).toBeCloseTo(cell.usd, 12);
  });

  test('[COST-9] a model without a price for it costs the same when it is fast', () => {
    const usage = { input_tokens: MILLION, speed: 'fast' };
    expect(reportOf([mainOf(replyOf({ what: '', model: 'claude-haiku-4-5', usage, usd: 1 }))]).totals.spending.costUsd).toBe(1);
  });
});

describe('what the CLI itself says', () => {
  // `modelUsage` rows of result messages and cost-state records in fixtures/claude-code, 2.0.30 to 2.1.325: tokens, then the dollars it counted.
  test.each([
    ['claude-haiku-4-5-20251001', { input: 12, output: 12, cacheRead: 11_000, cacheWrite5m: 340 }, 0.0015970000000000001],
    ['claude-sonnet-4-5-20250929', { input: 84, output: 159, cacheRead: 77_000, cacheWrite5m: 2380 }, 0.034662000000000005],
    ['claude-opus-5', { input: 120, output: 334, cacheRead: 110_000, cacheWrite5m: 3400 }, 0.08519999999999998],
    ['claude-opus-5[1m]', { input: 108, output: 317, cacheRead: 99_000, cacheWrite5m: 3060 }, 0.07708999999999999],
    ['claude-opus-5-5', { input: 108, output: 296, cacheRead: 99_000, cacheWrite5m: 3060 }, 0.041452],
    ['claude-opus-5-5', { input: 40, output: 126, cacheRead: 1_023_000, cacheWrite5m: 1920 }, 0.21688000000000002],
  ] as const)('[COST-6] %s costs what the CLI counted for %o', (model, usage, dollars) => {
    expect(priced(model, usage)).toBeCloseTo(dollars, 12);
  });
});

describe('a price file', () => {
  const rates = { input: 1, output: 2, cache_write_5m: 3, cache_write_1h: 4, cache_read: 5 };

  test('[COST-7] replaces the whole table', () => {
    const read = readPrices({
      date: '2027-01-01',
      models: { mine: rates, free: { input: 0, output: 0, cache_write_5m: 0, cache_write_1h: 0, cache_read: 0 } },
    });
    expect(read).toEqual({
      ok: true,
      value: {
        date: '2027-01-01',
        models: {
          mine: { input: 1, output: 2, cacheWrite5m: 3, cacheWrite1h: 4, cacheRead: 5 },
          free: { input: 0, output: 0, cacheWrite5m: 0, cacheWrite1h: 0, cacheRead: 0 },
        },
      },
    });
    expect(read.ok && priceOf(read.value, 'claude-opus-5')).toBeNull();
  });

  test('[COST-7] [COST-9] may say what fast responses, web searches and the United States cost', () => {
    expect(readPrices({ date: 'x', web_search: 0.02, us: 1.5, models: { mine: { ...rates, fast: 3 } } })).toEqual({
      ok: true,
      value: {
        date: 'x',
        webSearch: 0.02,
        us: 1.5,
        models: { mine: { input: 1, output: 2, cacheWrite5m: 3, cacheWrite1h: 4, cacheRead: 5, fast: 3 } },
      },
    });
  });

  test('[COST-7] without a date it says so', () => {
    expect(readPrices({ models: {} })).toEqual({ ok: true, value: { date: 'undated', models: {} } });
  });

  test.each([[undefined], [null], [[]], ['text'], [7], [{}], [{ models: [] }], [{ models: null }]] as readonly (readonly [Json | undefined])[])(
    '[COST-7] %j is refused as a whole',
    (value) => {
      expect(readPrices(value)).toEqual({ ok: false, error: { kind: 'bad-prices', where: 'the file', wanted: 'an object with "models"' } });
    },
  );

  test.each(Object.keys(rates))('[COST-7] a price without %s, or with a bad one, is refused with its place', (column) => {
    for (const bad of [undefined, null, '3', -1, Number.NaN, Number.POSITIVE_INFINITY, {}]) {
      expect(readPrices({ models: { good: rates, bad: { ...rates, [column]: bad } } })).toEqual({
        ok: false,
        error: { kind: 'bad-prices', where: `models.bad.${column}`, wanted: 'dollars per million tokens, 0 or more' },
      });
    }
  });

  test('[COST-7] a model that is no object is refused at its first column', () => {
    expect(readPrices({ models: { bad: 3 } })).toEqual({
      ok: false,
      error: { kind: 'bad-prices', where: 'models.bad.input', wanted: 'dollars per million tokens, 0 or more' },
    });
  });

  test('[COST-7] a model named __proto__ prices nothing but itself', () => {
    const read = readPrices(JSON.parse(`{"models": {"__proto__": ${JSON.stringify(rates)}}}`) as Json);
    expect(read.ok && [priceOf(read.value, '__proto__')?.input, priceOf(read.value, 'input'), priceOf(read.value, 'other')]).toEqual([1, null, null]);
  });

  test('[COST-7] whatever JSON it holds, reading it gives a table or a place', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const read = readPrices(value);
        expect(read.ok ? typeof read.value.date : read.error.kind).toBe(read.ok ? 'string' : 'bad-prices');
      }),
    );
  });
});
