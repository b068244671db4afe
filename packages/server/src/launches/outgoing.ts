/** Schedules work; the returned function cancels it. */
export type After = (ms: number, work: () => void) => () => void;

export type OutgoingOptions<T> = {
  /** Sends the next items, in order. After a failure it gets the same items again. */
  readonly send: (items: readonly T[]) => Promise<unknown>;
  readonly after: After;
  readonly onFault: (cause: unknown) => void;
  /** The longest time to hold a call back. */
  readonly delay?: number;
  /** How many items and bytes may queue before `add` makes its caller wait. */
  readonly room?: { readonly items: number; readonly bytes: number };
  readonly bytesOf?: (item: T) => number;
};

/** Held back until one of these calls is asked about or answered, or the delay is over. */
export type Held = { readonly calls: readonly string[] };

/** One run's queue of entries for the log. Each run has its own, so one that cannot send blocks no other. */
export type Outgoing<T> = {
  /** Queues an item behind all earlier ones; resolves when there is room for more. */
  readonly add: (item: T, held?: Held) => Promise<void>;
  /** Releases the items held for this call. */
  readonly release: (call: string) => void;
  /** Releases everything; resolves when all items added so far are sent. */
  readonly flush: () => Promise<void>;
  /** Flushes, but waits no longer than `patience`; returns the number of unsent items. Takes no items afterwards. */
  readonly close: (patience: number) => Promise<{ readonly unsent: number }>;
  readonly waiting: () => number;
};

type Place<T> = {
  readonly id: number;
  readonly item: T;
  readonly bytes: number;
  readonly calls: ReadonlySet<string>;
  isHeld: boolean;
  readonly callOff: () => void;
};

/** RUN-6: sends in the order of adding, whatever is held back, released or fails. */
export const createOutgoing = <T>(options: OutgoingOptions<T>): Outgoing<T> => {
  const { send, after, onFault, delay = DELAY, room = ROOM, bytesOf = () => 0 } = options;
  let places: Place<T>[] = [];
  let bytes = 0;
  let lastId = 0;
  let sentId = 0;
  let pause = FIRST_PAUSE;
  let callOffPause: (() => void) | null = null;
  let isSending = false;
  let isClosed = false;
  let waiters: { readonly isDone: () => boolean; readonly resolve: () => void }[] = [];

  const until = (isDone: () => boolean): Promise<void> =>
    isDone()
      ? Promise.resolve()
      : new Promise((resolve) => {
          waiters.push({ isDone, resolve });
        });

  const settle = (): void => {
    const done = waiters.filter((waiter) => waiter.isDone());
    if (done.length === 0) return;
    waiters = waiters.filter((waiter) => !done.includes(waiter));
    for (const { resolve } of done) resolve();
  };

  const letGo = (place: Place<T>): void => {
    if (!place.isHeld) return;
    place.isHeld = false;
    place.callOff();
  };

  const letAllGo = (): void => {
    for (const place of places) letGo(place);
  };

  // One batch at a time, and none during the pause after a failure.
  const go = (): void => {
    if (isSending || isClosed || callOffPause !== null) return;
    const end = places.findIndex(({ isHeld }) => isHeld);
    const next = places.slice(0, Math.min(end === -1 ? places.length : end, MOST_AT_ONCE));
    if (next.length === 0) return;
    isSending = true;
    void attempt(next);
  };

  const endPause = (): void => {
    callOffPause?.();
    callOffPause = null;
  };

  const attempt = async (next: readonly Place<T>[]): Promise<void> => {
    try {
      await send(next.map(({ item }) => item));
      places = places.slice(next.length);
      bytes -= next.reduce((sum, place) => sum + place.bytes, 0);
      sentId = next.at(-1)?.id ?? sentId;
      pause = FIRST_PAUSE;
    } catch (cause) {
      if (isClosed) return;
      onFault(cause);
      callOffPause = after(pause, () => {
        endPause();
        go();
      });
      pause = Math.min(pause * 2, LAST_PAUSE);
    } finally {
      isSending = false;
    }
    settle();
    go();
  };

  const placeOf = (item: T, calls: readonly string[]): Place<T> => {
    const unheld = { id: lastId, item, bytes: bytesOf(item), calls: NO_CALLS, isHeld: false, callOff: nothing };
    if (calls.length === 0) return unheld;
    const callOff = after(delay, () => {
      letGo(held);
      go();
    });
    const held: Place<T> = { ...unheld, calls: new Set(calls), isHeld: true, callOff };
    return held;
  };

  const hasRoom = (): boolean => (places.length <= room.items && bytes <= room.bytes) || isClosed;

  const flush = (): Promise<void> => {
    letAllGo();
    const wanted = lastId;
    go();
    return until(() => sentId >= wanted || isClosed);
  };

  return {
    add: (item, held) => {
      if (isClosed) return Promise.reject(new Error('nothing more is sent for a run that has ended'));
      lastId += 1;
      const place = placeOf(item, held?.calls ?? []);
      places.push(place);
      bytes += place.bytes;
      go();
      return until(hasRoom);
    },
    release: (call) => {
      for (const place of places) if (place.calls.has(call)) letGo(place);
      go();
    },
    flush,
    close: async (patience) => {
      // Try once more right away, however long the pause was.
      endPause();
      pause = FIRST_PAUSE;
      let callOff = nothing;
      await Promise.race([
        flush(),
        new Promise<void>((resolve) => {
          callOff = after(patience, resolve);
        }),
      ]);
      callOff();
      isClosed = true;
      endPause();
      for (const place of places) place.callOff();
      settle();
      return { unsent: places.length };
    },
    waiting: () => places.length,
  };
};

const nothing = (): void => {};
const NO_CALLS: ReadonlySet<string> = new Set();
const DELAY = 250;
const ROOM = { items: 1000, bytes: 32 * 1024 * 1024 };
const MOST_AT_ONCE = 500;
const FIRST_PAUSE = 100;
const LAST_PAUSE = 10_000;
