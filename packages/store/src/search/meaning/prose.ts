import { isDecided, maskSecrets } from '@yarnboard/domain';
import { isObject, type Json, type JsonObject } from '@yarnboard/transcript';
import { decidedTextOf } from '../decided-text.ts';
import type { Passage } from '../port.ts';
import { sourceRecordOf, type Source } from '../source.ts';
import { indexText } from '../whole.ts';

/**
 * What a person or an agent wrote in an entry, without its secrets: nobody learns one by nearness (MEAN-4). Empty for a tool's input and output, for
 * files, copies and programs' notes.
 */
export const proseOf = (source: Source, bytes: Buffer | null): string => {
  if (source.copyOf !== null || bytes === null) return '';
  const record = sourceRecordOf(source, bytes);
  if (record === null) return '';
  if (isDecided(source.type)) return maskSecrets(decidedTextOf(source.type, record)).text;
  // Masked again as plain text: something that was a secret because of its neighbours need not be one elsewhere. Text that isn't prose need not be
  // masked for this.
  return maskSecrets(proseIn(record)).text;
};

/**
 * MEAN-24: the same as far as it is embedded. A text that is beyond the engine has none, so that the entries behind it are embedded all the same; the index
 * of words, which takes all of a text, lists its entry (FIND-18).
 */
export const proseWithin = (position: number, read: () => string): string => {
  let prose = '';
  indexText(position, read, (text) => {
    prose = text;
  });
  return prose;
};

/** What the library knows of a record without reading it. */
export type Known = { readonly type: string; readonly role: string };

/**
 * Whether a record may contain prose, judging by its metadata and a glance at its bytes. Most don't, and neither do the largest: tools' output. Those
 * need not be parsed. `\\u` might spell a letter of the pattern.
 */
export const mayHaveProse = ({ type, role }: Known, bytes: Buffer): boolean => {
  if (!PROSAIC.has(type)) return false;
  return role !== 'result' || bytes.includes('"text"') || bytes.includes('"thinking"') || bytes.includes('\\u');
};

const PROSAIC: ReadonlySet<Json | undefined> = new Set(['user', 'assistant', 'summary']);

const proseIn = (record: JsonObject): string => {
  const { type, message } = record;
  if (type === 'summary') return textOf(record['summary']);
  if (!PROSAIC.has(type) || record['isMeta'] === true || !isObject(message)) return '';
  const { content } = message;
  if (typeof content === 'string') return textOf(content);
  if (!Array.isArray(content)) return '';
  return (content as readonly Json[])
    .flatMap((block) =>
      isObject(block) ? [block['type'] === 'text' ? textOf(block['text']) : block['type'] === 'thinking' ? textOf(block['thinking']) : ''] : [],
    )
    .filter((text) => text !== '')
    .join('\n\n');
};

/** As shown: masked on its own, since none of the keys that prose appears under names a secret. */
const textOf = (value: Json | undefined): string => (typeof value === 'string' ? maskSecrets(value).text : '');

/**
 * Splits a text into passages of about 90 words. A long paragraph is split on its own, at the end of a sentence if one is near. Short ones are
 * combined, but never with a long one, in which they would be lost.
 */
export const passagesOf = (text: string): readonly Passage[] => {
  const passages: Passage[] = [];
  let from = 0;
  let words = 0;
  /** A piece without words goes with the next one. */
  const close = (to: number): void => {
    if (words === 0) return;
    passages.push({ from, to });
    from = to;
    words = 0;
  };
  for (let start = 0; start < text.length && passages.length < MOST_PASSAGES;) {
    const end = text.indexOf('\n', start);
    const to = end === -1 ? text.length : end + 1;
    const line = text.slice(start, to);
    const count = countOf(line);
    if (count >= FEWEST) {
      close(start);
      for (const cut of cutOf(line)) {
        passages.push({ from, to: start + cut.to });
        from = start + cut.to;
      }
    } else {
      if (words + count > WORDS) close(start);
      words += count;
    }
    start = to;
  }
  close(text.length);
  return passages.slice(0, MOST_PASSAGES);
};

const countOf = (line: string): number => {
  let count = 0;
  for (const _ of line.matchAll(WORD)) if ((count += 1) >= FEWEST) break;
  return count;
};

/** Splits a long paragraph. */
const cutOf = (text: string): readonly Passage[] => {
  const passages: Passage[] = [];
  let from = 0;
  let words = 0;
  let lastEnd = -1;
  let wordsAtEnd = 0;
  for (const { index, 0: word } of text.matchAll(WORD)) {
    const to = index + word.length;
    words += 1;
    if (SENTENCE_END.test(word)) {
      lastEnd = to;
      wordsAtEnd = words;
    }
    if (words < WORDS) continue;
    const cut = wordsAtEnd >= FEWEST ? lastEnd : to;
    passages.push({ from, to: cut });
    from = cut;
    words = cut === to ? 0 : words - wordsAtEnd;
    wordsAtEnd = 0;
    if (passages.length === MOST_PASSAGES) return passages;
  }
  if (words > 0) passages.push({ from, to: text.length });
  return passages;
};

/** Bounded, so that a text without spaces isn't one word of megabytes. */
const WORD = /\S{1,200}/gu;
const SENTENCE_END = /[.!?:;。！？]["')\]]*$/u;
const WORDS = 90;
const FEWEST = 50;
/** Of a text longer than about 90,000 words, only the beginning is embedded. */
const MOST_PASSAGES = 1000;
