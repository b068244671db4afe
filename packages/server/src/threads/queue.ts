import type { Appended, Item, LogPort } from '@yarnboard/store';

/** Combines the appends of many callers. Resolves when an item is durable. */
export type AppendQueue = {
  /** With `decidedAt`, it is committed separately: a stale refusal affects no one else. */
  readonly append: (items: readonly Item[], decidedAt?: number) => Promise<readonly Appended[]>;
};

type Waiting = {
  readonly items: readonly Item[];
  readonly decidedAt: number | undefined;
  readonly resolve: (results: readonly Appended[]) => void;
  readonly reject: (cause: unknown) => void;
};

/** STORE-3: callers during a commit share the next one. */
export const createAppendQueue = (log: LogPort, onCommit: (results: readonly Appended[], isDecided: boolean) => void = () => {}): AppendQueue => {
  let waiting: Waiting[] = [];
  let isRunning = false;

  const run = async (): Promise<void> => {
    isRunning = true;
    while (waiting.length > 0) {
      const group = takeGroup();
      try {
        const [first] = group;
        const results = await log.append({
          items: group.flatMap(({ items }) => items),
          files: [],
          ...(first?.decidedAt === undefined ? {} : { decidedAt: first.decidedAt }),
        });
        let at = 0;
        for (const { items, resolve } of group) {
          resolve(results.slice(at, at + items.length));
          at += items.length;
        }
        onCommit(results, first?.decidedAt !== undefined);
      } catch (cause) {
        for (const { reject } of group) reject(cause);
      }
    }
    isRunning = false;
  };

  const takeGroup = (): readonly Waiting[] => {
    let items = 0;
    const end = waiting.findIndex((one, i) => (items += one.items.length) > MOST_ITEMS || (one.decidedAt !== undefined && i > 0));
    const isAlone = waiting[0]?.decidedAt !== undefined;
    const group = isAlone ? waiting.slice(0, 1) : end === -1 ? waiting : waiting.slice(0, Math.max(1, end));
    waiting = waiting.slice(group.length);
    return group;
  };

  return {
    append: (items, decidedAt) =>
      new Promise((resolve, reject) => {
        waiting.push({ items, decidedAt, resolve, reject });
        // After everything that is ready now, so that it is committed together.
        if (!isRunning) {
          isRunning = true;
          setImmediate(() => void run());
        }
      }),
  };
};

const MOST_ITEMS = 5000;
