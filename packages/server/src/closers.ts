/** Everything to close at the end. */
export type Closers = { readonly push: (close: () => Promise<void> | void) => void; readonly close: () => Promise<void> };

/** Closes all in reverse order: a failing one must not keep the others open. */
export const createClosers = (): Closers => {
  const closers: (() => Promise<void> | void)[] = [];
  return {
    push: (close) => {
      closers.push(close);
    },
    close: async () => {
      const faults: unknown[] = [];
      for (const close of closers.splice(0).toReversed()) {
        try {
          await close();
        } catch (cause) {
          faults.push(cause);
        }
      }
      if (faults.length > 0) throw faults[0];
    },
  };
};
