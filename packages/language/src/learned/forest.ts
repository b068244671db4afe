/**
 * A score that was learned from labelled texts: a sum over small trees, and a linear sum beside it. Both are tables of numbers that somebody can read; what
 * they are asked about is named.
 */
export type Model = {
  /** What each number of the evidence is called. */
  readonly names: readonly string[];
  readonly trees: readonly Tree[];
  readonly weights: readonly number[];
  readonly bias: number;
};
/** What a leaf adds, or which of the evidence decides where to look next: below `at`, or from there on. */
export type Tree = number | { readonly of: number; readonly at: number; readonly below: Tree; readonly above: Tree };

export const scoreOf = ({ names, trees, weights, bias }: Model, evidence: Readonly<Record<string, number>>): number => {
  const values = Float64Array.from(names, (name) => finite(evidence[name]));
  let sum = bias;
  for (const [at, weight] of weights.entries()) sum += weight * (values[at] ?? 0);
  for (const tree of trees) sum += leafOf(tree, values);
  return 1 / (1 + Math.exp(-sum));
};

/** What can't be measured says nothing: otherwise one number would make the whole score NaN, which no threshold keeps out reliably. */
const finite = (value = 0): number => (Number.isFinite(value) ? value : 0);

export const leafOf = (tree: Tree, values: ArrayLike<number>): number => {
  let node = tree;
  while (typeof node !== 'number') node = (values[node.of] ?? 0) < node.at ? node.below : node.above;
  return node;
};

/** The bias, each name with its weight, and each tree, with semicolons between: `3<0.5 0.1 -0.2` is a choice and its two leaves. */
export const readModel = (table: string): Model => {
  const [bias = '', ...lines] = table.trim().split(/;\s*/u);
  const named = lines.filter((line) => line.startsWith('='));
  return {
    bias: Number(bias),
    names: named.map((line) => line.slice(1, line.lastIndexOf(' '))),
    weights: named.map((line) => Number(line.slice(line.lastIndexOf(' ') + 1))),
    trees: lines.filter((line) => !line.startsWith('=')).map((line) => treeOf(line.split(' ')[Symbol.iterator]())),
  };
};

/** As deep as the trees are, which is a few choices. */
const treeOf = (words: Iterator<string>): Tree => {
  const word = String(words.next().value ?? '0');
  const at = word.indexOf('<');
  if (at < 0) return Number(word);
  return { of: Number(word.slice(0, at)), at: Number(word.slice(at + 1)), below: treeOf(words), above: treeOf(words) };
};

const short = (value: number): string => String(Number(value.toPrecision(3)));
export const writeModel = ({ names, trees, weights, bias }: Model): string => {
  const parts = [short(bias), ...names.map((name, at) => `=${name} ${short(weights[at] ?? 0)}`), ...trees.map(told)];
  return parts.flatMap((_, at) => (at % IN_A_LINE === 0 ? [parts.slice(at, at + IN_A_LINE).join(';')] : [])).join(';\n');
};
const IN_A_LINE = 8;
const told = (tree: Tree): string =>
  typeof tree === 'number' ? short(tree) : `${tree.of}<${short(tree.at)} ${told(tree.below)} ${told(tree.above)}`;
