import type { SessionDigest } from './digest.ts';
import type { Usage } from './entry.ts';
import { createFingerprintTable } from './fingerprints.ts';
import { costOf, priceOf, type PriceTable } from './prices.ts';
import { formatDay } from './time.ts';
import { addUsage, mergeCopy, NO_USAGE } from './usage.ts';

/** Tokens and dollars of a number of responses. `costUsd` sums those that have a price. */
export type Spending = { readonly responses: number; readonly usage: Usage; readonly costUsd: number };

export type Costs = {
  readonly total: Spending;
  /** By position of the digest, sidechains included. */
  readonly sessions: readonly Spending[];
  /** By position of the digest, then of its sidechain. */
  readonly sidechains: readonly (readonly Spending[])[];
  readonly byDay: ReadonlyMap<string, Spending>;
  readonly byModel: ReadonlyMap<string, Spending>;
  /** Models that were used and have no price. */
  readonly unpriced: readonly string[];
};

export const NO_SPENDING: Spending = { responses: 0, usage: NO_USAGE, costUsd: 0 };

/** COST-1, COST-3: every response once over all files; a copy counts for the first session of its chain. `order` puts sources first. */
export const sumCosts = (digests: readonly SessionDigest[], order: readonly number[], prices: PriceTable): Costs => {
  const sessions = digests.map(() => createSum());
  const sidechains = digests.map((digest) => digest.sidechains.map(() => createSum()));
  const byDay = new Map<string, Sum>();
  const byModel = new Map<string, Sum>();
  const unpriced = new Set<string>();
  const total = createSum();
  for (const response of distinctResponses(digests, order)) {
    const model = response.model ?? 'unknown';
    const price = priceOf(prices, model);
    // COST-4: old versions wrote down themselves what a response cost; they knew.
    const cost = Number.isFinite(response.cost) ? response.cost : price === null ? 0 : costOf(price, response.usage);
    if (price === null && !Number.isFinite(response.cost)) unpriced.add(model);
    const sums = [total, sessions[response.session], sidechains[response.session]?.[response.sidechain], sumFor(byModel, model)];
    if (Number.isFinite(response.at)) sums.push(sumFor(byDay, formatDay(response.at)));
    for (const sum of sums) if (sum !== undefined) addTo(sum, response.usage, cost);
  }
  return { total, sessions, sidechains, byDay: sorted(byDay), byModel: sorted(byModel), unpriced: [...unpriced].sort() };
};

export const addSpending = (a: Spending, b: Spending): Spending => ({
  responses: a.responses + b.responses,
  usage: addUsage(a.usage, b.usage),
  costUsd: a.costUsd + b.costUsd,
});

type Distinct = {
  readonly requestId: string | null;
  readonly session: number;
  readonly sidechain: number;
  readonly at: number;
  readonly model: string | null;
  readonly usage: Usage;
  readonly cost: number;
};

const distinctResponses = (digests: readonly SessionDigest[], order: readonly number[]): readonly Distinct[] => {
  const table = createFingerprintTable();
  const found: Distinct[][] = [];
  for (const session of order) {
    const digest = digests[session];
    if (digest === undefined) continue;
    const { messageIds, requestIds, models, modelOf, sidechainOf, numbers } = digest.across.responses;
    for (let i = 0; i < modelOf.length; i += 1) {
      const [input = 0, output = 0, cacheWrite5m = 0, cacheWrite1h = 0, cacheRead = 0, at = 0, cost = 0] = numbers.subarray(i * 7, i * 7 + 7);
      const a = requestIds[i * 2] ?? 0;
      const b = requestIds[i * 2 + 1] ?? 0;
      const copy: Distinct = {
        requestId: a === 0 && b === 0 ? null : `${a}.${b}`,
        session,
        sidechain: sidechainOf[i] ?? -1,
        at,
        model: models[modelOf[i] ?? 0] ?? null,
        usage: { input, output, cacheWrite5m, cacheWrite1h, cacheRead },
        cost,
      };
      const size = table.size();
      const number = table.add(messageIds, i);
      if (number === size) found.push([copy]);
      else keepOwner(found[number] ?? [], copy);
    }
  }
  return found.flat();
};

// The largest copy says how many tokens there were, the first session of the chain whose they were and when.
const keepOwner = (copies: Distinct[], copy: Distinct): void => {
  const owners = [...copies];
  mergeCopy(copies, copy, (_, kept) => kept);
  copies.forEach((winner, i) => {
    const owner = owners[i];
    if (owner !== undefined) copies[i] = { ...winner, session: owner.session, sidechain: owner.sidechain, at: owner.at };
  });
};

type Sum = { responses: number; usage: Usage; costUsd: number };

const createSum = (): Sum => ({ responses: 0, usage: NO_USAGE, costUsd: 0 });

const addTo = (sum: Sum, usage: Usage, cost: number): void => {
  sum.responses += 1;
  sum.usage = addUsage(sum.usage, usage);
  sum.costUsd += cost;
};

const sumFor = (sums: Map<string, Sum>, key: string): Sum => {
  const known = sums.get(key);
  if (known !== undefined) return known;
  const sum = createSum();
  sums.set(key, sum);
  return sum;
};

const sorted = (sums: ReadonlyMap<string, Sum>): ReadonlyMap<string, Spending> => new Map([...sums].sort(([a], [b]) => (a < b ? -1 : 1)));
