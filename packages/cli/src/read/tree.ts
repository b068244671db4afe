import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import {
  claudeCode,
  combine,
  createSession,
  DIALECTS,
  digestSession,
  isStreamLog,
  type Dialects,
  type PriceTable,
  type Reading,
  type Report,
  type SessionDigest,
} from '@yarnboard/transcript';
import { addCounts, commonest, createBuffer, discover, planGroups, readGroup, type Group } from '@yarnboard/server';

export type TreeOptions = {
  readonly prices: PriceTable;
  readonly now: number;
  readonly dialects?: Dialects;
  /** The built program of a reading thread; without it, one thread does all the work. */
  readonly threadProgram?: string;
  /** How many threads to use; by default as many as there are cores and as pay off. */
  readonly threads?: number;
  /** Reads only sessions of this dialect. */
  readonly tool?: string;
  /** Called now and then with the bytes done and the total. */
  readonly onProgress?: (done: number, all: number) => void;
};

/** A thread's result for one session. */
export type GroupDigest = Reading & { readonly digest: SessionDigest };

/** Reads every transcript below the paths and reports on them, with as many threads as pay off. */
export const readTree = async (paths: readonly string[], options: TreeOptions): Promise<Report> => {
  const { dialects = DIALECTS } = options;
  const plan = paths.includes('-') ? { groups: [STDIN], skipped: [] } : planGroups(discover(paths, dialects), dialects);
  const groups = plan.groups
    .filter(({ files }) => options.tool === undefined || files[0]?.dialect === options.tool)
    .sort((a, b) => b.bytes - a.bytes);
  const all = groups.reduce((sum, group) => sum + group.bytes, 0);
  const threads = Math.min(options.threads ?? threadsFor(all), groups.length);
  const { threadProgram } = options;
  const read =
    // Dialects are functions, which can't be sent to threads: a thread has only the built-in ones.
    threads > 1 && threadProgram !== undefined && dialects === DIALECTS
      ? await readWithThreads(groups, threads, threadProgram, options)
      : readHere(groups, takerOf(nothingTaken(groups), 'front'), options, all);
  // Threads finish in any order; the report has the order of the tree.
  const place = new Map(plan.groups.map((group, i) => [group.sessionId, i]));
  const results = read.sort((a, b) => (place.get(a.digest.id) ?? 0) - (place.get(b.digest.id) ?? 0));
  return combine(
    results.map((result) => result.digest),
    {
      files: results.reduce((sum, result) => sum + result.files, 0),
      counts: sumCounts(results),
      quarantine: results.flatMap((result) => result.quarantine),
      skipped: [...plan.skipped, ...results.flatMap((result) => result.skipped)],
    },
    options.prices,
  );
};

export const digestGroup = (group: Group, now: number, buffer: Buffer, dialects: Dialects = DIALECTS): GroupDigest => {
  const { session, ...reading } = readGroup(group, { buffer, dialects });
  const id = group.sessionId === STDIN.sessionId ? commonest(session.sessionIds) : group.sessionId;
  if (!isStreamLog(session)) return { ...reading, digest: digestSession({ ...session, id }, { now }) };
  const skipped = group.files.map(({ path }) => ({ file: path, reason: 'a stream log, not a transcript' }));
  return { files: 0, counts: NO_COUNTS, quarantine: [], skipped: [...reading.skipped, ...skipped], digest: digestSession(createSession(id)) };
};

/**
 * Takes the next untaken group: from the front, where the large ones are, or from the back. One thread takes the large ones and the others the small
 * ones until they meet, so that two of the largest sessions are never in memory at once.
 */
export const takerOf = (taken: Int32Array, side: 'front' | 'back'): (() => number) => {
  let at = side === 'front' ? 0 : taken.length - 1;
  const step = side === 'front' ? 1 : -1;
  return () => {
    while (at >= 0 && at < taken.length && Atomics.compareExchange(taken, at, 0, 1) === 1) at += step;
    return at;
  };
};

const readHere = (groups: readonly Group[], next: () => number, options: TreeOptions, all: number): GroupDigest[] => {
  const results: GroupDigest[] = [];
  const buffer = createBuffer();
  let done = 0;
  for (let group = groups[next()]; group !== undefined; group = groups[next()]) {
    results.push(digestGroup(group, options.now, buffer, options.dialects));
    done += group.bytes;
    options.onProgress?.(done, all);
  }
  return results;
};

// This thread works too; the others report when they are done.
const readWithThreads = async (groups: readonly Group[], threads: number, program: string, options: TreeOptions): Promise<GroupDigest[]> => {
  const taken = nothingTaken(groups);
  const all = groups.reduce((sum, group) => sum + group.bytes, 0);
  const others = Array.from({ length: threads - 1 }, () => runWorker(program, { groups, taken, now: options.now }));
  const here = readHere(groups, takerOf(taken, 'front'), options, all);
  return [...here, ...(await Promise.all(others)).flat()];
};

export type WorkerTask = { readonly groups: readonly Group[]; readonly taken: Int32Array; readonly now: number };

const runWorker = (program: string, task: WorkerTask): Promise<GroupDigest[]> =>
  new Promise((resolve, reject) => {
    const results: GroupDigest[] = [];
    const worker = new Worker(program, { workerData: task, resourceLimits: { maxYoungGenerationSizeMb: 12 } });
    worker.on('message', (result: GroupDigest) => results.push(result));
    worker.on('error', reject);
    worker.on('exit', (code) => {
      if (code === 0) resolve(results);
      else reject(new Error(`a reading thread stopped with code ${code}`));
    });
  });

const nothingTaken = (groups: readonly Group[]): Int32Array => new Int32Array(new SharedArrayBuffer(4 * groups.length));

const NO_COUNTS: Reading['counts'] = { bytes: 0, lines: 0, blank: 0, records: 0, extra: 0, quarantined: 0 };

const sumCounts = (results: readonly GroupDigest[]): Reading['counts'] => {
  const sum = { ...NO_COUNTS };
  for (const { counts } of results) addCounts(sum, counts);
  return sum;
};

/** Standard input as a session of its own. */
export const STDIN: Group = {
  sessionId: '-',
  files: [{ path: '-', dialect: claudeCode.name, agentId: null, meta: null }],
  companions: [],
  bytes: 0,
  title: null,
};
// Below this, a second thread costs more than it gains: each has to warm up on its own.
const BYTES_PER_THREAD = 64 * 1024 * 1024;

const threadsFor = (bytes: number): number => Math.max(1, Math.min(availableParallelism(), Math.floor(bytes / BYTES_PER_THREAD)));
