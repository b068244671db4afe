import { forgottenIn, verifyRange, type Broken, type LogPort } from '@yarnboard/store';
import type { Checkpoints } from './checkpoints.ts';

/** What verification found. */
export type Verdict = {
  readonly isWhole: boolean;
  readonly entries: number;
  readonly payloads: number;
  readonly bytes: number;
  /** Payloads that were dropped on purpose. */
  readonly forgotten: number;
  readonly checkpoints: number;
  readonly head: string;
  readonly broken: Broken | null;
};

/** One part of the log to verify, in a thread of its own where that helps. */
export type VerifyPart = (from: number, to: number, forgotten: readonly string[]) => ReturnType<typeof verifyRange>;

export type VerifyOptions = {
  readonly parts?: readonly VerifyPart[];
  readonly onProgress?: (done: number, all: number) => void;
  readonly signal?: AbortSignal;
};

/** LOG-4, LOG-5: the whole chain, every payload, and the checkpoints of the second place. Names the first thing that is wrong. */
export const verifyLog = async (log: LogPort, checkpoints: Checkpoints, options: VerifyOptions = {}): Promise<Verdict> => {
  const head = await log.head();
  // Their own entries are verified with all others; here they are only believed to know what may be missing.
  const forgotten = await forgottenIn(log);
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
  const verdicts = await Promise.all(workers.map((work, i) => work(i * share + 1, Math.min(head.count, (i + 1) * share), [...forgotten])));
  const sum = (key: 'entries' | 'payloads' | 'bytes'): number => verdicts.reduce((total, verdict) => total + verdict[key], 0);
  const anchored = await checkpoints.check(log);
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
  };
};

const WORTH_SHARING = 20_000;
