import { STOP } from '../text/lexicon/finding-words.ts';
import { stemOf } from '../text/stems.ts';
import { TOPICS } from './topics.ts';

/** `words` are the matching words of the text; the score is 0 if none match. */
export type SkillFit = { readonly score: number; readonly isExact: boolean; readonly words: readonly string[] };

/** The list at this index fits. */
export type Fitting = { readonly at: number; readonly fit: SkillFit };

export type Skills = {
  readonly fit: (text: string, specialties: readonly string[]) => SkillFit;
  /** The lists that fit one of the wanted texts, by the best of these: groups that fit equally well, best first. */
  readonly groups: (wanted: readonly string[], lists: readonly (readonly string[])[]) => readonly (readonly Fitting[])[];
};

/** LOAD-14, LOAD-16: how well specialties fit a text. Results are cached; two instances give equal answers nevertheless. */
export const createSkills = (): Skills => {
  const lists = new WeakMap<readonly string[], readonly Skill[]>();
  const texts = new Map<string, Asked>();

  const skillsOf = (specialties: readonly string[]): readonly Skill[] => {
    const known = lists.get(specialties) ?? specialties.map(skillOf);
    lists.set(specialties, known);
    return known;
  };

  const askedIn = (text: string): Asked => {
    const known = texts.get(text) ?? askedOf(text);
    if (!texts.has(text) && texts.size >= MOST_TEXTS) texts.clear();
    texts.set(text, known);
    return known;
  };

  const fitOf = (text: string, specialties: readonly string[]): SkillFit => {
    const asked = askedIn(text);
    const known = asked.fits.get(specialties);
    if (known !== undefined) return known;
    let [best, sum, isExact] = [0, 0, false];
    const words = new Set<string>();
    for (const skill of skillsOf(specialties)) {
      const score = scoreOf(asked, skill, words);
      sum += score;
      best = Math.max(best, score);
      isExact ||= skill.name !== '' && skill.name === asked.name;
    }
    const fit =
      best === 0 && !isExact ? NO_FIT : { score: Math.max(best, isExact ? NAMED : 0) + (sum - best) * SHARE_OF_OTHERS, isExact, words: [...words] };
    asked.fits.set(specialties, fit);
    return fit;
  };

  const groupsOf = (wanted: readonly string[], lists: readonly (readonly string[])[]): readonly (readonly Fitting[])[] => {
    const groups = new Map<number, Fitting[]>();
    for (const [at, list] of lists.entries()) {
      const fit = list.length === 0 ? null : bestOf(wanted.map((text) => fitOf(text, list)));
      if (fit === null) continue;
      const grade = gradeOf(fit);
      const group = groups.get(grade) ?? [];
      if (group.push({ at, fit }) === 1) groups.set(grade, group);
    }
    return [...groups].toSorted(([a], [b]) => b - a).map(([, group]) => group);
  };

  /** By the array of lists: a roster hardly ever changes, and the answers about the one before are of no use. */
  const answers = new WeakMap<readonly (readonly string[])[], Map<string, readonly (readonly Fitting[])[]>>();

  return {
    fit: fitOf,
    groups: (wanted, lists) => {
      const known = answers.get(lists) ?? new Map<string, readonly (readonly Fitting[])[]>();
      const key = JSON.stringify(wanted);
      const groups = known.get(key) ?? groupsOf(wanted, lists);
      if (!known.has(key) && known.size >= MOST_QUESTIONS) known.clear();
      known.set(key, groups);
      answers.set(lists, known);
      return groups;
    },
  };
};

const bestOf = (fits: readonly SkillFit[]): SkillFit | null => {
  let best: SkillFit | null = null;
  for (const fit of fits) if (fit.score > 0 && (best === null || isBetter(fit, best))) best = fit;
  return best;
};

const isBetter = (a: SkillFit, b: SkillFit): boolean => (a.isExact === b.isExact ? a.score > b.score : a.isExact);

/** Whoever names it comes first; nearly equal scores count as equal. */
const gradeOf = ({ score, isExact }: SkillFit): number => Math.round(score * 2) + (isExact ? ABOVE_ALL : 0);

/** A specialty: its words, and the fields they belong to. */
type Skill = { readonly name: string; readonly stems: readonly string[]; readonly fields: ReadonlySet<number> };

/** A request: its words by their stems, the fields they belong to, and how earlier lists fitted it. */
type Asked = {
  readonly name: string;
  readonly words: ReadonlyMap<string, string>;
  readonly fields: ReadonlyMap<number, readonly string[]>;
  readonly fits: WeakMap<readonly string[], SkillFit>;
};

const scoreOf = ({ words, fields }: Pick<Asked, 'words' | 'fields'>, { stems, fields: own }: Skill, fitting: Set<string>): number => {
  const telling = stems.filter((stem) => !VAGUE.has(stem));
  const wanted = telling.length === 0 ? stems : telling;
  const met = wanted.filter((stem) => words.has(stem));
  for (const stem of met) fitting.add(words.get(stem) ?? stem);
  const vague = telling.length === 0 ? 0 : stems.filter((stem) => VAGUE.has(stem) && words.has(stem)).length;
  const named = wanted.length === 0 ? 0 : (NAMED * met.length) / wanted.length + vague * VAGUE_WORTH;
  let known = 0;
  for (const field of own) {
    const found = fields.get(field) ?? [];
    // A field with few words is narrower, and says more.
    const worth = found.length === 0 ? 0 : (FIELD_WORTH + (Math.min(found.length, MOST_WORDS) - 1) * WORD_WORTH) * (NARROW[field] ?? 1);
    if (worth > 0) for (const word of found) fitting.add(word);
    known = Math.max(known, worth);
  }
  return named + known;
};

