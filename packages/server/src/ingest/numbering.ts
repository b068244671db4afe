import type { Handle } from './bytes.ts';
import { countBefore, createOccurrences, type Occurrences } from './occurrences.ts';
import type { Repeats } from './source.ts';

export type ToNumber = { readonly contextId: string; readonly hash: string };

/** ING-3: the occurrence number of each line in its file. A new `edition` is a rewritten file, and starts over. */
export type Numbering = {
  readonly next: (file: Handle, edition: number, lines: readonly ToNumber[]) => Promise<readonly number[]>;
  /** Everything up to this offset is on the log, which provides the counts from now on; later additions are small. */
  readonly settle: (edition: number, offset: number, isAllRead: boolean) => void;
};

/** `countLines` counts what the log has of a file up to a place, by the logged form of each line. */
export const createNumbering = (repeats: Repeats, from: number, countLines: typeof countBefore = countBefore): Numbering => {
  /** Null while the log provides the counts; kept once it had to be computed. */
  let occurrences: Occurrences | null = from === 0 ? createOccurrences() : null;
  let isCounted = false;
  /** Everything up to here is on the log; these come after it. */
  let settledAt = from;
  let unsettled = new Set<string>();
  let current = 0;

  const turnTo = (edition: number): void => {
    if (edition === current) return;
    current = edition;
    occurrences = createOccurrences();
    isCounted = false;
    settledAt = 0;
    unsettled = new Set();
  };

  const isFirst = async ({ contextId, hash }: ToNumber): Promise<boolean> => !unsettled.has(hash) && (await repeats(contextId, hash)) === 0;

  // The same bytes occurred before, or in a copy of the file: only the file itself shows how often. Counted once, then cached: some lines repeat with
  // every prompt.
  const count = async (file: Handle): Promise<Occurrences> => {
    const counted = await countLines(file, settledAt);
    isCounted = true;
    for (const seen of unsettled) counted.next(seen);
    return counted;
  };

  return {
    next: async (file, edition, lines) => {
      turnTo(edition);
      const numbers: number[] = [];
      for (const line of lines) {
        if (occurrences === null && (await isFirst(line))) {
          unsettled.add(line.hash);
          numbers.push(1);
        } else {
          occurrences ??= await count(file);
          numbers.push(occurrences.next(line.hash));
        }
      }
      return numbers;
    },
    settle: (edition, offset, isAllRead) => {
      turnTo(edition);
      settledAt = offset;
      unsettled = new Set();
      if (!isCounted && isAllRead) occurrences = null;
    },
  };
};
