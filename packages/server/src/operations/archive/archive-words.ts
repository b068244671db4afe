import { ARCHIVE_FIELDS, archiveTextsOf, maskSecrets, type ArchiveField, type ArchiveText, type Board, type Sidebar } from '@yarnboard/domain';
import { searchWordsOf } from '@yarnboard/store';
import { readMemory, type Memory, type MemoryCursor } from '../../engine/memory.ts';
import { breathe } from '../request/breathing.ts';
import { lettersOf, likeness, mayBeAlike, type Letters } from './alike.ts';

/** How well a sidebar's words match the query, and which of its fields has the best match. */
export type WordFit = { readonly score: number; readonly field: ArchiveField; readonly words: readonly string[] };

/** ARCHIVE-6: the words of archived sidebars. Archived sidebars rarely change, so each is read once, and again only if its row was replaced. */
export type ArchiveWords = {
  /** Reads sidebars that aren't known yet. If the caller gives up, the next caller continues. */
  readonly learn: (memory: Memory, board: Board, archived: readonly Sidebar[], signal: AbortSignal) => Promise<void>;
  readonly fitsOf: (text: string, least: number) => ReadonlyMap<string, WordFit>;
};

export const createArchiveWords = (): ArchiveWords => {
  const known = new Map<string, Sidebar>();
  /** Every word, with the sidebars that contain it and a bit for each field that does. */
  const vocabulary = new Map<string, Letters & { readonly places: Map<string, number> }>();

  let learning: Promise<void> = Promise.resolve();

  /** Drops sidebars whose row was replaced. After a forget that is all of them, because the board was rebuilt. */
  const unlearnOthers = (archived: readonly Sidebar[]): void => {
    const now = new Set(archived);
    const gone = [...known].flatMap(([id, sidebar]) => (now.has(sidebar) ? [] : [id]));
    for (const id of gone) known.delete(id);
    if (known.size === 0) vocabulary.clear();
    if (gone.length === 0 || known.size === 0) return;
    for (const [word, { places }] of vocabulary) {
      for (const id of gone) places.delete(id);
      if (places.size === 0) vocabulary.delete(word);
    }
  };

  const add = (id: string, { field, text }: ArchiveText): void => {
    const bit = 1 << ARCHIVE_FIELDS.indexOf(field);
    // SEC-26: text that is masked for display can't be found either.
    for (const word of searchWordsOf(maskSecrets(text).text)) {
      const entry = vocabulary.get(word) ?? { length: word.length, letters: lettersOf(word), places: new Map<string, number>() };
      if (entry.places.size === 0) vocabulary.set(word, entry);
      entry.places.set(id, (entry.places.get(id) ?? 0) | bit);
    }
  };

  const fitsOfWord = (asked: string, least: number): Map<string, { score: number; field: ArchiveField; word: string }> => {
    const letters = { length: asked.length, letters: lettersOf(asked) };
    const best = new Map<string, { score: number; field: ArchiveField; word: string }>();
    for (const [word, entry] of vocabulary) {
      if (!mayBeAlike(letters, entry, least)) continue;
      const alike = likeness(asked, word, least);
      if (alike === 0) continue;
      for (const [id, fields] of entry.places) {
        const field = strongestOf(fields);
        const score = field === 'rejected_finding' ? alike * REJECTED : alike;
        const known = best.get(id);
        if (known === undefined || score > known.score || (score === known.score && word < known.word)) best.set(id, { score, field, word });
      }
    }
    return best;
  };

  return {
    learn: (memory, board, archived, signal) => {
      const learned = learning.then(async () => {
        unlearnOthers(archived);
        for (const sidebar of archived) {
          if (known.has(sidebar.id)) continue;
          const said = await saidIn(memory, board, sidebar);
          for (const text of [...archiveTextsOf(board, sidebar), ...said]) add(sidebar.id, text);
          known.set(sidebar.id, sidebar);
          await breathe(signal);
        }
      });
      learning = learned.catch(() => {}); // the caller gets the error
      return learned;
    },
    fitsOf: (text, least) => {
      const asked = [...new Set(searchWordsOf(text))].slice(0, MOST_WORDS).map((word) => fitsOfWord(word, least));
      const [first, ...others] = asked;
      const fits = new Map<string, WordFit>();
      for (const [id, fit] of first ?? []) {
        const all = [fit, ...others.flatMap((other) => other.get(id) ?? [])];
        if (all.length < asked.length) continue; // every word must match
        const [best = fit] = all.toSorted((a, b) => b.score - a.score);
        fits.set(id, { score: all.reduce((sum, { score }) => sum + score, 0) / all.length, field: best.field, words: all.map(({ word }) => word) });
      }
      return fits;
    },
  };
};

/** Everything that was said in a sidebar. */
const saidIn = async (memory: Memory, board: Board, sidebar: Sidebar): Promise<readonly ArchiveText[]> => {
  const texts: ArchiveText[] = [];
  for (let after: MemoryCursor | null | undefined; after !== null;) {
    const page = await readMemory(memory, board, sidebar, 'local', { limit: PAGE, after: after ?? undefined });
    for (const { text } of page.items) texts.push({ field: 'said', text });
    after = page.next;
  }
  return texts;
};

/** The first field that contains the word: fields are ordered by how much they tell. */
const strongestOf = (fields: number): ArchiveField => {
  const others = fields & ~REJECTED_BIT;
  const at = 31 - Math.clz32((others === 0 ? fields : others) & -(others === 0 ? fields : others));
  return ARCHIVE_FIELDS[at] ?? 'said';
};

const REJECTED_BIT = 1 << ARCHIVE_FIELDS.indexOf('rejected_finding');
/** ARCHIVE-7: a word found only in a rejected finding counts half. */
const REJECTED = 0.5;
const MOST_WORDS = 50;
const PAGE = 500;
