import { assertNever, type Board, type Recorded, type Rejection } from '@yarnboard/domain';
import type { Verdict } from './batch.ts';
import { warningsOf } from './warnings.ts';

/** The outcome of a command. `seq` is the position of its last entry, `refs` are the references it created. */
export type Outcome =
  | {
      readonly kind: 'done';
      readonly seq: number;
      readonly refs: readonly string[];
      readonly events: readonly Recorded[];
      readonly warnings: readonly string[];
    }
  | { readonly kind: 'duplicate'; readonly seq: number; readonly refs: readonly string[] }
  | Waits
  | ({ readonly kind: 'rejected' } & Rejection);

/** REC-52: it isn't on the log yet: it waits, durable in these places, and has no number. */
export type Waits = {
  readonly kind: 'queued';
  readonly cacheId: string;
  /** Its place in the queue, from 1. */
  readonly position: number;
  readonly durableIn: readonly string[];
  /** Its future uuid on the log. Other waiting commands refer to it by this. */
  readonly uuid: string;
};

/** The logged events of each verdict. */
export type Taken = ReadonlyMap<Verdict, readonly Recorded[]>;

/** The answer to the caller, once the whole batch is in the board. */
export const outcomeOf = (
  verdict: Exclude<Verdict, { kind: 'failed' }>,
  all: readonly Verdict[],
  taken: Taken,
  { board, position }: { readonly board: Board; readonly position: number },
): Outcome => {
  const doneBy = (one: Verdict | undefined) => {
    const events = (one === undefined ? undefined : taken.get(one)) ?? [];
    return { seq: events.at(-1)?.position ?? position, refs: events.flatMap(({ refs }) => refs), events };
  };
  switch (verdict.kind) {
    case 'decided': {
      const done = doneBy(verdict);
      return { kind: 'done', ...done, warnings: warningsOf(board, done.events) };
    }
    case 'duplicate':
      return verdict;
    case 'repeated': {
      const { seq, refs } = doneBy(all[verdict.of]);
      return { kind: 'duplicate', seq, refs };
    }
    case 'rejected':
      return { kind: 'rejected', ...verdict.rejection };
    default:
      return assertNever(verdict);
  }
};
