import { assertNever } from '../never.ts';

/** REC-50: the state of the log with regard to writing. */
export type Outage =
  | { readonly kind: 'normal'; readonly failedProbes: number }
  /** A write failed and is being retried: it may have been a hiccup. */
  | { readonly kind: 'degraded'; readonly since: number; readonly why: string; readonly failedProbes: number }
  /** Commands are queued. */
  | { readonly kind: 'emergency'; readonly since: number; readonly why: string; readonly goodProbes: number }
  /** The log is writable again, and queued commands are being written; new commands queue behind them until all are done. */
  | { readonly kind: 'resuming'; readonly since: number; readonly why: string };

export type OutageInput =
  | { readonly kind: 'write-failed'; readonly at: number; readonly why: string }
  | { readonly kind: 'written'; readonly at: number }
  /** Nobody has answered within the time limit. */
  | { readonly kind: 'no-answer'; readonly at: number; readonly why: string }
  /** `why` is null if the log could be written; `isExchanged`: the database isn't the one that was opened. */
  | { readonly kind: 'probed'; readonly at: number; readonly why: string | null; readonly isExchanged?: boolean }
  | { readonly kind: 'resumed'; readonly at: number }
  | { readonly kind: 'resume-failed'; readonly at: number; readonly why: string };

export const NORMAL: Outage = { kind: 'normal', failedProbes: 0 };

/** How long a failing write is retried before commands are queued. */
export const TRIED_FOR_MS = 1000;
/** How many consecutive probes show that the log is away, and how many that it is back. */
const PROBES_DOWN = 2;
export const PROBES_UP = 3;

/** REC-51: the next state. Pure: times come with the input. */
export const stepOutage = (outage: Outage, input: OutageInput): Outage => {
  switch (outage.kind) {
    case 'normal':
      return fromNormal(outage, input);
    case 'degraded':
      return fromDegraded(outage, input);
    case 'emergency':
      if (input.kind !== 'probed') return outage;
      return input.why === null ? good(outage) : { ...outage, why: input.why, goodProbes: 0 };
    case 'resuming':
      if (input.kind === 'resumed') return NORMAL;
      if (input.kind === 'resume-failed' || input.kind === 'write-failed' || input.kind === 'no-answer')
        return { kind: 'emergency', since: outage.since, why: input.why, goodProbes: 0 };
      return outage;
    default:
      return assertNever(outage);
  }
};

/** Whether commands are queued. */
export const isQueueing = ({ kind }: Outage): boolean => kind === 'emergency' || kind === 'resuming';

const fromNormal = (outage: Extract<Outage, { kind: 'normal' }>, input: OutageInput): Outage => {
  switch (input.kind) {
    case 'write-failed':
      return { kind: 'degraded', since: input.at, why: input.why, failedProbes: outage.failedProbes };
    case 'no-answer':
      return away(input.at, input.why);
    case 'probed':
      if (input.why === null) return NORMAL;
      return input.isExchanged === true || outage.failedProbes + 1 >= PROBES_DOWN
        ? away(input.at, input.why)
        : { kind: 'normal', failedProbes: outage.failedProbes + 1 };
    case 'written':
      return NORMAL;
    case 'resumed':
    case 'resume-failed':
      return outage;
    default:
      return assertNever(input);
  }
};

const fromDegraded = (outage: Extract<Outage, { kind: 'degraded' }>, input: OutageInput): Outage => {
  switch (input.kind) {
    case 'written':
      return NORMAL;
    case 'write-failed':
      return input.at - outage.since >= TRIED_FOR_MS ? away(outage.since, input.why) : { ...outage, why: input.why };
    case 'no-answer':
      return away(outage.since, input.why);
    case 'probed':
      // A readable log isn't necessarily writable: as long as writes are being retried, only a successful one ends this.
      if (input.why === null) return input.at - outage.since > 2 * TRIED_FOR_MS ? NORMAL : { ...outage, failedProbes: 0 };
      return input.isExchanged === true || outage.failedProbes + 1 >= PROBES_DOWN
        ? away(outage.since, input.why)
        : { ...outage, why: input.why, failedProbes: outage.failedProbes + 1 };
    case 'resumed':
    case 'resume-failed':
      return outage;
    default:
      return assertNever(input);
  }
};

const good = (outage: Extract<Outage, { kind: 'emergency' }>): Outage =>
  outage.goodProbes + 1 >= PROBES_UP ? { kind: 'resuming', since: outage.since, why: outage.why } : { ...outage, goodProbes: outage.goodProbes + 1 };

const away = (since: number, why: string): Outage => ({ kind: 'emergency', since, why, goodProbes: 0 });