const skillOf = (specialty: string): Skill => {
  const { name, stems } = readOf(specialty);
  const all = stems.map(([stem]) => stem);
  const fields = new Set(phrasesOf(all).flatMap((phrase) => BY_NAME.get(phrase) ?? []));
  return { name, stems: all, fields };
};

const askedOf = (text: string): Asked => {
  const { name, stems } = readOf(text);
  const fields = new Map<number, string[]>();
  const spelt = new Map(stems);
  const all = stems.map(([stem]) => stem);
  for (const phrase of new Set(phrasesOf(all)))
    for (const field of BY_WORD.get(phrase) ?? []) {
      const word = phrase
        .split(' ')
        .map((stem) => spelt.get(stem) ?? stem)
        .join(' ');
      fields.set(field, [...(fields.get(field) ?? []), word]);
    }
  return { name, words: spelt, fields, fits: new WeakMap() };
};

/** Words and pairs of neighbours: "load testing" is different from load and testing. */
const phrasesOf = (stems: readonly string[]): readonly string[] => [...stems, ...stems.slice(1).map((stem, at) => `${stems[at] ?? ''} ${stem}`)];

const readOf = (text: string): { readonly name: string; readonly stems: readonly (readonly [string, string])[] } => {
  const words = [...text.slice(0, MOST_READ).toLowerCase().matchAll(WORD)].map(([word]) => word).flatMap(withParts);
  const stems = words.filter((word) => !STOP.has(word) && !FILLERS.has(word)).map((word) => [formOf(word), word] as const);
  return { name: stems.map(([stem]) => stem).join(' '), stems };
};

/** `end-to-end` as it is, and in its parts. */
const withParts = (word: string): readonly string[] =>
  (/[-_/]/u.test(word) ? [word.replaceAll(/[-_/]/gu, ''), ...word.split(/[-_/]/u)] : [word]).filter((part) => part !== '');

const formOf = (word: string): string => {
  const plain = SHORT.get(word) ?? word;
  const stem = stemOf(plain);
  return SHORT.get(stem) ?? stem;
};

const MOST_READ = 4000;
const WORD = /[\p{L}\p{N}.%]*[\p{L}][\p{L}\p{N}]*(?:[-_/'’][\p{L}\p{N}]+)*(?:\+\+|\+|#)?/gu;
const wordsIn = (words: string): readonly string[] => words.split(/\s+/u).filter((word) => word !== '');

/** Spelling variants. */
const SHORT: ReadonlyMap<string, string> = new Map(
  [
    'kubernetes k8s kube',
    'database db dbs databases',
    'postgres postgresql pg psql',
    'javascript js',
    'typescript ts',
    'golang go',
    'accessibility a11y',
    'internationalization i18n internationalisation',
    'localization l10n localisation',
    'authentication auth authn login signin',
    'authorization authz authorisation',
    'performance perf',
    'infrastructure infra',
    'documentation docs doc documents',
    'optimization optimisation optimise optimize',
    'visualization visualisation viz',
    'machinelearning ml',
    'mongodb mongo',
    'elasticsearch elastic',
    'organisation organization',
    'regex regexp regexes',
    'haskell haskeller',
  ].flatMap((line) => {
    const [first = '', ...others] = wordsIn(line);
    return others.map((word) => [word, first] as const);
  }),
);

const FILLERS: ReadonlySet<string> = new Set(
  wordsIn(`someone somebody anyone person people guy expert experts specialist wizard guru knows know knowing good great help helps need needs needed who can could
    please want wants with about from engineer engineers developer developers dev programmer admin administrator admins our my the this that these those for and`),
);

/** Words of many trades: they say little on their own. */
const VAGUE: ReadonlySet<string> = new Set(
  wordsIn(`management engineering development administration analysis system systems design testing programming processing service services web data software
    technical technology general application app code tools operation operations planning research review modelling science computer digital
    response building build user content online cloud api server machine security performance`).map(stemOf),
);

type Field = { readonly names: readonly string[]; readonly words: readonly string[] };

const FIELDS: readonly Field[] = TOPICS.map((row) => {
  const [names = '', words = ''] = row.split(':');
  const phrases = (text: string): readonly string[] =>
    text
      .split(',')
      .map((phrase) =>
        readOf(phrase)
          .stems.map(([stem]) => stem)
          .join(' '),
      )
      .filter((phrase) => phrase !== '');
  const own = phrases(names);
  return { names: own, words: [...new Set([...own, ...phrases(words.trim().replaceAll(/\s+/gu, ',').replaceAll('_', ' '))])] };
});

const indexed = (of: (field: Field) => readonly string[]): ReadonlyMap<string, readonly number[]> => {
  const index = new Map<string, number[]>();
  for (const [at, field] of FIELDS.entries()) for (const phrase of of(field)) index.set(phrase, [...(index.get(phrase) ?? []), at]);
  return index;
};

const BY_NAME = indexed(({ names }) => names);
const BY_WORD = indexed(({ words }) => words);

const MOST_TEXTS = 50;
const MOST_QUESTIONS = 200;
// More than any score.
const ABOVE_ALL = 1e6;
const MOST_WORDS = 4;
const NAMED = 3;
const VAGUE_WORTH = 0.4;
const FIELD_WORTH = 1.4;
const WORD_WORTH = 0.5;
const SHARE_OF_OTHERS = 0.25;
const NARROW: readonly number[] = FIELDS.map(({ words }) => (words.length > 40 ? 0.85 : 1));
const NO_FIT: SkillFit = { score: 0, isExact: false, words: [] };
