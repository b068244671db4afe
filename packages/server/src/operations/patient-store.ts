import { StoreFault, type Store } from '@yarnboard/store';

/** REC-66: the same store for callers that can't wait long for it while it is away. Anything in memory is still answered. */
export const patientStore = <S extends Pick<Store, 'log' | 'library' | 'search'>>(store: S, isAway: () => boolean, patience = PATIENCE): S => ({
  ...store,
  log: eachInTime(store.log, isAway, patience),
  library: eachInTime(store.library, isAway, patience),
  search: eachInTime(store.search, isAway, patience),
});

const eachInTime = <P extends object>(port: P, isAway: () => boolean, patience: number): P =>
  Object.fromEntries(
    Object.entries(port).map(([name, value]: [string, unknown]) => {
      if (typeof value !== 'function') return [name, value];
      const ask = value as (...args: readonly unknown[]) => Promise<unknown>; // a port has async functions and plain values
      return [name, (...args: readonly unknown[]) => (isAway() ? inTime(ask(...args), patience) : ask(...args))];
    }),
  ) as P; // same names, same results

const inTime = async <T>(work: Promise<T>, patience: number): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new StoreFault('unreachable', 'the store is away, and this cannot be read without it; try again when it is back'));
    }, patience);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};

const PATIENCE = 900;
