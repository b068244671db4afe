import { conceptOf } from '../text/lexicon/antonyms.ts';
import { rivalClassOf, rivalNameOf } from '../text/lexicon/rivals.ts';
import { partsOfName, scanText } from '../text/scan.ts';
import { stemOf } from '../text/stems.ts';
import { HEDGES, PHRASES } from '../text/lexicon/finding-words.ts';

/** A word in lower case, or a mark that ends a clause. */
export type Token = {
  readonly word: string;
  /** The pieces of an identifier (`maxReplicas`, `users.email`); empty for a plain word. */
  readonly pieces: readonly string[];
  /** One name for the forms, spellings and opposites of a word. */
  readonly name: string;
  /** The word is the negative one of a pair of opposites. */
  readonly negative: boolean;
  /** In backticks, or the beginning of a path. */
  readonly code: boolean;
  readonly mark: '' | 'sentence' | 'clause' | 'comma' | 'label';
};

/** A commit hash. */
const HASH = /^(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{7,40}$/iu;
const LONGEST_WORD = 64;
/** Only the beginning of a text longer than any finding is read, so that one huge text can't hold up the others. */
const MOST_TOKENS = 6000;
const CONTRACTED: ReadonlyMap<string, readonly string[]> = new Map(
  [
    ["can't", 'can not'],
    ['cannot', 'can not'],
    ["won't", 'will not'],
    ["shan't", 'shall not'],
    ["it's", 'it is'],
    ["that's", 'that is'],
    ["there's", 'there is'],
    ["here's", 'here is'],
    ["what's", 'what is'],
    ["who's", 'who is'],
    ["they're", 'they are'],
    ["we're", 'we are'],
    ["you're", 'you are'],
    ["i'm", 'i am'],
    ["we've", 'we have'],
    ["i've", 'i have'],
    ["they've", 'they have'],
    ['dont', 'do not'],
    ['doesnt', 'does not'],
    ['isnt', 'is not'],
    ['wont', 'will not'],
  ].map(([from = '', to = '']) => [from, to.split(' ')]),
);
const MARKS: Readonly<Record<string, Token['mark']>> = {
  '.': 'sentence',
  '!': 'sentence',
  '?': 'sentence',
  '\n': 'sentence',
  '|': 'clause',
  ';': 'clause',
  '(': 'clause',
  ')': 'clause',
  '—': 'clause',
  '–': 'clause',
  ',': 'comma',
  ':': 'label',
};

export const tokensOf = (text: string): readonly Token[] => withoutHedges(joinPhrases(scan(text)));

const plain = (word: string): Token => tokenOf(word, []);
const tokenOf = (word: string, pieces: readonly string[]): Token => {
  if (pieces.length > 0) return { word, pieces, name: word, negative: false, code: false, mark: '' };
  const concept = conceptOf(word);
  return { word, pieces, name: rivalNameOf(concept.name), negative: concept.negative, code: false, mark: '' };
};

/** Signs with a meaning between words, besides the marks. */
const SIGNS: ReadonlySet<string> = new Set('=<>≥≤~%$€£');

const scan = (text: string): Token[] => {
  const tokens: Token[] = [];
  let ticks = 0;
  scanText(text, {
    word: (from, to) => {
      const raw = text.slice(from, Math.min(to, from + LONGEST_WORD));
      if (tokens.length >= MOST_TOKENS || isMarkdown(text, raw, from)) return;
      const code = ticks % 2 === 1 || text[from - 1] === '/' || HASH.test(raw);
      const words = wordTokens(raw.replaceAll('’', "'"), code);
      tokens.push(...(code ? words.map((token) => ({ ...token, code })) : words));
    },
    sign: (at) => {
      const raw = text.charAt(at);
      if (raw === '`') ticks += 1;
      const mark = MARKS[raw];
      if (tokens.length >= MOST_TOKENS || (mark === undefined && !SIGNS.has(raw)) || isMarkdown(text, raw, at)) return;
      if (mark === undefined) tokens.push({ ...plain(raw), code: ticks % 2 === 1 });
      else if (!isPartOfName(text, raw, at)) tokens.push({ word: raw, pieces: [], name: raw, negative: false, code: false, mark });
    },
  });
  return tokens;
};

/** `f(x)`; also `.nvmrc` and `:id`, where the sign begins the name. */
const isPartOfName = (text: string, raw: string, at: number): boolean => {
  const before = text[at - 1] ?? ' ';
  if ((raw === '(' && /[\p{L}\p{N}_]/u.test(before)) || (raw === ')' && before === '(')) return true;
  return (raw === '.' || raw === ':') && /\s|[`'"(/]/u.test(before) && /[\p{L}\p{N}_]/u.test(text[at + 1] ?? ' ');
};

/** A quote's `>`, a list's `1.`, the tildes of struck-through text: Markdown, not part of the sentence. */
const isMarkdown = (text: string, raw: string, at: number): boolean => {
  if (raw === '~') return text[at + 1] === '~' || text[at - 1] === '~';
  if (raw === '>') return startsLine(text, at);
  if (raw === '.') return /\d/u.test(text[at - 1] ?? '') && text[at + 1] === ' ' && isListNumber(text, at - 1);
  return /^\d{1,3}$/u.test(raw) && text[at + raw.length] === '.' && text[at + raw.length + 1] === ' ' && startsLine(text, at);
};
// Looks back only a few characters, because a line may have a long run of spaces.
const startsLine = (text: string, at: number): boolean =>
  /(?:^|\n)[ \t>*#-]{0,12}$/u.test(text.slice(Math.max(0, at - 13), at)) && (at < 13 || text.slice(at - 13, at).includes('\n'));
const isListNumber = (text: string, last: number): boolean => {
  let first = last;
  while (first > 0 && last - first < 3 && /\d/u.test(text[first - 1] ?? '')) first -= 1;
  return startsLine(text, first);
};

const wordTokens = (raw: string, code: boolean): readonly Token[] => {
  if (/^[a-z]+$/u.test(raw) && !CONTRACTED.has(raw)) return [plain(raw)];
  const word = raw.toLowerCase();
  const contracted = CONTRACTED.get(word);
  if (contracted !== undefined) return contracted.map(plain);
  if (word.endsWith("n't")) return [plain(word.slice(0, -3)), plain('not')];
  const owned = word.endsWith("'s") ? word.slice(0, -2) : word.endsWith("'") ? word.slice(0, -1) : word;
  if (/^[\d,.:-]+$/u.test(owned)) return [plain(owned)];
  const rate = /^([a-z]+)\/(s|sec|second|min|minute|h|hour|day)$/u.exec(owned);
  if (rate !== null) return [plain(rate[1] ?? ''), plain('per'), plain(rate[2] ?? '')];
  const tagged = /^([a-z]+):([a-z][\w.-]*)$/u.exec(owned);
  if (tagged !== null && rivalClassOf(stemOf(tagged[1] ?? '')) !== undefined) return [plain(tagged[1] ?? '')];
  const image = /^([a-z][\w./-]*):(\d[\w.]*)$/u.exec(owned);
  if (image !== null) return [...wordTokens(image[1] ?? '', code), plain(image[2] ?? '')];
  if (!code && /^[\p{L}]+(?:-[\p{L}]+)+$/u.test(owned)) return owned.split('-').map(plain);
  // `NotReady` and `CrashLoopBackOff` are words of the tables in a different spelling.
  if (!code && /^[A-Z][A-Za-z]+$/u.test(raw) && conceptOf(owned).name !== stemOf(owned)) return [plain(owned)];
  const pieces = piecesOf(raw.endsWith("'s") ? raw.slice(0, -2) : raw);
  return [tokenOf(owned, pieces.length > 1 && !/^v?\d/u.test(owned) ? pieces : [])];
};
const piecesOf = (raw: string): readonly string[] => partsOfName(raw).map((piece) => piece.toLowerCase());

const joinPhrases = (tokens: readonly Token[]): readonly Token[] => {
  const joined: Token[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const [one = '', two = '', three = ''] = [tokens[at]?.word, tokens[at + 1]?.word, tokens[at + 2]?.word];
    const long = PHRASES.get(`${one} ${two} ${three}`);
    const short = PHRASES.get(`${one} ${two}`);
    const token = tokens[at];
    if (long !== undefined) {
      joined.push(plain(long));
      at += 2;
    } else if (short !== undefined) {
      joined.push(plain(short));
      at += 1;
    } else if (token !== undefined) joined.push(token);
  }
  return joined;
};

const hedgeTable = (): ReadonlyMap<string, readonly (readonly string[])[]> => {
  const table = new Map<string, (readonly string[])[]>();
  for (const hedge of HEDGES) {
    const words = hedge.flatMap((word) => CONTRACTED.get(word) ?? [word]);
    table.set(
      words[0] ?? '',
      [...(table.get(words[0] ?? '') ?? []), words].toSorted((a, b) => b.length - a.length),
    );
  }
  return table;
};
const TABLE = hedgeTable();

/** "nobody has confirmed that …" isn't a preface: it says that the matter is open. */
const UNHEDGED: ReadonlySet<string> = new Set(['has', 'have', 'not', 'been', 'nobody']);
const withoutHedges = (tokens: readonly Token[]): readonly Token[] => {
  const kept: Token[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token === undefined) continue;
    const hedge = (TABLE.get(token.word) ?? []).find((words) => words.every((word, i) => tokens[at + i]?.word === word));
    if (hedge === undefined || UNHEDGED.has(tokens[at - 1]?.word ?? '')) {
      kept.push(token);
      continue;
    }
    at += hedge.length - 1;
    const next = tokens[at + 1]?.mark;
    if ((next === 'comma' || next === 'label') && (kept.length === 0 || kept.at(-1)?.mark !== '')) at += 1;
  }
  return kept;
};
