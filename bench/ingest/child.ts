// The baseline of an import, in a process of its own: node raw.mjs BOARD FOLDER. Prints one line of JSON.
import { join } from 'node:path';
import { openStore } from '@yarnboard/store';
import { DEFAULT_PRICES } from '@yarnboard/transcript';
import { sourceTextOf } from '../../packages/store/src/search/source.ts';
import { indexable } from '../../packages/store/src/search/words.ts';
import { openDatabase } from '../../packages/store/src/sqlite/database.ts';
import { SEARCH_MIGRATIONS } from '../../packages/store/src/sqlite/search-schema.ts';
import { openRows, openRowWriter } from '../measure/rows.ts';
import type { RawResult, Spent } from './job.ts';

// Only what is inside transactions is timed: the rows are read beforehand, a stretch at a time.
const createWatch = (): { readonly time: (work: () => void) => void; readonly spent: () => Spent } => {
  const spent = { seconds: 0, cpu: 0 };
  return {
    time: (work) => {
      const startedAt = performance.now();
      const before = process.cpuUsage();
      work();
      const { user, system } = process.cpuUsage(before);
      spent.seconds += (performance.now() - startedAt) / 1000;
      spent.cpu += (user + system) / 1e6;
    },
    spent: () => spent,
  };
};

const copyRows = (board: string, path: string): { readonly rows: number; readonly spent: Spent } => {
  const source = openRows(board);
  const target = openRowWriter(path);
  const watch = createWatch();
  for (let at = 0; at < source.entries; at += ENTRIES_AT_ONCE) {
    const chunk = source.take(at, Math.min(source.entries, at + ENTRIES_AT_ONCE));
    watch.time(() => target.write(chunk));
  }
  const [wanted, found] = [source.counts, target.counts()];
  if (JSON.stringify(wanted) !== JSON.stringify(found))
    throw new Error(`the baseline has other rows: ${JSON.stringify(wanted)}, ${JSON.stringify(found)}`);
  source.close();
  target.close();
  return { rows: Object.values(wanted).reduce((sum, count) => sum + count, 0), spent: watch.spent() };
};

const indexTexts = async (board: string, path: string): Promise<{ readonly texts: number; readonly spent: Spent }> => {
  const { log, close } = await openStore(`sqlite:${board}`, { prices: DEFAULT_PRICES, now: () => 0, newId: () => '', readOnly: true });
  const index = openDatabase(path, { migrations: SEARCH_MIGRATIONS });
  index.pragma('synchronous = NORMAL'); // as ours has it
  const insert = index.prepare<[number, string]>('INSERT INTO texts (rowid, text) VALUES (?, ?)');
  const write = index.transaction((texts: readonly (readonly [number, string])[]) => {
    for (const [position, text] of texts) insert.run(position, text);
  });
  const watch = createWatch();
  let texts = 0;
  for (let at = 0, entries = await log.entriesAfter(at, TEXTS_AT_ONCE); entries.length > 0; entries = await log.entriesAfter(at, TEXTS_AT_ONCE)) {
    const payloads = await log.payloadsOf(entries.map(({ position }) => position));
    const batch = entries.flatMap((entry) => {
      const bytes = payloads.get(entry.position);
      const { text } = sourceTextOf(entry, bytes === undefined ? null : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
      return text === '' ? [] : [[entry.position, indexable(text)] as const];
    });
    watch.time(() => write.immediate(batch));
    texts += batch.length;
    at = entries.at(-1)?.position ?? at;
  }
  index.close();
  await close();
  return { texts, spent: watch.spent() };
};

const ENTRIES_AT_ONCE = 4000;
const TEXTS_AT_ONCE = 2000;

const [board = '', folder = ''] = process.argv.slice(2);
const copied = copyRows(board, join(folder, 'rows.db'));
const indexed = await indexTexts(board, join(folder, 'texts.db'));
console.log(JSON.stringify({ rows: copied.rows, texts: indexed.texts, board: copied.spent, text: indexed.spent } satisfies RawResult));
