import { ENTRY_TYPES } from '@yarnboard/domain';
import {
  forgottenIn,
  StoreFault,
  verifyRange,
  type Audit,
  type AuditedPart,
  type Broken,
  type Damage,
  type LogPort,
  type RangeVerdict,
  type Store,
} from '@yarnboard/store';
import type { Anchored, Checkpoints } from './checkpoints.ts';
import { restoresIn } from './epoch.ts';

/** The result of a verification. */
export type Verdict = {
  readonly isWhole: boolean;
  readonly entries: number;
  readonly payloads: number;
  readonly bytes: number;
  /** Payloads that were deleted on purpose. */
  readonly forgotten: number;
  readonly checkpoints: number;
  readonly head: string;
  readonly broken: Broken | null;
  /** VERIFY-8: facts that aren't faults but worth knowing: restores, lost checkpoints, how much of the index was compared. */
  readonly notes: readonly string[];
  /** VERIFY-1: further deviations, each with what to do; empty unless requested. */
  readonly damages: readonly NamedDamage[];
};

export type NamedDamage = Damage & { readonly remedy: string };

/** Verifies one part of the log, in a thread of its own if that helps. */
export type VerifyPart = (from: number, to: number, forgotten: readonly string[]) => ReturnType<typeof verifyRange>;

export type VerifyOptions = {
  readonly parts?: readonly VerifyPart[];
  readonly onProgress?: (done: number, all: number) => void;
  readonly signal?: AbortSignal;
};

/** LOG-4, LOG-5: verifies the whole chain, every payload, and the checkpoints of the second place. Reports the first fault. */
export const verifyLog = async (log: LogPort, checkpoints: Checkpoints, options: VerifyOptions = {}): Promise<Verdict> => {
  const head = await log.head();
  // The entries themselves are verified with all others; here they only tell which payloads may be missing.
  const forgotten = await forgottenIn(log).catch(() => new Set<string>()); // an unreadable one is found below
  let done = 0;
  const onProgress = (entries: number): void => {
    done += entries;
    options.onProgress?.(done, head.count);
  };
  const signal = options.signal === undefined ? {} : { signal: options.signal };
  const here: VerifyPart = (from, to, dropped) => verifyRange(log, from, to, { forgotten: new Set(dropped), onProgress, ...signal });
  const workers =
    options.parts === undefined || options.parts.length === 0 ? [here] : options.parts.slice(0, head.count < WORTH_SHARING ? 1 : undefined);
  const share = Math.ceil(head.count / workers.length);
  const verdicts = await Promise.all(
    workers.map((work, i) => {
      const from = i * share + 1;
      return work(from, Math.min(head.count, from - 1 + share), [...forgotten]).catch((cause: unknown): RangeVerdict => ({
        ...NOTHING_READ,
        broken: unreadable(from, cause),
      }));
    }),
  );
  const sum = (key: 'entries' | 'payloads' | 'bytes'): number => verdicts.reduce((total, verdict) => total + verdict[key], 0);
  const anchored = await checkpoints.check(log).catch(unreadableLog);
  const broken = verdicts.find((verdict) => verdict.broken !== null)?.broken ?? anchored.broken;
  return {
    isWhole: broken === null,
    entries: sum('entries'),
    payloads: sum('payloads'),
    bytes: sum('bytes'),
    forgotten: verdicts.reduce((total, verdict) => total + verdict.forgotten.length, 0),
    checkpoints: anchored.checked,
    head: Buffer.from(head.checksum).toString('hex'),
    broken,
    notes: [...(await restoresIn(log).catch(() => [])), ...anchored.notes],
    damages: [],
  };
};

