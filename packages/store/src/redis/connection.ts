import { loadRedis } from './driver.ts';

/** Whether Redis answers; if not, why, and since when it is as it is (milliseconds of the clock that was given). */
export type RedisState = { readonly isUp: boolean; readonly why: string | null; readonly since: number };

/** A connection to Redis that comes back by itself. Nothing is kept for later: what cannot be sent now fails now. */
export type Redis = {
  /** What messages call it: without user and password. */
  readonly name: string;
  readonly state: () => RedisState;
  /** Any command. Fails at once while Redis is away, and after a second without an answer. */
  readonly send: (command: readonly string[]) => Promise<unknown>;
  /** Tells whoever listens. Lost while Redis is away: whatever is told has to be found out in another way as well. */
  readonly publish: (channel: string, text: string) => void;
  /** Hears what is told from when Redis answers, again after every return. */
  readonly subscribe: (channel: string, listener: (text: string) => void) => void;
  readonly close: () => void;
};

export type RedisOptions = {
  readonly url: string;
  readonly now: () => number;
  /** It went away, came back, or fails for another reason. */
  readonly onChange?: (state: RedisState) => void;
  readonly load?: Parameters<typeof loadRedis>[0];
};

/** MANY-13: begins to connect, and waits for nothing: a Redis that is not there keeps nobody from starting. */
export const openRedis = ({ url, now, onChange, load }: RedisOptions): Redis => {
  const name = redisName(url);
  const wanted: { readonly channel: string; readonly listener: (text: string) => void }[] = [];
  let state: RedisState = { isUp: false, why: 'not connected yet', since: now() };
  let lines: Lines | null = null;
  let isClosed = false;
  let timer: NodeJS.Timeout | null = null;

  const become = (isUp: boolean, why: string | null): void => {
    if (isClosed || (state.isUp === isUp && state.why === why)) return;
    state = { isUp, why, since: state.isUp === isUp ? state.since : now() };
    onChange?.(state);
  };

  const failed = (cause: unknown): void => become(false, `${name}: ${reasonOf(cause)}`);

  const listenTo = (to: Lines, channel: string, listener: (text: string) => void): void => {
    // Subscribed once; the client does it again after each return.
    to.subscriber.subscribe(channel, listener).catch(failed);
  };

  const look = async (): Promise<void> => {
    if (lines === null || isClosed) return;
    try {
      await Promise.all([within(lines.commands.ping()), within(lines.subscriber.ping())]);
      become(true, null);
    } catch (cause) {
      failed(cause);
    }
  };

  const begin = async (): Promise<void> => {
    const { createClient } = await loadRedis(load);
    if (isClosed) return;
    // Whoever listens can do nothing else on the same connection.
    const [commands, subscriber] = [clientOf(createClient, url), clientOf(createClient, url)];
    const made: Lines = { commands, subscriber };
    for (const line of [commands, subscriber]) {
      // Without a listener the process would end.
      line.on('error', failed);
      line.on('ready', () => void look());
    }
    let isFirst = true;
    subscriber.on('ready', () => {
      if (isFirst) for (const { channel, listener } of wanted) listenTo(made, channel, listener);
      isFirst = false;
    });
    lines = made;
    timer = setInterval(() => void look(), LOOK_EVERY);
    timer.unref();
    // Tries until it is connected or closed; that it does not work yet is told by 'error'.
    await Promise.allSettled([commands.connect(), subscriber.connect()]);
  };

  void begin().catch(failed);

  return {
    name,
    state: () => state,
    send: (command) =>
      lines === null || !state.isUp
        ? Promise.reject(new Error(state.why ?? `${name}: not connected`))
        : within(lines.commands.sendCommand([...command])),
    publish: (channel, text) => {
      if (lines === null || !state.isUp) return;
      lines.commands.publish(channel, text).catch(failed);
    },
    subscribe: (channel, listener) => {
      wanted.push({ channel, listener });
      if (lines !== null && lines.subscriber.isReady) listenTo(lines, channel, listener);
    },
    close: () => {
      isClosed = true;
      if (timer !== null) clearInterval(timer);
      for (const line of lines === null ? [] : [lines.commands, lines.subscriber]) if (line.isOpen) line.destroy();
    },
  };
};

const clientOf = (createClient: Awaited<ReturnType<typeof loadRedis>>['createClient'], url: string) =>
  createClient({
    url,
    RESP: 2,
    disableOfflineQueue: true,
    socket: {
      connectTimeout: CONNECT,
      socketTimeout: DEAD_AFTER,
      reconnectStrategy: (tries) => Math.min(FIRST_TRY * 2 ** Math.min(tries, 10), LAST_TRY),
    },
  });

type Client = ReturnType<typeof clientOf>;
type Lines = { readonly commands: Client; readonly subscriber: Client };

/** The address without user and password. */
export const redisName = (url: string): string => `Redis ${url.replace(/^\w+:\/\//u, '').replace(/^.*@/u, '').replace(/\?.*$/u, '')}`; // prettier-ignore

const within = async <T>(work: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer within a second')), PATIENCE);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    work.catch(() => {}); // whoever waited was told that it is late
  }
};

const reasonOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause);
  const [first] = cause instanceof AggregateError ? cause.errors : [cause];
  return first instanceof Error && first.message !== '' ? first.message : cause.message;
};

const PATIENCE = 1000;
const LOOK_EVERY = 1000;
const CONNECT = 1000;
/** Silent for so long in spite of being asked every second: the connection is dead, whatever the network says. */
const DEAD_AFTER = 5000;
const FIRST_TRY = 50;
const LAST_TRY = 1000;
