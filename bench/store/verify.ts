import { hash } from 'node:crypto';
import { join } from 'node:path';
import { canonicalOf, genesisOf } from '@yarnboard/domain';
import { createCheckpoints, homeOf, openReader, verifyLog, verifyParts, type Home } from '@yarnboard/server';
import { openStore, sha256, verifyRange, type LogPort } from '@yarnboard/store';
import { DEFAULT_PRICES } from '@yarnboard/transcript';
import { WrongResult } from '../measure/run.ts';
import { lineItems, takeItems } from './items.ts';
import type { VerifyOrder, VerifyResult } from './job.ts';

/** Fills a board with records, and verifies it while it is small and when it is large. */
export const measureVerify = async ({ folder, small, large, seed, programs }: VerifyOrder): Promise<VerifyResult> => {
  const home = homeOf({ env: { YARNBOARD_HOME: join(folder, 'home'), YARNBOARD_STATE: join(folder, 'state') }, home: folder });
  const store = await openStore(home.database, { prices: DEFAULT_PRICES, now: () => Date.now(), newId: () => 'bench' });
  const items = lineItems(large, seed);
  const times: number[] = [];
  const fill = async (upTo: number): Promise<void> => {
    while (times.length * BATCH < upTo) {
      const batch = { items: takeItems(items, BATCH), files: [] };
      const startedAt = performance.now();
      await store.log.append(batch);
      times.push((performance.now() - startedAt) / BATCH);
    }
  };
  await fill(small);
  await timeVerify(home, small / 4); // warms the compiler, for both
  const atSmall = await timeVerify(home, small);
  await fill(large);
  createCheckpoints(home, store.log.boardId, () => Date.now()).write(await store.log.head());
  await store.close();
  const one = await timeVerify(home, large);
  const bare = await hashBare(home, large);
  const all = await timeAllCores(home, large, programs);
  const blocks = small / BATCH;
  return {
    entries: large,
    bytes: one.bytes,
    hashed: bare.bytes,
    bareSeconds: bare.seconds,
    oneSeconds: one.seconds,
    allSeconds: all,
    growth: {
      small,
      append: { first: mean(times.slice(0, blocks)) * 1000, last: mean(times.slice(-blocks)) * 1000 },
      verify: { small: (atSmall.seconds / small) * 1e6, large: (one.seconds / large) * 1e6 },
    },
  };
};

const timeVerify = async (home: Home, entries: number): Promise<{ readonly seconds: number; readonly bytes: number }> => {
  const reader = await openReader(home);
  const startedAt = performance.now();
  const verdict = await verifyRange(reader.log, 1, entries, { forgotten: new Set() });
  const seconds = (performance.now() - startedAt) / 1000;
  await reader.close();
  if (verdict.broken !== null || verdict.entries !== entries)
    throw new WrongResult(`verify saw ${verdict.entries} of ${entries} entries: ${verdict.broken?.why ?? 'whole'}`);
  return { seconds, bytes: verdict.bytes };
};

const timeAllCores = async (home: Home, entries: number, programs: string): Promise<number> => {
  const reader = await openReader(home);
  const checkpoints = createCheckpoints(home, reader.log.boardId, () => Date.now());
  const program = (name: string): string => join(programs, `${name}-thread.mjs`);
  const parts = verifyParts(home, {
    writer: program('writer'),
    indexer: program('indexer'),
    verifier: program('verifier'),
    counter: program('counter'),
  });
  const startedAt = performance.now();
  const verdict = await verifyLog(reader.log, checkpoints, { parts });
  const seconds = (performance.now() - startedAt) / 1000;
  await reader.close();
  if (!verdict.isWhole || verdict.entries !== entries || verdict.checkpoints !== 1)
    throw new WrongResult(`verify with all cores: ${JSON.stringify(verdict)}`);
  return seconds;
};

// The bytes are at hand; one call for each piece, in one thread.
const hashBare = async (home: Home, entries: number): Promise<{ readonly seconds: number; readonly bytes: number }> => {
  const reader = await openReader(home);
  let seconds = 0;
  let bytes = 0;
  for (let at = 0; at < entries; at += PIECES) {
    const pieces = await piecesOf(reader.log, at);
    const startedAt = performance.now();
    for (const piece of pieces) hash('sha256', piece, 'buffer');
    seconds += (performance.now() - startedAt) / 1000;
    for (const piece of pieces) bytes += Buffer.byteLength(piece);
  }
  await reader.close();
  return { seconds, bytes };
};

const piecesOf = async (log: LogPort, after: number): Promise<readonly (string | Uint8Array)[]> => {
  const entries = await log.entriesAfter(after, PIECES);
  const payloads = await log.payloadsOf(entries.map(({ position }) => position));
  const before = after === 0 ? genesisOf(log.boardId, sha256).checksum : Buffer.from((await log.entryAt(after))?.checksum ?? '', 'hex');
  let previous = before;
  return entries.flatMap((entry) => {
    const link = Buffer.concat([previous, Buffer.from(entry.innerHash, 'hex')]);
    previous = Buffer.from(entry.checksum, 'hex');
    const payload = payloads.get(entry.position);
    return payload === undefined ? [canonicalOf(entry), link] : [payload, canonicalOf(entry), link];
  });
};

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** As many as an import has in a commit. */
const BATCH = 4000;
const PIECES = 5000;
