import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { parseQuery, toFts5, toTsquery, type Alternatives, type Clause } from '../src/search/query.ts';
import { indexable, wordsOf } from '../src/search/words.ts';

const times = (factor: number): { readonly numRuns: number } => ({ numRuns: factor * (fc.readConfigureGlobal().numRuns ?? 100) });

const database = new Database(':memory:');
database.exec(`CREATE VIRTUAL TABLE entry USING fts5(text, tokenize = "unicode61 remove_diacritics 2")`);
const insert = database.prepare<[string]>('INSERT INTO entry (rowid, text) VALUES (1, ?)');
const clear = database.prepare('DELETE FROM entry');
const match = database.prepare<[string]>('SELECT rowid FROM entry WHERE entry MATCH ?');
afterAll(() => {
  database.close();
});

const fts5Finds = (text: string, expression: string): boolean => {
  clear.run();
  insert.run(indexable(text));
  return match.all(expression).length > 0;
};

/** Reads a tsquery as PostgreSQL does (! before <-> before & before |) and says whether words in this order satisfy it; undefined for a syntax error. */
const tsqueryFinds = (expression: string, words: readonly string[]): boolean | undefined => {
  const tokens = expression.match(/'(?:[^'\\]|''|\\[\s\S])*'(?::\*)?|<->|[&|!()]|[^\s]/gu) ?? [];
  let at = 0;
  let isBroken = false;
  // Where a match ends: a phrase goes on from there.
  type Ends = ReadonlySet<number>;
  const every = (ends: boolean): Ends => new Set(ends ? [-1] : []);
  const lexeme = (): Ends => {
    const token = tokens[at] ?? '';
    at += 1;
    const [, quoted, star] = /^'([\s\S]+)'(:\*)?$/u.exec(token) ?? [];
    if (quoted === undefined) isBroken = true;
    const word = (quoted ?? '').replaceAll("''", "'").replaceAll(/\\([\s\S])/gu, '$1');
    return new Set(words.flatMap((other, place) => ((star === undefined ? other === word : other.startsWith(word)) ? [place] : [])));
  };
  const factor = (): Ends => {
    if (tokens[at] === '!') {
      at += 1;
      return every(factor().size === 0);
    }
    if (tokens[at] !== '(') return lexeme();
    at += 1;
    const inner = either();
    if (tokens[at] !== ')') isBroken = true;
    at += 1;
    return inner;
  };
  const chain = (): Ends => {
    let ends = factor();
    while (tokens[at] === '<->') {
      at += 1;
      const next = factor();
      ends = new Set([...next].filter((place) => ends.has(place - 1)));
    }
    return ends;
  };
  const both = (): Ends => {
    let ends = chain();
    while (tokens[at] === '&') {
      at += 1;
      const next = chain();
      ends = every(ends.size > 0 && next.size > 0);
    }
    return ends;
  };
  const either = (): Ends => {
    let ends = both();
    while (tokens[at] === '|') {
      at += 1;
      ends = new Set([...ends, ...both()]);
    }
    return ends;
  };
  const result = either();
  return isBroken || at < tokens.length ? undefined : result.size > 0;
};

const word = (text: string, more: Partial<Clause & { kind: 'word' }> = {}): Clause => ({
  kind: 'word',
  word: text,
  negated: false,
  prefix: false,
  ...more,
});
const phrase = (words: readonly string[], exact: string | null = null, negated = false): Clause => ({ kind: 'phrase', words, exact, negated });
const clausesOf = (text: string): readonly Clause[] => parseQuery(text).clauses;

const piece = fc.oneof(
  fc.constantFrom(
    'foo',
    'Bar',
    'foo_bar',
    'a->b',
    '日本',
    'é',
    'x2',
    '-',
    '--',
    '"',
    '*',
    ' ',
    '  ',
    "'",
    '\\',
    '(',
    ')',
    '&',
    '|',
    '!',
    ':',
    '^',
    '\0',
    '+',
    '{',
    'NEAR',
    'OR',
    'NOT',
  ),
  fc.string({ unit: 'binary', maxLength: 6 }),
);
const anyQuery = fc.array(piece, { maxLength: 14, size: 'max' }).map((pieces) => pieces.join(''));
const term = fc.constantFrom('foo', 'bar', 'baz', 'fool', 'bár', '日', '本', 'foo bar');
const anyAlternatives: fc.Arbitrary<Alternatives> = fc
  .array(fc.tuple(term, fc.array(fc.oneof(term, fc.string({ unit: 'binary', maxLength: 4 })), { maxLength: 3 })), { maxLength: 3 })
  .map((entries) => new Map(entries));

test('[FIND-4] words are looked for as words, quoted text as a phrase', () => {
  expect(clausesOf('Café  "Hello World" x2')).toEqual([word('cafe'), phrase(['hello', 'world']), word('x2')]);
  expect(clausesOf('日本語 React组件 語')).toEqual([phrase(['日', '本', '語']), phrase(['react', '组', '件']), word('語')]);
});

test('[FIND-4] quotes that are never closed, empty or inside a chunk are tolerated', () => {
  expect(clausesOf('say "hello wor')).toEqual([word('say'), phrase(['hello', 'wor'])]);
  expect(clausesOf('"" " " a"')).toEqual([word('a')]);
  expect(clausesOf('print("hi there')).toEqual([phrase(['print', 'hi'], 'print("hi'), word('there')]);
  expect(clausesOf('"a b"c')).toEqual([phrase(['a', 'b']), word('c')]);
});

