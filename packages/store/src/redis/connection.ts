import { loadRedis } from './driver.ts';

/** Whether Redis answers; if not, why; and since when (in milliseconds of the given clock). */
export type RedisState = { readonly isUp: boolean; readonly why: string | null; readonly since: number };

/** A connection to Redis that reconnects by itself. Nothing is queued: what can't be sent now fails now. */
export type Redis = {
  /** Its name in messages: without user and password. */
  readonly name: string;
  readonly state: () => RedisState;
  /** Any command. Fails at once while Redis is down, and after a second without an answer. */
  readonly send: (command: readonly string[]) => Promise<unknown>;
  /** Notifies subscribers. Lost while Redis is down, so subscribers need a second way to find out. */
  readonly publish: (channel: string, text: string) => void;
  /** Receives messages whenever Redis answers, and again after each reconnect. */
  readonly subscribe: (channel: string, listener: (text: string) => void) => void;
  readonly close: () => void;
};

export type RedisOptions = {
  readonly url: string;
  readonly now: () => number;
  /** It went down, came back, or fails for a different reason. */
  readonly onChange?: (state: RedisState) => void;
  readonly load?: Parameters<typeof loadRedis>[0];
};

/** MANY-13: starts connecting and waits for nothing: a missing Redis doesn't delay start-up. */
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
    // Subscribed once; the client resubscribes after each reconnect.
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
    // A subscribed connection can't do anything else.
    const [commands, subscriber] = [clientOf(createClient, url), clientOf(createClient, url)];
    const made: Lines = { commands, subscriber };
    for (const line of [commands, subscriber]) {
      // Without a listener, the process would exit.
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
    // Retries until it is connected or closed; failures arrive as 'error'.
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
    work.catch(() => {}); // the caller was already told that it timed out
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
/** Silent this long although it is pinged every second: the connection is dead, whatever the network says. */
const DEAD_AFTER = 5000;
const FIRST_TRY = 50;
const LAST_TRY = 1000;
