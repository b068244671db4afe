import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { DIALECTS, pricesOf, type Dialects } from '@yarnboard/transcript';
import { openStore, type Audit, type RangeVerdict, type Store, type StoreOptions } from '@yarnboard/store';
import { sinceStart } from '../followers/duty-clock.ts';
import type { Home } from '../home/home.ts';
import { isExcludedBy, type Settings } from '../home/settings.ts';
import { readCalibration } from './calibration.ts';
import { createCheckpoints } from './checkpoints.ts';
import { createEmbeddingEndpoint } from './embedding-endpoint.ts';
import { createIndexer, type Indexer } from './indexer.ts';
import { connect, faultFrom, type ThreadFault } from './rpc.ts';
import { afterForgetting, verifyBoard, verifyLog, type Verdict, type VerifyPart } from './verification.ts';
import { createWriter, type Writer, type WriterEvent } from './writer.ts';

/** The input of a thread; plain data. */
export type ThreadTask = { readonly home: Home; readonly roots: readonly string[]; readonly settings: Settings; readonly sweepEvery: number | null };

/** The built programs of the threads; without them, everything runs in this one. */
export type Programs = {
  readonly writer: string;
  readonly indexer: string;
  readonly verifier: string;
  readonly counter: string;
  readonly finder?: string;
  readonly agent?: string;
  readonly bridge?: string;
  readonly validator?: string;
};

const WRITER_METHODS = [
  'append',
  'probe',
  'importPaths',
  'stopImport',
  'follow',
  'poke',
  'followAlso',
  'catchUp',
  'forget',
  'rebuild',
  'repair',
  'backup',
  'putMedia',
  'finishMedia',
  'abandonMedia',
  'claimMedia',
  'sweepMedia',
  'dropMedia',
  'troubles',
  'close',
] as const satisfies readonly (keyof Writer)[];
const INDEXER_METHODS = ['wake', 'drain', 'clear', 'drop', 'state', 'meaning', 'close'] as const satisfies readonly (keyof Indexer)[];

/**
 * The writer of a board, in a thread of its own if there is a program for it: imports must not block readers. A thread knows only the built-in
 * dialects; others aren't plain data, and need everything in one thread.
 */
export const startWriter = async (
  task: ThreadTask,
  programs: Programs | null,
  onEvent: (event: WriterEvent) => void,
  dialects: Dialects = DIALECTS,
): Promise<Writer> => {
  if (programs === null) return makeWriter(task, onEvent, dialects);
  const worker = new Worker(programs.writer, { workerData: task });
  await ready(worker);
  const writer = connect<Writer, WriterEvent>(worker, WRITER_METHODS, onEvent);
  // Readers don't notice it: monitoring must learn that nothing is written any more.
  const close = watchEnd(worker, writer.close, (why) => onEvent({ kind: 'state', state: { kind: 'stopped', why: `the writer ended: ${why}` } }));
  return { ...writer, close };
};

export const startIndexer = async (task: ThreadTask, programs: Programs | null, onEnd: (why: string) => void = () => {}): Promise<Indexer> => {
  if (programs === null) return makeIndexer(task);
  const worker = new Worker(programs.indexer, { workerData: task });
  await ready(worker);
  const indexer = connect<Indexer, never>(worker, INDEXER_METHODS, () => {});
  return { ...indexer, close: watchEnd(worker, indexer.close, onEnd) };
};

/** Reports a thread that ended without being closed; returns how to close it. */
const watchEnd = (worker: Worker, close: () => Promise<void>, onEnd: (why: string) => void): (() => Promise<void>) => {
  let isClosing = false;
  let why: string | null = null;
  worker.on('error', (cause) => {
    why = cause instanceof Error ? cause.message : String(cause);
  });
  worker.on('exit', (code) => {
    if (!isClosing) onEnd(`${why ?? `code ${code}`}; start yarnboard again`);
  });
  return () => {
    isClosing = true;
    return close();
  };
};

/** One part of the log per core, verified in threads of their own, which the signal ends. */
export const verifyParts = (home: Home, programs: Programs | null, signal?: AbortSignal): readonly VerifyPart[] =>
  programs === null
    ? []
    : Array.from(
        { length: availableParallelism() },
        () => (from, to, forgotten) => inThread<RangeVerdict>(programs.verifier, { kind: 'range', home, from, to, forgotten }, signal),
      );

export type VerifierParts = {
  readonly home: Home;
  readonly programs: Programs | null;
  readonly store: Store;
  /** The media beside the log that the board refers to. */
  readonly kept: () => Promise<readonly string[]>;
  /** How to wait before looking again. */
  readonly pause?: () => Promise<unknown>;
};

