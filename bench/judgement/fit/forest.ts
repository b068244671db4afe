import type { Model, Tree } from '../../../packages/language/src/learned/forest.ts';
import { leafOf } from '../../../packages/language/src/learned/forest.ts';

export type Row = { readonly values: Float64Array; readonly isRight: boolean; readonly weight: number };
export type Settings = {
  readonly trees: number;
  readonly depth: number;
  readonly rate: number;
  readonly leaf: number;
  readonly lambda: number;
  /** Which share of the names and of the rows each tree looks at. */
  readonly names: number;
  readonly rows: number;
  readonly seed: number;
};

/** Equal seeds give equal models. */
const random = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};
const chance = (sum: number): number => 1 / (1 + Math.exp(-sum));

/** Values fall into a few bins, so that a choice is found in one pass. */
const BINS = 24;
type Binned = { readonly edges: readonly number[]; readonly bins: Uint8Array };
const binned = (rows: readonly Row[], name: number): Binned => {
  const values = Float64Array.from(rows, ({ values: all }) => all[name] ?? 0).toSorted();
  const distinct = [...new Set(values)];
  const edges: number[] = [];
  if (distinct.length <= BINS)
    for (let at = 1; at < distinct.length; at += 1) edges.push(rounded(((distinct[at - 1] ?? 0) + (distinct[at] ?? 0)) / 2));
  else
    for (let at = 1; at < BINS; at += 1) {
      const edge = rounded(values[Math.floor((at * values.length) / BINS)] ?? 0);
      if (edge > (edges.at(-1) ?? -Infinity)) edges.push(edge);
    }
  const bins = Uint8Array.from(rows, ({ values: all }) => {
    let bin = 0;
    while (bin < edges.length && (all[name] ?? 0) >= (edges[bin] ?? 0)) bin += 1;
    return bin;
  });
  return { edges, bins };
};
/** As it will be written. */
const rounded = (value: number): number => Number(value.toPrecision(3));

/** Gradient boosting with the logistic loss. */
const fitForest = (rows: readonly Row[], settings: Settings): { readonly bias: number; readonly trees: readonly Tree[] } => {
  const { depth, rate, leaf, lambda } = settings;
  const columns = Array.from({ length: rows[0]?.values.length ?? 0 }, (_, name) => binned(rows, name));
  const next = random(settings.seed);
  const all = rows.reduce((sum, { weight }) => sum + weight, 0);
  const right = rows.reduce((sum, { weight, isRight }) => sum + (isRight ? weight : 0), 0);
  const bias = Math.log(right / (all - right));
  const sums = new Float64Array(rows.length).fill(bias);
  const slopes = new Float64Array(rows.length);
  const bends = new Float64Array(rows.length);

  const grow = (ids: readonly number[], names: readonly number[], left: number): Tree => {
    let [slope, bend] = [0, 0];
    for (const id of ids) {
      slope += slopes[id] ?? 0;
      bend += bends[id] ?? 0;
    }
    const value = (rate * slope) / (bend + lambda);
    if (left === 0 || ids.length < 2 * leaf) return value;
    let [most, of, bin] = [1e-3, -1, -1];
    const before = (slope * slope) / (bend + lambda);
    const [slopeIn, bendIn, countIn] = [new Float64Array(BINS + 1), new Float64Array(BINS + 1), new Int32Array(BINS + 1)];
    for (const name of names) {
      const column = columns[name];
      if (column === undefined) continue;
      slopeIn.fill(0);
      bendIn.fill(0);
      countIn.fill(0);
      for (const id of ids) {
        const at = column.bins[id] ?? 0;
        slopeIn[at] = (slopeIn[at] ?? 0) + (slopes[id] ?? 0);
        bendIn[at] = (bendIn[at] ?? 0) + (bends[id] ?? 0);
        countIn[at] = (countIn[at] ?? 0) + 1;
      }
      let [slopeBelow, bendBelow, below] = [0, 0, 0];
      for (let at = 0; at < column.edges.length; at += 1) {
        slopeBelow += slopeIn[at] ?? 0;
        bendBelow += bendIn[at] ?? 0;
        below += countIn[at] ?? 0;
        if (below < leaf || ids.length - below < leaf) continue;
        const gain =
          (slopeBelow * slopeBelow) / (bendBelow + lambda) + ((slope - slopeBelow) * (slope - slopeBelow)) / (bend - bendBelow + lambda) - before;
        if (gain > most) [most, of, bin] = [gain, name, at];
      }
    }
    const column = columns[of];
    if (column === undefined) return value;
    return {
      of,
      at: column.edges[bin] ?? 0,
      below: grow(
        ids.filter((id) => (column.bins[id] ?? 0) <= bin),
        names,
        left - 1,
      ),
      above: grow(
        ids.filter((id) => (column.bins[id] ?? 0) > bin),
        names,
        left - 1,
      ),
    };
  };

  const trees: Tree[] = [];
  for (let at = 0; at < settings.trees; at += 1) {
    for (const [id, { isRight, weight }] of rows.entries()) {
      const likely = chance(sums[id] ?? 0);
      slopes[id] = weight * ((isRight ? 1 : 0) - likely);
      bends[id] = weight * likely * (1 - likely);
    }
    const ids = rows.flatMap((_, id) => (next() < settings.rows ? [id] : []));
    const names = columns.flatMap(({ edges }, name) => (edges.length > 0 && next() < settings.names ? [name] : []));
    const tree = grow(ids, names, depth);
    trees.push(tree);
    for (const [id, { values }] of rows.entries()) sums[id] = (sums[id] ?? 0) + leafOf(tree, values);
  }
  return { bias, trees };
};

