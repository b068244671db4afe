import { tellingPieces } from '../embedding/coverage.ts';
import { embed, type Embedding } from '../embedding/embedding.ts';
import { isGeneric, isWeak } from '../text/lexicon/finding-words.ts';
import { stanceOf } from '../text/lexicon/axes.ts';
import { remembered, type Remembered } from '../remembered.ts';
import type { Claim, Statement, Term } from './claim.ts';

/** A word of a clause, with its meaning and its weight. */
export type Sense = { readonly at: number; readonly term: Term; readonly weight: number; readonly vector: Float32Array | null };
export type Clause = { readonly statement: Statement; readonly senses: readonly Sense[] };

/** CONF-21: the parts of a text that are used for weighing, analysed once. */
export type Material = {
  readonly claim: Claim;
  readonly clauses: readonly Clause[];
  /** Each word once, over all clauses. */
  readonly senses: readonly Sense[];
  /** The number of different words: each has an index of its own. */
  readonly count: number;
  readonly vector: Float32Array;
  /** Its words in lower case, unstemmed. */
  readonly said: ReadonlySet<string>;
  /** Capitalised words inside a sentence, which are names. */
  readonly proper: ReadonlySet<string>;
  /** The side it takes on each axis of the lexicon. */
  readonly stance: Int8Array;
  readonly words: number;
  readonly sentences: number;
};

export const createMaterials = (embedding: Embedding, claims: Remembered<Claim>, mostCharacters: number): Remembered<Material> => {
  const known = new Map<string, Pick<Sense, 'vector' | 'weight'>>();
  const senseOf = (word: string): Pick<Sense, 'vector' | 'weight'> => {
    const before = known.get(word);
    if (before !== undefined) return before;
    const pieces = tellingPieces(embedding, word);
    const made =
      pieces.length === 0
        ? { vector: null, weight: UNKNOWN }
        : { vector: shortened(embed(embedding, word)), weight: Math.max(...pieces.map(({ weight }) => weight)) };
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(word, made);
    return made;
  };
  return remembered((text) => materialOf(text, claims.of(text), embedding, senseOf), mostCharacters);
};

const materialOf = (text: string, claim: Claim, embedding: Embedding, senseOf: (word: string) => Pick<Sense, 'vector' | 'weight'>): Material => {
  const places = new Map<string, number>();
  const sensesOf = (statement: Statement): readonly Sense[] =>
    statement.unique.slice(0, MOST_SENSES).map((term) => {
      const key = `${term.name} ${term.word}`;
      const at = places.get(key) ?? places.size;
      places.set(key, at);
      const { vector, weight } = senseOf(term.word);
      return { at, term, vector, weight: weight * shareOf(term) };
    });
  const clauses = claim.statements.slice(0, MOST_CLAUSES).map((statement) => ({ statement, senses: sensesOf(statement) }));
  const own = clauses.flatMap(({ senses }) => senses.filter(({ term }) => !term.inherited));
  const read = text.slice(0, MOST_CHARACTERS);
  const words = read.toLowerCase().replaceAll('’', "'").match(WORD) ?? [];
  return {
    claim,
    clauses,
    senses: [...new Map(own.map((sense) => [sense.term.name, sense])).values()].slice(0, MOST_SENSES_IN_ALL),
    count: places.size,
    vector: embed(embedding, text),
    said: new Set([...words, ...(words.some((word) => word.endsWith("n't")) ? ['not'] : []), ...(read.trimEnd().endsWith('?') ? ['?$'] : [])]),
    proper: new Set([...read.matchAll(PROPER)].map(([, word = '']) => word.toLowerCase())),
    stance: stanceOf(words),
    words: words.length,
    sentences: read.split(SENTENCE_END).filter((part) => part.trim() !== '').length,
  };
};

/** How much of its full weight a word gets. */
const shareOf = (term: Term): number =>
  (isGeneric(term.name) ? 0.4 : isWeak(term.name) ? 0.5 : 1) * (term.inherited ? 0.4 : 1) * (term.evidence ? 0.3 : 1);

const shortened = (vector: Float32Array): Float32Array => {
  const short = vector.slice(0, DIMS);
  const length = Math.sqrt(dot(short, short)) || 1;
  return short.map((value) => value / length);
};

export const dot = (one: Float32Array, other: Float32Array): number => {
  let sum = 0;
  for (let d = 0; d < one.length; d += 1) sum += (one[d] ?? 0) * (other[d] ?? 0);
  return sum;
};

/** Truncated embeddings remain valid: embedding/CARD.md. */
const DIMS = 128;
/** A word with no known meaning is usually a name, which tells a lot. */
const UNKNOWN = 1.2;
const MOST_KNOWN = 20_000;
const MOST_CLAUSES = 8;
const MOST_SENSES = 24;
const MOST_SENSES_IN_ALL = 40;
const MOST_CHARACTERS = 1500;
const WORD = /[a-z]+(?:'[a-z]+)?|\d[\w.,]*|[?!]/gu;
const PROPER = /[\p{Ll}\d,;:)'"] ([A-Z][A-Za-z]*)/gu;
const SENTENCE_END = /[.!?\n]+/u;
