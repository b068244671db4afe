import { hasSecrets } from './masking.ts';

/** The names that may have been meant, likeliest first; none if nothing is similar. A secret resembles nothing (SEC-26). */
export const nearestOf = (wanted: string, names: readonly string[], most = 3): readonly string[] => {
  const said = pairsOf(wanted);
  return names
    .map((name) => ({ name, like: likeness(said, pairsOf(name)) }))
    .filter(({ name, like }) => like >= LEAST && !hasSecrets(name))
    .toSorted((a, b) => b.like - a.like)
    .slice(0, most)
    .map(({ name }) => name);
};

/** Pairs of letters: swapped words (`spawn_sidebar`) share nearly all of them. */
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

const LEAST = 0.45;
