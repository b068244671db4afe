import { RESPONSE_NUMBERS, type SessionDigest } from './digest.ts';
import type { Billing, Usage } from './entry.ts';
import { createFingerprintTable } from './fingerprints.ts';
import { chargeFor, priceOf, type Price, type PriceTable } from './prices.ts';
import { formatDay } from './time.ts';
import { addCopy, addUsage, createCopies, NO_USAGE, type Copies } from './usage.ts';

/** Tokens and dollars of a number of responses. `costUsd` sums up those with a price. */
export type Spending = { readonly responses: number; readonly usage: Usage; readonly costUsd: number };

export type Costs = {
  readonly total: Spending;
  /** By position of the digest, sidechains included. */
  readonly sessions: readonly Spending[];
  /** By position of the digest, then of its sidechain. */
  readonly sidechains: readonly (readonly Spending[])[];
  readonly byDay: ReadonlyMap<string, Spending>;
  readonly byModel: ReadonlyMap<string, Spending>;
  /** Models that were used but have no price. */
  readonly unpriced: readonly string[];
};

export const NO_SPENDING: Spending = { responses: 0, usage: NO_USAGE, costUsd: 0 };

/** COST-1, COST-3: counts every response once over all files; a copy counts for the first session of its chain. `order` puts sources first. */
export const sumCosts = (digests: readonly SessionDigest[], order: readonly number[], prices: PriceTable): Costs => {
  const sessions = digests.map(() => createSum());
  const sidechains = digests.map((digest) => digest.sidechains.map(() => createSum()));
  const byDay = new Map<number, Sum>();
  const byModel = new Map<string, Sum>();
  const unpriced = new Set<string>();
  const total = createSum();
  const known = new Map<string, Price | null>();
  eachResponse(digests, order, (response) => {
    const model = response.model ?? 'unknown';
    let price = known.get(model);
    if (price === undefined) {
      price = priceOf(prices, model);
      known.set(model, price);
    }
    // COST-4: old versions recorded the cost of a response themselves, which is reliable.
    const cost = Number.isFinite(response.cost) ? response.cost : price === null ? 0 : chargeFor(prices, price, response);
    if (price === null && !Number.isFinite(response.cost)) unpriced.add(model);
    addTo(total, response.usage, cost);
    addTo(sessions[response.session], response.usage, cost);
    addTo(sidechains[response.session]?.[response.sidechain], response.usage, cost);
    addTo(sumFor(byModel, model), response.usage, cost);
    if (Number.isFinite(response.at)) addTo(sumFor(byDay, Math.floor(response.at / DAY)), response.usage, cost);
  });
  return {
    total: spendingOf(total),
    sessions: sessions.map(spendingOf),
    sidechains: sidechains.map((sums) => sums.map(spendingOf)),
    byDay: sorted(new Map([...byDay].map(([day, sum]) => [formatDay(day * DAY), sum]))),
    byModel: sorted(byModel),
    unpriced: [...unpriced].sort(),
  };
};

export const addSpending = (a: Spending, b: Spending): Spending => ({
  responses: a.responses + b.responses,
  usage: addUsage(a.usage, b.usage),
  costUsd: a.costUsd + b.costUsd,
});

type Distinct = {
  /** The part of the fingerprint that fits into a number. */
  readonly requestId: number | null;
  readonly session: number;
  readonly sidechain: number;
  readonly at: number;
  readonly model: string | null;
  readonly usage: Usage;
  readonly billing: Billing | null;
  readonly cost: number;
};