/** Verifies the log of a board, and with `deep` (VERIFY-9) everything beside it, in threads if there is a program for them. */
export const verifierOf = ({
  home,
  programs,
  store,
  kept,
  pause = () => setTimeout(AGAIN_AFTER),
}: VerifierParts): ((wish: { readonly deep: boolean; readonly signal?: AbortSignal }) => Promise<Verdict>) => {
  const checkpoints = createCheckpoints(home, store.log.boardId, () => Date.now());
  return async ({ deep, signal }) => {
    const audit = programs === null ? store.audit : () => inThread<Audit>(programs.verifier, { kind: 'audit', home }, signal);
    const verdict = await verifyLog(store.log, checkpoints, {
      parts: verifyParts(home, programs, signal),
      ...(signal === undefined ? {} : { signal }),
    });
    return deep ? afterForgetting(store.log, async () => verifyBoard(verdict, audit, store, await kept()), pause, signal) : verdict;
  };
};

/** Milliseconds. */
const AGAIN_AFTER = 2000;

/** The signal ends it: then nobody waits for it. */
const inThread = <T>(program: string, task: VerifyTask, signal?: AbortSignal): Promise<T> => {
  const worker = new Worker(program, { workerData: task });
  const stop = (): void => void worker.terminate();
  signal?.addEventListener('abort', stop, { once: true });
  return new Promise((resolve, reject) => {
    worker.once('exit', (code) => {
      signal?.removeEventListener('abort', stop);
      reject(new Error(`a verifying thread ended before it was done (code ${code})`)); // unless it was: then nobody receives this
    });
    worker.once('message', (message: { readonly verdict: T } | { readonly fault: ThreadFault }) => {
      if ('verdict' in message) resolve(message.verdict);
      else reject(faultFrom(message.fault));
    });
    worker.once('error', reject);
  });
};

export type VerifyTask =
  | { readonly kind: 'range'; readonly home: Home; readonly from: number; readonly to: number; readonly forgotten: readonly string[] }
  | { readonly kind: 'audit'; readonly home: Home };

export const makeWriter = async (
  { home, roots, settings, sweepEvery }: ThreadTask,
  onEvent: (event: WriterEvent) => void,
  dialects: Dialects = DIALECTS,
): Promise<Writer> =>
  createWriter({
    home,
    dialects,
    store: await openForWriting(home, dialects),
    now: () => Date.now(),
    newId: () => randomUUID(),
    roots,
    isExcluded: isExcludedBy(settings),
    onEvent,
    ...(sweepEvery === null ? {} : { sweepEvery }),
  });

export const makeIndexer = async ({ home, settings }: ThreadTask): Promise<Indexer> => {
  const store = await openStore(home.database, { ...storeOptions(), ...embedderOf(home, settings), readOnly: true, isIndexing: true });
  // Creates the index if there is none, before anyone reads it. A failure doesn't prevent a server from starting: the first pass fails, and is
  // reported.
  await store.search.position().catch(() => {});
  return createIndexer(store, sinceStart);
};

/** For the holder of the home's lock. */
export const openForWriting = (home: Home, dialects: Dialects = DIALECTS): Promise<Store> => openStore(home.database, storeOptions(dialects));

/** Searching by meaning needs the settings: queries are embedded with the index's model. */
export const openReader = (home: Home, settings?: Settings): Promise<Store> =>
  openStore(home.database, { ...storeOptions(), ...(settings === undefined ? {} : embedderOf(home, settings)), readOnly: true });

/** MEAN-20: off unless the settings name an endpoint. */
const embedderOf = (home: Home, { embedding }: Settings): Pick<StoreOptions, 'embedder'> =>
  embedding == null
    ? {}
    : {
        embedder: createEmbeddingEndpoint({
          settings: embedding,
          cardFile: join(home.folder, 'embedding.json'),
          env: process.env,
          calibration: readCalibration,
        }),
      };

const storeOptions = (dialects: Dialects = DIALECTS) => ({ prices: pricesOf(dialects), now: () => Date.now(), newId: () => randomUUID() });

/** A thread reports when it is ready, or why it never will be. */
const ready = (worker: Worker): Promise<void> =>
  new Promise((resolve, reject) => {
    worker.once('message', (message: { readonly ready: true } | { readonly fault: ThreadFault }) => {
      if ('ready' in message) resolve();
      else reject(faultFrom(message.fault));
    });
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`a thread of the server ended before it was ready (code ${code})`)));
  });