test('[FIND-4] no text is refused, however long, and none asks for more than 64 things', () => {
  fc.assert(
    fc.property(fc.oneof(anyQuery, fc.string({ unit: 'binary' })), (text) => {
      for (const clause of clausesOf(text)) {
        const words = clause.kind === 'word' ? [clause.word] : clause.words;
        expect(words).toEqual(wordsOf(words.join(' ')));
        expect(words.length > 0 || (clause.kind === 'phrase' && clause.exact !== null)).toBe(true);
      }
    }),
    times(5),
  );
  expect(clausesOf('word '.repeat(100_000))).toHaveLength(64);
});

test('[FIND-5] a chunk with signs inside is the phrase of its words, to be confirmed as it was typed', () => {
  const confirmed = ['foo_bar.baz(', 'a->b', 'user@host', '--no-open', 'src/main.ts:12', "don't"];
  expect(clausesOf(confirmed.join(' '))).toEqual([
    phrase(['foo', 'bar', 'baz'], 'foo_bar.baz('),
    phrase(['a', 'b'], 'a->b'),
    phrase(['user', 'host'], 'user@host'),
    phrase(['no', 'open'], '--no-open'),
    phrase(['src', 'main', 'ts', '12'], 'src/main.ts:12'),
    phrase(['don', 't'], "don't"),
  ]);
  expect(clausesOf('C++ hello, (x)')).toEqual([word('c'), word('hello'), word('x')]);
  expect(clausesOf('"C++" "if (x)"')).toEqual([phrase(['c'], 'C++'), phrase(['if', 'x'], 'if (x)')]);
});

test('[FIND-5] a chunk of signs alone has no words', () => {
  expect(clausesOf('=> "--"')).toEqual([phrase([], '=>'), phrase([], '--')]);
  expect(toFts5(parseQuery('=>'))).toBeNull();
  expect(toTsquery(parseQuery('=> -foo'))).toBeNull();
});

test('[FIND-6] a minus before a word or a quotation excludes it, any other minus is looked for', () => {
  expect(clausesOf('a -foo -"b c" -日')).toEqual([
    word('a'),
    word('foo', { negated: true }),
    phrase(['b', 'c'], null, true),
    word('日', { negated: true }),
  ]);
  expect(clausesOf('-1 a-b --force -> "x"-y')).toEqual([
    word('1'),
    phrase(['a', 'b'], 'a-b'),
    word('force'),
    phrase([], '->'),
    phrase(['x']),
    word('y'),
  ]);
});

test('[FIND-6] a star behind a word asks for its beginning', () => {
  expect(clausesOf('auth* -auth* src/* int** 日本*')).toEqual([
    word('auth', { prefix: true }),
    word('auth', { prefix: true, negated: true }),
    word('src'),
    word('int'),
    phrase(['日', '本']),
  ]);
});

test('[FIND-7] the expression says AND, OR and NOT, with every word quoted', () => {
  const alternatives = new Map([['auth', ['authentication', 'auth-token', '++']]]);
  const query = parseQuery('auth "log in" OR* -NOT -"a b" -x.y');
  expect(toFts5(query, alternatives)).toBe(
    '("auth" OR "authentication" OR "auth" + "token") AND "log" + "in" AND "or" * NOT ("not" OR "a" + "b")'.replace(/^(.*) NOT/u, '($1) NOT'),
  );
  expect(toTsquery(query, alternatives)).toBe(
    "('auth' | 'authentication' | 'auth' <-> 'token') & 'log' <-> 'in' & 'or':* & !('not') & !('a' <-> 'b')",
  );
});

test('[FIND-7] nothing that can be typed is a syntax error in FTS5', () => {
  fc.assert(
    fc.property(anyQuery, anyAlternatives, (text, alternatives) => {
      const expression = toFts5(parseQuery(text), alternatives) ?? '"nothing"';
      expect(() => match.all(expression)).not.toThrow();
    }),
    times(10),
  );
  const long = parseQuery(`word ${'-no '.repeat(1000)} ${'a.'.repeat(2000)}`);
  expect(() => match.all(toFts5(long) ?? '')).not.toThrow();
});

test('[FIND-7] what is excluded exactly is not excluded by its words alone', () => {
  expect(toFts5(parseQuery('foo -a.b'))).toBe('"foo"');
});

test('[FIND-8] nothing that can be typed is a syntax error as a tsquery, and both databases find the same', () => {
  const plain = fc.array(fc.constantFrom('foo', 'bar', 'baz', 'Foo', '日本', 'fool', 'fo*', '"foo bar"', '-baz', '-"bar foo"', 'foo.bar', '"日"'), {
    maxLength: 4,
  });
  const query = fc.oneof(anyQuery, plain.map((pieces) => pieces.join(' '))); // prettier-ignore
  const document = fc.array(fc.constantFrom('foo', 'bar', 'baz', 'fool', 'Bár', '日本', ',', '日'), { maxLength: 6 }).map((words) => words.join(' '));
  fc.assert(
    fc.property(query, anyAlternatives, document, (text, alternatives, entry) => {
      const fts5 = toFts5(parseQuery(text), alternatives);
      const tsquery = toTsquery(parseQuery(text), alternatives);
      expect(tsquery === null).toBe(fts5 === null);
      expect(tsquery !== null && tsqueryFinds(tsquery, wordsOf(entry))).toBe(fts5 !== null && fts5Finds(entry, fts5));
    }),
    times(15),
  );
});

test('[FIND-8] quotes and backslashes of a word are written so that it stays one', () => {
  const query = { clauses: [{ kind: 'word', word: String.raw`a'b\c"d`, negated: false, prefix: false } as const] };
  expect(toTsquery(query)).toBe(String.raw`'a''b\\c"d'`);
  expect(toFts5(query)).toBe(String.raw`"a'b\c""d"`);
});
