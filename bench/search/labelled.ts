import { readFileSync } from 'node:fs';
import { draftOfLine, NOWHERE, type Item, type Store } from '@yarnboard/store';
import { readEntry, type JsonObject } from '@yarnboard/transcript';

/** A message of the labelled corpus (fixtures/labelled/search). */
export type Document = { readonly id: string; readonly sessionId: string; readonly role: 'user' | 'assistant' | 'tool'; readonly text: string };

export const KINDS = ['question', 'paraphrase', 'partial', 'typo', 'identifier', 'language'] as const;
export const HALVES = ['tuning', 'frozen'] as const;
export type Labelled = {
  readonly id: string;
  readonly kind: (typeof KINDS)[number];
  readonly text: string;
  /** 2: what was asked for; 1: right before or after it. */
  readonly answers: Readonly<Record<string, 1 | 2>>;
  readonly near_miss: readonly string[];
  readonly half: (typeof HALVES)[number];
};

const rowsOf = <T>(name: string): readonly T[] =>
  readFileSync(new URL(`../../fixtures/labelled/${name}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T); // our own files

export const labelledQueries = (): readonly Labelled[] => rowsOf('search/queries');

/** The conversations that are asked about, and what the other labelled sets have besides. */
export const labelledDocuments = (): readonly Document[] => [
  ...rowsOf<Session>('search/sessions').flatMap(({ id, said }) =>
    said.map(([role, text], at) => ({ id: `${id}/${at + 1}`, sessionId: id, role, text })),
  ),
  ...rowsOf<Sidebar>('archive/docs').flatMap(({ id, task, summary, findings, said }) =>
    talkOf(`sidebar-${id}`, [task, ...said, ...findings.map(({ text }) => text), summary]),
  ),
  ...HALVES.flatMap((half) =>
    grouped(
      `trigger-${half}`,
      rowsOf<{ readonly message: string }>(`triggers.${half}`).map(({ message }) => message),
    ),
  ),
  ...HALVES.flatMap((half) =>
    grouped(
      `conflict-${half}`,
      rowsOf<{ readonly a: string; readonly b: string }>(`conflicts.${half}`).flatMap(({ a, b }) => [a, b]),
    ),
  ),
  ...grouped(
    'trigger-more',
    rowsOf<{ readonly message: string }>('triggers.more').map(({ message }) => message),
  ),
  ...grouped(
    'conflict-more',
    rowsOf<{ readonly a: string; readonly b: string }>('conflicts.more').flatMap(({ a, b }) => [a, b]),
  ),
  ...grouped(
    'claim',
    rowsOf<{ readonly text: string }>('claims/claims').map(({ text }) => text),
  ),
];

type Session = { readonly id: string; readonly said: readonly (readonly [Document['role'], string])[] };
type Sidebar = {
  readonly id: string;
  readonly task: string;
  readonly summary: string;
  readonly findings: readonly { readonly text: string }[];
  readonly said: readonly string[];
};

const talkOf = (sessionId: string, texts: readonly string[]): readonly Document[] =>
  texts.map((text, at) => ({ id: `${sessionId}/${at + 1}`, sessionId, role: at % 2 === 0 ? 'user' : 'assistant', text }));

/** Sentences that belong to no conversation, eight to a session. */
const grouped = (name: string, texts: readonly string[]): readonly Document[] =>
  Array.from({ length: Math.ceil(texts.length / 8) }, (_, at) => talkOf(`${name}-${at + 1}`, texts.slice(at * 8, at * 8 + 8))).flat();

/** Puts the corpus on a log and indexes it; says which document lies where. */
export const fillLabelled = async (store: Store, documents: readonly Document[]): Promise<ReadonlyMap<number, Document>> => {
  const places = new Map<number, Document>();
  let minute = 0;
  let before: Document | null = null;
  const items: Item[] = [];
  for (const document of documents) {
    minute += 1;
    const record = recordOf(document, before?.sessionId === document.sessionId ? before.id : null, NOON + minute * 60_000);
    before = document;
    const line = JSON.stringify(record);
    const reading = readEntry(record, NOWHERE, false);
    const context = { sessionId: document.sessionId, agentId: null };
    items.push({
      draft: draftOfLine({ context, reading, fault: null, length: line.length, occurrence: 1, fallbackAt: 0 }),
      payload: Buffer.from(line),
      reading,
    });
  }
  const appended = await store.log.append({ items, files: [] });
  for (const [at, { position }] of appended.entries()) {
    const document = documents[at];
    if (document !== undefined) places.set(position, document);
  }
  while ((await store.search.advance(2000)) > 0);
  while ((await store.search.meaning.advance(2000)) > 0);
  await store.search.settle();
  return places;
};

const recordOf = ({ id, role, text }: Document, parentUuid: string | null, at: number): JsonObject => {
  const base = { uuid: id, parentUuid, timestamp: new Date(at).toISOString(), cwd: '/home/ada/loom', version: '2.1.0' };
  if (role === 'assistant') return { type: 'assistant', ...base, message: { role, content: [{ type: 'text', text }] } };
  const content =
    role === 'user'
      ? text
      : [
          Object.fromEntries([
            ['type', 'tool_result'],
            ['tool_use_id', id],
            ['content', text],
          ]),
        ];
  return { type: 'user', ...base, message: { role: 'user', content } };
};

const NOON = Date.UTC(2026, 0, 5, 12);