/** Logistic regression with a penalty for each name, by gradient descent on evidence of equal spread. */
export const fitLinear = (
  rows: readonly Row[],
  ridge: readonly number[],
  steps = 250,
): { readonly bias: number; readonly weights: readonly number[] } => {
  const count = ridge.length;
  const means = ridge.map((_, name) => rows.reduce((sum, { values }) => sum + (values[name] ?? 0), 0) / rows.length);
  const spreads = ridge.map((_, name) =>
    Math.max(LEAST_SPREAD, Math.sqrt(rows.reduce((sum, { values }) => sum + ((values[name] ?? 0) - (means[name] ?? 0)) ** 2, 0) / rows.length)),
  );
  const even = rows.map(({ values }) => Float64Array.from(values, (value, name) => (value - (means[name] ?? 0)) / (spreads[name] ?? 1)));
  const all = rows.reduce((sum, { weight }) => sum + weight, 0);
  const [betas, speeds, slopes] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)];
  let [bias, speed] = [0, 0];
  for (let step = 0; step < steps; step += 1) {
    slopes.fill(0);
    let slope = 0;
    for (const [id, { isRight, weight }] of rows.entries()) {
      const values = even[id];
      if (values === undefined) continue;
      let sum = bias;
      for (let name = 0; name < count; name += 1) sum += (betas[name] ?? 0) * (values[name] ?? 0);
      const off = weight * (chance(sum) - (isRight ? 1 : 0));
      slope += off;
      for (let name = 0; name < count; name += 1) slopes[name] = (slopes[name] ?? 0) + off * (values[name] ?? 0);
    }
    for (let name = 0; name < count; name += 1) {
      const change = ((slopes[name] ?? 0) + (ridge[name] ?? 0) * (betas[name] ?? 0)) / all;
      speeds[name] = 0.9 * (speeds[name] ?? 0) - STEP * change;
      betas[name] = (betas[name] ?? 0) + (speeds[name] ?? 0);
    }
    speed = 0.9 * speed - (STEP * slope) / all;
    bias += speed;
  }
  const weights = [...betas].map((beta, name) => beta / (spreads[name] ?? 1));
  return { bias: weights.reduce((sum, weight, name) => sum - weight * (means[name] ?? 0), bias), weights };
};
const LEAST_SPREAD = 0.1;
const STEP = 0.3;

/** Both together err less than either: `share` is how much of the linear sum is added to that of the trees. */
export const fitBoth = (
  rows: readonly Row[],
  names: readonly string[],
  ridge: (name: string) => number,
  settings: Settings,
  share: number,
): Model => {
  const forest = fitForest(rows, settings);
  const linear = fitLinear(rows, names.map(ridge));
  return { names, trees: forest.trees, weights: linear.weights.map((weight) => weight * share), bias: forest.bias + linear.bias * share };
};
