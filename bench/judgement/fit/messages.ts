import { createEmbedding } from '@yarnboard/store';
import {
  evidenceOf,
  memoryOf,
  ranked,
  remindersOf,
  worthAmong,
  type Evidence,
  type Reminder,
  type Shown,
} from '../../../packages/language/src/symptoms/recall.ts';
import { createReader, type Word } from '../../../packages/language/src/symptoms/words.ts';
import type { Model } from '../../../packages/language/src/learned/forest.ts';
import { rowsOf } from '../sets.ts';
import { ownTalk, publishedTalk } from '../stream.ts';

type Row = {
  readonly kind: 'waypoint' | 'message';
  readonly author?: string;
  readonly id: string;
  readonly insight: string;
  readonly pattern: string;
  readonly conditions: string;
  readonly domain: string;
  readonly text: string;
  readonly expects: string | null;
};
/** A message with what it may remind of, and what it should. */
export type Message = {
  readonly author: string;
  readonly domain: string;
  readonly text: string;
  readonly words: readonly Word[];
  readonly expects: string | null;
  readonly reminders: readonly Reminder[];
};

/** Messages of each author against that author's waypoints; what was really said somewhere, where nothing is expected, against all. */
export const labelledMessages = (): readonly Message[] => {
  const rows: readonly Row[] = [
    ...rowsOf<Row>('triggers.tuning').map((row) => ({ ...row, author: 'tuning' })),
    ...rowsOf<Row>('triggers.development').map((row) => ({ ...row, author: 'development' })),
    ...rowsOf<Row>('triggers.broad'),
  ];
  const authors = [...new Set(rows.map(({ author = '' }) => author))];
  const everything = shelfOf(rows.filter(({ kind }) => kind === 'waypoint'));
  const said = (author: string, talk: readonly (readonly string[])[]): readonly Message[] =>
    talk.flatMap((texts, session) =>
      texts.flatMap((text) => {
        const message = everything(text);
        return message.reminders.length === 0 ? [] : [{ ...message, author, domain: `session ${session}`, expects: null }];
      }),
    );
  return [
    ...authors.flatMap((author) => {
      const own = rows.filter((row) => row.author === author);
      const shelf = shelfOf(own.filter(({ kind }) => kind === 'waypoint'));
      return own.flatMap(({ kind, text, domain, expects }) => (kind === 'message' ? [{ ...shelf(text), author, domain, expects }] : []));
    }),
    ...said('published', publishedTalk() ?? []),
    ...said('own', ownTalk()),
  ];
};

const shipped = createEmbedding()();
if (shipped === null) throw new Error('packages/language/embedding/embedding.bin cannot be read');
const embedding = shipped;
const reader = createReader();

const shelfOf = (rows: readonly Row[]): ((text: string) => Pick<Message, 'text' | 'words' | 'reminders'>) => {
  const all = rows.map(({ id, insight, pattern, conditions }): Shown => {
    const told = conditions.split(/\s*;\s*/u);
    const read = { insight: reader.read(insight), pattern: reader.read(pattern), conditions: reader.read(told.join('\n\n')) };
    return { gold: id, memory: memoryOf({ keyInsight: insight, reusePattern: pattern, triggerConditions: told }, read, embedding) };
  });
  const having = new Map<string, Shown[]>();
  for (const shown of all) for (const concept of shown.memory.words.keys()) having.set(concept, [...(having.get(concept) ?? []), shown]);
  const among = (concept: string): readonly Shown[] => having.get(concept) ?? [];
  return (text) => {
    const words = reader.read(text);
    return {
      text,
      words,
      reminders: remindersOf({ text, words, all, among, rarityOf: (concept) => worthAmong(among(concept).length, all.length) }, embedding),
    };
  };
};

export const evidenceWith = ({ text, words, reminders }: Message, nearness: Model): { readonly gold: string; readonly evidence: Evidence } | null => {
  const [best, next] = ranked(reminders, nearness);
  return best === undefined ? null : { gold: best.shown.gold, evidence: evidenceOf(text, words, best, next) };
};
