import type { SearchAnswer, SearchFilters } from '@yarnboard/store';
import type { Random } from '../tree/random.ts';
import type { Built, Sample } from './board.ts';
import type { ClassName } from './job.ts';
import type { Vocabulary } from '../tree/vocabulary.ts';

export type Ask = {
  readonly name: ClassName;
  readonly text: string;
  readonly filters: SearchFilters;
  /** Null when the answer is right, else what is wrong with it. */
  readonly check: (answer: SearchAnswer) => string | null;
  /** A message that must be found when the question is narrowed down to its session. */
  readonly source: Sample | null;
};

/** Questions of every class, made of what is there. */
export const makeQueries = (random: Random, vocabulary: Vocabulary, built: Built, count: number): readonly Ask[] => {
  const times = <T>(make: (i: number) => T): readonly T[] => Array.from({ length: count }, (_, i) => make(i));
  const withCode = built.samples.filter(({ code }) => code !== null);
  const sampleOf = (samples: readonly Sample[]): Sample => {
    const sample = samples[random.between(0, samples.length - 1)];
    if (sample === undefined) throw new Error('there are no messages to ask for');
    return sample;
  };

  const rare = [...built.watched]
    .filter(([, positions]) => positions.size > 0 && positions.size <= PAGE)
    .slice(0, count)
    .map(([rank, positions]): Ask => ({
      ...PLAIN,
      name: 'rare word',
      text: vocabulary.words[rank] ?? '',
      check: ({ hits }) => differenceFrom(positions, hits),
    }));
  const common = times((i): Ask => ({ ...PLAIN, name: 'common word', text: vocabulary.words[SKIPPED + i] ?? '', check: fullPage }));
  const phrases = times((): Ask => {
    for (;;) {
      const source = sampleOf(built.samples);
      const from = random.between(0, Math.max(0, source.words.length - 3));
      const three = source.words.slice(from, from + 3);
      if (three.length === 3 && Math.max(...three) > 2000)
        return { ...PLAIN, name: 'phrase', text: `"${three.map((rank) => vocabulary.words[rank] ?? '').join(' ')}"`, check: somethingFound, source };
    }
  });
  const misspelled = times((): Ask => {
    for (;;) {
      const { words } = sampleOf(built.samples);
      const meant = vocabulary.words[words.find((rank) => rank > 200) ?? 0] ?? '';
      const typed = misspell(random, meant);
      if (meant.length >= 6 && !vocabulary.has(typed)) {
        return {
          ...PLAIN,
          name: 'misspelled word',
          text: typed,
          check: ({ corrected }) =>
            corrected.get(typed)?.includes(meant) === true ? null : `"${meant}" is not among ${corrected.get(typed)?.join(', ') ?? 'nothing'}`,
        };
      }
    }
  });
  const code = times((): Ask => {
    for (;;) {
      const source = sampleOf(withCode);
      const chunk = (source.code ?? '').split(/\s+/u).find((piece) => CODE.test(piece) && !piece.includes('"'));
      if (chunk !== undefined) return { ...PLAIN, name: 'code with punctuation', text: chunk, check: somethingFound, source };
    }
  });
  const filtered = times((i): Ask => {
    const source = sampleOf(built.samples);
    const rank = source.words.find((candidate) => candidate > 100 && candidate < 20_000) ?? source.words[0] ?? 0;
    return { ...PLAIN, name: 'word with a filter', text: vocabulary.words[rank] ?? '', filters: filterFor(source, i), check: somethingFound, source };
  });
  const commonFiltered = times((i): Ask => {
    const source = sampleOf(built.samples.filter(({ words }) => words.some((rank) => rank >= SKIPPED && rank < SKIPPED + 100)));
    const rank = source.words.find((candidate) => candidate >= SKIPPED && candidate < SKIPPED + 100) ?? 0;
    return {
      ...PLAIN,
      name: 'common word with a filter',
      text: vocabulary.words[rank] ?? '',
      filters: filterFor(source, i),
      check: somethingFound,
      source,
    };
  });
  return [...rare, ...common, ...phrases, ...misspelled, ...code, ...filtered, ...commonFiltered];
};

/** One filter of each kind in turn, each fitting the message. */
const filterFor = (source: Sample, i: number): SearchFilters => {
  const filters: readonly SearchFilters[] = [
    { project: source.project },
    { sessionId: source.sessionId },
    { since: source.at - DAY, until: source.at + DAY },
    { actor: source.place === 'output' ? 'system' : source.place === 'prompt' && source.agentId === null ? 'human' : 'agent' },
    source.tool === null ? { project: source.project } : { tool: source.tool },
    source.model === null ? { sessionId: source.sessionId } : { model: source.model },
    { hasError: source.isError },
    source.agentId === null ? { project: source.project } : { agent: source.agentId },
  ];
  return filters[i % filters.length] ?? {};
};

/** Null when exactly these were found, else what is wrong. */
export const differenceFrom = (wanted: ReadonlySet<number>, hits: SearchAnswer['hits']): string | null => {
  const found = new Set(hits.map(({ position }) => position));
  return found.size === wanted.size && [...wanted].every((position) => found.has(position))
    ? null
    : `is in ${wanted.size} messages, found in ${found.size}`;
};

const fullPage = ({ hits }: SearchAnswer): string | null => (hits.length === PAGE ? null : `only ${hits.length} hits`);
const somethingFound = ({ hits }: SearchAnswer): string | null => (hits.length > 0 ? null : 'no hit');

// One letter left out, doubled, replaced or swapped with its neighbour; never the first.
const misspell = (random: Random, word: string): string => {
  const at = random.between(1, word.length - 2);
  const [before, letter, next, behind] = [word.slice(0, at), word[at] ?? '', word[at + 1] ?? '', word.slice(at + 2)];
  return random.pick([
    `${before}${next}${behind}`,
    `${before}${letter}${letter}${next}${behind}`,
    `${before}q${next}${behind}`,
    `${before}${next}${letter}${behind}`,
  ]);
};

export const PAGE = 50;
const PLAIN = { filters: {}, source: null } as const;
/** Words of two letters that are everywhere, and that nobody looks for; others of that length are planted. */
export const COMMONEST = [
  'to',
  'of',
  'in',
  'it',
  'is',
  'be',
  'as',
  'at',
  'so',
  'we',
  'he',
  'by',
  'or',
  'on',
  'do',
  'if',
  'me',
  'my',
  'up',
  'an',
] as const;
const SKIPPED = COMMONEST.length;
const DAY = 24 * 3_600_000;
const CODE = /\w[.(]\w+[(.]/u;
