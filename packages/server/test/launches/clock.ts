import type { After } from '../../src/launches/outgoing.ts';

/** A clock that only goes when it is told to. */
export type Clock = {
  readonly now: () => number;
  readonly after: After;
  /** Goes on, doing on the way what was to be done, and lets what follows from it happen. */
  readonly pass: (ms: number) => Promise<void>;
  readonly waiting: () => number;
};

export const createClock = (start = 0): Clock => {
  let time = start;
  let next = 0;
  const timers = new Map<number, { readonly at: number; readonly work: () => void }>();
  return {
    now: () => time,
    after: (ms, work) => {
      const id = (next += 1);
      timers.set(id, { at: time + ms, work });
      return () => void timers.delete(id);
    },
    pass: async (ms) => {
      const end = time + ms;
      await settle();
      for (;;) {
        const [due] = [...timers].filter(([, { at }]) => at <= end).sort(([a, one], [b, other]) => one.at - other.at || a - b);
        if (due === undefined) break;
        timers.delete(due[0]);
        time = Math.max(time, due[1].at);
        due[1].work();
        await settle();
      }
      time = end;
    },
    waiting: () => timers.size,
  };
};

/** Lets everything happen that needs no time. */
export const settle = async (): Promise<void> => {
  for (let i = 0; i < 5; i += 1) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
};
