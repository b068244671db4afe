import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { draftOfLine, NOWHERE, openStore, type Item, type SearchPort, type Store } from '@yarnboard/store';
import { DEFAULT_PRICES, readEntry, type JsonObject } from '@yarnboard/transcript';
import { layOut } from '../measure/table.ts';
import { QUESTIONS, type Question } from './questions.ts';

const root = process.env['YARNBOARD_CORPUS'] ?? fileURLToPath(new URL('../../../shared/corpus', import.meta.url));

/** How well what was meant is found in the published transcripts, by kind of question and manner of searching; null where they are not there. */
export const describeQuality = async (scratch: string): Promise<string | null> => {
  if (!existsSync(root)) return null;
  const store = await openStore(`sqlite:${join(scratch, 'quality', 'board.db')}`, {
    prices: DEFAULT_PRICES,
    now: () => Date.now(),
    newId: () => 'quality',
    isIndexing: true,
  });
  try {
    const places = await fill(store);
    const rows = [['', 'mode', 'message hit@1', 'hit@5', 'MRR@10', 'session hit@1', 'hit@5', 'MRR@10', 'nothing']];
    for (const kind of ['plain', 'misspelled'] as const) {
      for (const [mode, ask] of modesOf(store.search)) rows.push([kind, mode, ...(await measure(ask, kind, places))]);
    }
    return [
      `${places.size} messages of published transcripts, ${QUESTIONS.length} questions of each kind, written before the ranking was looked at`,
      layOut(rows),
    ].join('\n');
  } finally {
    await store.close();
  }
};

type Found = { readonly position: number; readonly sessionId: string };
type Ask = (text: string) => Promise<readonly Found[]>;
type Place = { readonly position: number; readonly sessionId: string };

const modesOf = (search: SearchPort): readonly (readonly [string, Ask])[] =>
  (['words', 'semantic', 'hybrid'] as const).map((mode) => [
    mode,
    async (text) => (await search.find({ text, filters: {}, limit: MOST, cursor: null, mode })).hits,
  ]);

const measure = async (ask: Ask, kind: 'plain' | 'misspelled', places: ReadonlyMap<string, Place>): Promise<readonly string[]> => {
  const ranks = { message: [] as number[], session: [] as number[] };
  let nothing = 0;
  for (const question of QUESTIONS) {
    const wanted = places.get(question.uuid);
    if (wanted === undefined) continue;
    const found = await ask(textOf(question, kind));
    if (found.length === 0) nothing += 1;
    ranks.message.push(found.findIndex(({ position }) => position === wanted.position) + 1);
    const sessions = [...new Set(found.map(({ sessionId }) => sessionId))];
    ranks.session.push(sessions.indexOf(wanted.sessionId) + 1);
  }
  return [...figuresOf(ranks.message), ...figuresOf(ranks.session), String(nothing)];
};

const textOf = (question: Question, kind: 'plain' | 'misspelled'): string => (kind === 'plain' ? question.plain : question.misspelled);

const figuresOf = (ranks: readonly number[]): readonly string[] => {
  const share = (fits: (rank: number) => boolean): string => (ranks.filter(fits).length / ranks.length).toFixed(3);
  const reciprocal = ranks.reduce((sum, rank) => sum + (rank > 0 && rank <= 10 ? 1 / rank : 0), 0) / ranks.length;
  return [share((rank) => rank === 1), share((rank) => rank > 0 && rank <= 5), reciprocal.toFixed(3)];
};

/** The transcripts on a log; says where each message lies. */
const fill = async (store: Store): Promise<ReadonlyMap<string, Place>> => {
  const places = new Map<string, Place>();
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .sort();
  for (const name of files) {
    const items: Item[] = [];
    const placed: { readonly uuid: string; readonly sessionId: string }[] = [];
    for (const line of readFileSync(join(root, name), 'utf8').split('\n')) {
      const record = recordIn(line);
      if (record === null) continue;
      const sessionId = typeof record['sessionId'] === 'string' ? record['sessionId'] : basename(name, '.jsonl');
      const reading = readEntry(record, NOWHERE, false);
      const draft = draftOfLine({ context: { sessionId, agentId: null }, reading, fault: null, length: line.length, occurrence: 1, fallbackAt: 0 });
      items.push({ draft, payload: Buffer.from(line), reading });
      placed.push({ uuid: reading.uuid ?? '', sessionId });
    }
    const appended = await store.log.append({ items, files: [] });
    for (const [at, { position }] of appended.entries()) {
      const place = placed[at];
      if (place !== undefined && !places.has(place.uuid)) places.set(place.uuid, { position, sessionId: place.sessionId });
    }
  }
  while ((await store.search.advance(2000)) > 0);
  while ((await store.search.meaning.advance(2000)) > 0);
  await store.search.settle();
  return places;
};

const recordIn = (line: string): JsonObject | null => {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) && 'type' in value ? (value as JsonObject) : null; // an object with a type
  } catch {
    return null; // half a line
  }
};

const MOST = 50;
