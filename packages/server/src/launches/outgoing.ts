/** Does something later; what it gives back calls it off. */
export type After = (ms: number, work: () => void) => () => void;

export type OutgoingOptions<T> = {
  /** Takes what is next, in order; until it succeeds the same is handed to it again. */
  readonly send: (items: readonly T[]) => Promise<unknown>;
  readonly after: After;
  readonly onFault: (cause: unknown) => void;
  /** How long a call is held back at most. */
  readonly delay?: number;
  /** How many may wait, and how many bytes, before whoever adds one has to wait, too. */
  readonly room?: { readonly items: number; readonly bytes: number };
  readonly bytesOf?: (item: T) => number;
};

/** What is held back until one of these calls is asked about, answered, or its time is over. */
export type Held = { readonly calls: readonly string[] };

/** What one run has to say, on its way to the log. Each run has its own: one that cannot send keeps nobody else waiting. */
export type Outgoing<T> = {
  /** Takes its place behind everything added before; resolves when there is room for more. */
  readonly add: (item: T, held?: Held) => Promise<void>;
  /** Lets go what is held back for this call. */
  readonly release: (call: string) => void;
  /** Lets everything go; resolves when all that was added before is sent. */
  readonly flush: () => Promise<void>;
  /** Flushes, for so long at most; tells how many could not be sent. Nothing is taken afterwards. */
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

/** RUN-6: sends in the order of adding, whatever is held back, fails or is released. */
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

  // One at a time, and never while a pause after a failure lasts.
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
      // Once more at once, however long the pause was to be.
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
