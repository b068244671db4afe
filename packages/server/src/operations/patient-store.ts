import { StoreFault, type Store } from '@yarnboard/store';

/** REC-66: the same store, for whoever must not wait for it long while it is away. What is in memory is answered all the same. */
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
      const ask = value as (...args: readonly unknown[]) => Promise<unknown>; // ports have functions that answer later, and values
      return [name, (...args: readonly unknown[]) => (isAway() ? inTime(ask(...args), patience) : ask(...args))];
    }),
  ) as P; // the same names, the same answers

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