/** VERIFY-1: the log, and everything kept beside it. `kept` are the media that the board refers to. */
export const verifyBoard = async (
  verdict: Verdict,
  audit: () => Promise<Audit>,
  store: Pick<Store, 'media'>,
  kept: readonly string[],
): Promise<Verdict> => {
  const { damages, checked } = await audit().catch(unreadableBoard);
  const gone: Damage[] = [];
  for (const sha256 of kept)
    if ((await store.media.find(sha256)) === null)
      gone.push({ part: 'media', where: `media_uploads, ${sha256}`, what: 'is gone, and the board refers to it' });
  const named = [...damages, ...gone].map((damage) => ({ ...damage, remedy: REMEDIES[damage.part] }));
  const { searchTexts, searchTextsOf } = checked;
  const sampled = searchTexts < searchTextsOf ? [`search: a sample of ${searchTexts} of ${searchTextsOf} entries was compared with the index`] : [];
  return { ...verdict, isWhole: verdict.isWhole && named.length === 0, damages: named, notes: [...verdict.notes, ...sampled] };
};

/**
 * VERIFY-11: whoever forgets something takes it out of the library, the log and the indexes one after the other, and in between they differ. So where
 * they do, and something was forgotten since the last look, they are looked at again. What is still there then is a damage.
 */
export const afterForgetting = async (
  log: Pick<LogPort, 'positionsOfType' | 'entriesAt' | 'payloadByHash'>,
  look: () => Promise<Verdict>,
  pause: () => Promise<unknown>,
  signal?: AbortSignal,
): Promise<Verdict> => {
  let before = await forgettingIn(log);
  let isAtWork = before.isAtWork;
  for (let looks = 1; ; looks += 1) {
    const verdict = await look();
    if (!verdict.damages.some(({ part }) => part === 'library' || part === 'search') || looks >= MOST_LOOKS) return verdict;
    const now = await forgettingIn(log);
    // The indexes follow the log a moment later.
    if (!isAtWork && now.last === before.last && Date.now() - now.at > INDEXED_BY) return verdict;
    [before, isAtWork] = [now, now.isAtWork];
    await pause();
    signal?.throwIfAborted();
  }
};

type Forgetting = {
  /** Where the last entry is that announces one, and when it was written. */
  readonly last: number;
  readonly at: number;
  /** What it announces is still there. */
  readonly isAtWork: boolean;
};

const forgettingIn = async (log: Pick<LogPort, 'positionsOfType' | 'entriesAt' | 'payloadByHash'>): Promise<Forgetting> => {
  const last = (await log.positionsOfType(ENTRY_TYPES.forgotten).catch(() => [])).at(-1);
  if (last === undefined) return { last: 0, at: 0, isAtWork: false };
  const [entry] = await log.entriesAt([last]).catch(() => []); // one that can't be read is found by the audit
  const isThere = entry?.note == null ? null : await log.payloadByHash(entry.note).catch(() => null);
  return { last, at: entry?.recordedAt ?? 0, isAtWork: isThere !== null };
};

/** An unreadable page is a fault of the log, and no reason to skip the rest. */
const unreadable = (from: number, cause: unknown): Broken => {
  if (!(cause instanceof StoreFault) || cause.kind !== 'corrupt') throw cause;
  return { position: from, kind: 'unreadable', why: cause.message };
};

const unreadableLog = (cause: unknown): Anchored => ({ checked: 0, broken: unreadable(0, cause), notes: [] });

const unreadableBoard = (cause: unknown): Audit => ({
  damages: [{ part: 'database', where: 'the database', what: unreadable(0, cause).why }],
  checked: { libraryRows: 0, searchTexts: 0, searchTextsOf: 0, media: 0 },
});

const REMEDIES = {
  database: 'keep the file, and restore a backup with `yarnboard restore FILE`',
  log: 'keep the file, and restore a backup with `yarnboard restore FILE`',
  media: 'restore a backup with `yarnboard restore FILE`, or upload the file again',
  library: 'run `yarnboard rebuild`: it is made from the log again',
  search: 'run `yarnboard rebuild`: it is made from the log again',
  files: 'run `yarnboard repair SESSION`: its files are read again from the start',
} as const satisfies Record<AuditedPart, string>;

const NOTHING_READ = { entries: 0, payloads: 0, bytes: 0, forgotten: [] };
const WORTH_SHARING = 20_000;
/** What takes longer to forget than so many looks would be reported, and is gone when the operator looks again. */
const MOST_LOOKS = 5;
/** How long the indexes may take to follow, in milliseconds. */
const INDEXED_BY = 60_000;
