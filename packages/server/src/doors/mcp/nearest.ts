import type { Operation } from '@yarnboard/protocol';

/** The operation that somebody may have meant, by its name or by its words in a terminal; null when nothing is like it. */
export const nearestTool = (wanted: string, registry: Readonly<Record<string, Operation>>): string | null => {
  const said = pairsOf(wanted);
  const [best] = Object.values(registry)
    .map(({ name, terminal }) => ({ name, like: Math.max(...[name, terminal?.words.join('_') ?? ''].map((one) => likeness(said, pairsOf(one)))) }))
    .toSorted((a, b) => b.like - a.like);
  return best === undefined || best.like < LEAST ? null : best.name;
};

/** Two letters each: words that are turned round (`spawn_sidebar`) have nearly all of them in common. */
const pairsOf = (text: string): ReadonlySet<string> => {
  const words = text
    .toLowerCase()
    .split(/[^a-z0-9]+/u)
    .filter((word) => word !== '')
    .map((word) => ` ${word} `);
  return new Set(words.flatMap((word) => Array.from({ length: word.length - 1 }, (_, at) => word.slice(at, at + 2))));
};

const likeness = (a: ReadonlySet<string>, b: ReadonlySet<string>): number =>
  (2 * [...a].filter((pair) => b.has(pair)).length) / Math.max(1, a.size + b.size);

const LEAST = 0.4;
