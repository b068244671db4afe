import { StoreFault, type LogPort } from '@yarnboard/store';
import type { FollowerState } from '../followers/runner.ts';

/** Whether the log is writable, judging by the last attempt. */
export type WriteWatch = {
  /** The log, with its appends observed. */
  readonly log: LogPort;
  /** Finds out without waiting for a write. */
  readonly look: () => Promise<void>;
  readonly close: () => void;
};

type Options = {
  readonly log: LogPort;
  readonly now: () => number;
  readonly onChange: (state: FollowerState) => void;
  readonly after?: (ms: number, work: () => void) => () => void;
};

/**
 * SRV-33: a command refused for lack of space is a problem of the server, not only of its sender. It is reported before the refusal, and cleared when
 * a write succeeds: somebody's, or a probe's, so that health recovers even if nobody tries.
 */
export const watchWriting = ({ log, now, onChange, after = afterTimeout }: Options): WriteWatch => {
  let passes = 0;
  let failure: FollowerState['failure'] = null;
  let stopTimer = (): void => {};
  let isClosed = false;

  const succeeded = (): void => {
    passes += 1;
    if (failure === null) return;
    failure = null;
    stopTimer();
    tell();
  };

  const failed = (cause: unknown): void => {
    // Others decided in the meantime: that is normal on a shared board, and says nothing about the store.
    if (isClosed || !(cause instanceof StoreFault) || cause.kind === 'stale') return;
    const times = (failure?.times ?? 0) + 1;
    const isNew = failure?.why !== cause.message;
    failure = { why: cause.message, since: failure?.since ?? now(), times };
    if (isNew) tell();
    stopTimer();
    stopTimer = after(Math.min(FIRST_PROBE * 2 ** Math.min(times - 1, MOST_DOUBLED), LAST_PROBE), () => void probe());
  };

  const tell = (): void => onChange({ name: 'writing', passes, failure });

  const probe = async (): Promise<void> => {
    try {
      await log.probe();
      succeeded();
    } catch (cause) {
      failed(cause);
    }
  };

  return {
    log: {
      ...log,
      append: async (batch) => {
        try {
          const results = await log.append(batch);
          // Items that were known already wrote nothing.
          if (results.length === 0 || results.some(({ status }) => status !== 'known')) succeeded();
          return results;
        } catch (cause) {
          failed(cause);
          throw cause;
        }
      },
    },
    look: probe,
    close: () => {
      isClosed = true;
      stopTimer();
    },
  };
};

const afterTimeout = (ms: number, work: () => void): (() => void) => {
  const timer = setTimeout(work, ms);
  timer.unref();
  return () => clearTimeout(timer);
};

const FIRST_PROBE = 500;
const LAST_PROBE = 5000;
const MOST_DOUBLED = 10;
