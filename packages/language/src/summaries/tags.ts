import { isColourless, isWeak, STOP } from '../text/lexicon/finding-words.ts';
import { stemOf } from '../text/stems.ts';

export type TagMaterial = {
  /** The texts of the conversation, weightiest first. */
  readonly texts: readonly { readonly text: string; readonly weight: number }[];
  /** Files that it names or cites. */
  readonly files: readonly string[];
  /** The topics of others on the board: a word that all of them have says nothing. */
  readonly others: readonly string[];
};

/** SUM-4: the words that distinguish this conversation from the others on the board, and its files; never how it ended. */
export const tagsFor = ({ texts, files, others }: TagMaterial, most = MOST_TAGS): readonly string[] => {
  const rarity = rarityIn(others);
  const words = new Map<string, { weight: number; spellings: Map<string, number> }>();
  for (const { text, weight } of texts) {
    const seen = new Set<string>();
    for (const word of wordsOf(text)) {
      const stem = stemOf(word);
      const known = words.get(stem) ?? { weight: 0, spellings: new Map<string, number>() };
      // A word repeated within a text counts less.
      known.weight += seen.has(stem) ? weight / 4 : weight;
      known.spellings.set(word, (known.spellings.get(word) ?? 0) + 1);
      seen.add(stem);
      words.set(stem, known);
    }
  }
  const named = [...new Set([...files, ...texts.flatMap(({ text }) => filesIn(text))].map((path) => path.split('/').at(-1)?.toLowerCase() ?? ''))]
    .filter((name) => name.length > 2 && name.length <= LONGEST_TAG)
    .slice(0, MOST_FILES);
  const telling = [...words]
    .map(([stem, { weight, spellings }]) => ({ word: commonest(spellings), score: weight * rarity(stem) * (isWeak(stem) ? 0.4 : 1) }))
    .filter(({ word, score }) => score >= LEAST && !named.some((name) => name.split('.')[0] === word))
    .sort((a, b) => b.score - a.score || (a.word < b.word ? -1 : 1))
    .slice(0, Math.max(0, most - named.length));
  return [...telling.map(({ word }) => word), ...named];
};

const rarityIn = (others: readonly string[]): ((stem: string) => number) => {
  const counts = new Map<string, number>();
  for (const text of others) for (const stem of new Set([...wordsOf(text)].map(stemOf))) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  return (stem) => Math.log((others.length + 2) / ((counts.get(stem) ?? 0) + 1));
};

/** Words of letters, including inner signs (`rate-limit`, `c++`, `user_id`); no numbers, no addresses. */
const wordsOf = function* (text: string): Generator<string, void, undefined> {
  for (const [word] of text.slice(0, MOST_READ).replaceAll(NO_WORDS, ' ').toLowerCase().matchAll(WORD)) {
    if (word.length < 3 || word.length > LONGEST_TAG || STOP.has(word) || DULL.has(word) || isColourless(stemOf(word))) continue;
    yield word;
  }
};

const filesIn = (text: string): readonly string[] => [...text.slice(0, MOST_READ).matchAll(FILE)].map(([path]) => path);

const commonest = (spellings: ReadonlyMap<string, number>): string =>
  [...spellings].reduce((best, one) => (one[1] > best[1] || (one[1] === best[1] && one[0].length < best[0].length) ? one : best))[0];

const WORD = /[\p{L}][\p{L}\p{N}]*(?:[-_][\p{L}\p{N}]+)*(?:\+\+|#)?/gu;
/** References, addresses, files (which are tags of their own), names of people, fenced code. */
const NO_WORDS =
  /```[\s\S]*?(?:```|$)|\b(?:https?:\/\/|www\.)\S+|\b(?:MSG|EXCH|SB|FRAG|CITE|GOLD|SCRATCH|FINDING|AGENT)-[\w:#-]+|@[\w-]+|[\w./-]*\w\.(?:\w{1,5})\b/giu;
const FILE =
  /(?<![\w/.-])[\w./-]{0,200}\w\.(?:tsx?|jsx?|mjs|cjs|py|go|rs|java|kt|swift|rb|php|c|h|cpp|cs|sql|sh|ya?ml|toml|json|conf|cfg|ini|env|md|css|html|tf|proto|gradle|lock|xml)\b/gu;
const DULL: ReadonlySet<string> = new Set(
  'pick choose investigate rename decide move explain analyse analyze compare evaluate review debug implement write build create update improve consider understand figure handle ensure should why how what when where which who whom whose find out check see look does did done fix make made get got use used using need needs want new old still also just like way thing things one two three same other another more most less much many few first second last next time times now then here there yes not can could should would will may might must has have had been being was were are the and for with from into about over under after before between because while than that this these those them they their its our your his her she him you all any some each every both either neither only very too really think know say said tell told seem seems work works working problem issue question answer cause reason result finding findings confirmed decided agreed change changed changes add added remove removed test tests run runs running day days hour hours minute minutes'.split(
    ' ',
  ),
);
const MOST_TAGS = 6;
const MOST_FILES = 2;
const LONGEST_TAG = 40;
const LEAST = 1.2;
const MOST_READ = 20_000;