// Nearly all responses are in one session only, and never in memory together. The few copies are settled among themselves.
const eachResponse = (digests: readonly SessionDigest[], order: readonly number[], take: (response: Distinct) => void): void => {
  const size = digests.reduce((sum, digest) => sum + digest.across.responses.modelOf.length, 0);
  const table = createFingerprintTable(size);
  // By number in the table: the first session with the response, and its place there.
  const firsts = new Int32Array(2 * size);
  const copies = new Map<number, Copies<Distinct>>();
  for (const session of order) {
    const responses = digests[session]?.across.responses;
    if (responses === undefined) continue;
    for (let i = 0; i < responses.modelOf.length; i += 1) {
      const known = table.size();
      const number = table.add(responses.messageIds, i);
      if (number === known) firsts.set([session, i], number * 2);
      else {
        const same = copies.get(number) ?? createCopies(responseAt(digests, firsts[number * 2] ?? 0, firsts[number * 2 + 1] ?? 0));
        addCopy(same, responseAt(digests, session, i), (_, kept) => kept, ownedBy);
        copies.set(number, same);
      }
    }
  }
  for (let number = 0; number < table.size(); number += 1) {
    const known = copies.get(number);
    if (known === undefined) take(responseAt(digests, firsts[number * 2] ?? 0, firsts[number * 2 + 1] ?? 0));
    else known.items.forEach(take);
  }
};

const responseAt = (digests: readonly SessionDigest[], session: number, i: number): Distinct => {
  const responses = digests[session]?.across.responses;
  const numbers = responses?.numbers ?? NO_NUMBERS;
  const a = responses?.requestIds[i * 2] ?? 0;
  const b = responses?.requestIds[i * 2 + 1] ?? 0;
  const at = i * RESPONSE_NUMBERS;
  const manner = numbers[at + 8] ?? 0;
  const webSearches = numbers[at + 7] ?? 0;
  return {
    requestId: a === 0 && b === 0 ? null : a * 2 ** 21 + (b >>> 11),
    session,
    sidechain: responses?.sidechainOf[i] ?? -1,
    at: numbers[at + 5] ?? Number.NaN,
    model: responses?.models[responses.modelOf[i] ?? 0] ?? null,
    usage: {
      input: numbers[at] ?? 0,
      output: numbers[at + 1] ?? 0,
      cacheWrite5m: numbers[at + 2] ?? 0,
      cacheWrite1h: numbers[at + 3] ?? 0,
      cacheRead: numbers[at + 4] ?? 0,
    },
    billing: manner === 0 && webSearches === 0 ? null : { webSearches, isFast: manner % 2 === 1, isUs: manner >= 2 },
    cost: numbers[at + 6] ?? Number.NaN,
  };
};

// The largest copy determines the number of tokens; the first session of the chain determines the owner and time.
const ownedBy = (winner: Distinct, first: Distinct): Distinct => ({ ...winner, session: first.session, sidechain: first.sidechain, at: first.at });

type Sum = { responses: number; input: number; output: number; cacheWrite5m: number; cacheWrite1h: number; cacheRead: number; costUsd: number };

const createSum = (): Sum => ({ responses: 0, input: 0, output: 0, cacheWrite5m: 0, cacheWrite1h: 0, cacheRead: 0, costUsd: 0 });

const addTo = (sum: Sum | undefined, usage: Usage, cost: number): void => {
  if (sum === undefined) return;
  sum.responses += 1;
  sum.input += usage.input;
  sum.output += usage.output;
  sum.cacheWrite5m += usage.cacheWrite5m;
  sum.cacheWrite1h += usage.cacheWrite1h;
  sum.cacheRead += usage.cacheRead;
  sum.costUsd += cost;
};

const spendingOf = ({ responses, costUsd, ...usage }: Sum): Spending => ({ responses, usage, costUsd });

const sumFor = <K>(sums: Map<K, Sum>, key: K): Sum => {
  const known = sums.get(key);
  if (known !== undefined) return known;
  const sum = createSum();
  sums.set(key, sum);
  return sum;
};

const sorted = (sums: ReadonlyMap<string, Sum>): ReadonlyMap<string, Spending> =>
  new Map([...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, sum]) => [key, spendingOf(sum)]));

const DAY = 86_400_000;
const NO_NUMBERS = new Float64Array(0);
