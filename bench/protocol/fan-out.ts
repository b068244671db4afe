import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Spent } from '../ingest/job.ts';
import { isIdle } from '../ingest/start.ts';
import { rest, startServer, until, type Command } from '../measure/command.ts';
import { mustBeEqual } from '../measure/run.ts';
import { monotonicNow, type FanOutCost, type FanOutResult } from './job.ts';
import { openLightClient } from './light-client.ts';
import { startPartner, type Partner } from './partner.ts';
import { makeTalk } from './talk.ts';
import { mainThreadSeconds } from './thread-time.ts';
import { isEntry, openTestClient } from './test-client.ts';

export type FanOutOrder = {
  readonly command: Command;
  /** The program of the helping processes. */
  readonly child: string;
  readonly folder: string;
  /** How many lines for one client and for none. */
  readonly heard: number;
  /** How many frames for how many clients. */
  readonly rounds: readonly { readonly clients: number; readonly frames: number }[];
  readonly single: { readonly clients: number; readonly frames: number };
  readonly slow: { readonly clients: number; readonly frames: number };
  readonly seed: number;
};

/** Frames to many clients, all in one process of their own: from the server, and the very same bytes from a bare `ws` server. */
export const measureFanOut = async (order: FanOutOrder): Promise<FanOutResult> => {
  const stage = await openStage(order);
  const { clients, bare } = stage;
  try {
    const heard = await compareHeard(stage, order.heard);
    const live: FanOutCost[] = [];
    const ready: FanOutCost[] = [];
    for (const round of order.rounds) {
      const told = await stage.tellLive(round.clients, round.frames);
      const bytes = await stage.copyFrames(told.from, told.to);
      const again = await stage.tellReady(round.clients, told.from, told.to);
      await bare.tell({ do: 'load', path: stage.framesPath }, 'done');
      const cost = { ...round, bytes };
      live.push({ ...cost, ours: told.spent, bare: await stage.tellBare(round.clients, told.to, null) });
      ready.push({ ...cost, ours: again, bare: await stage.tellBare(round.clients, told.to, told.from) });
    }
    const single = await stage.tellSingly(order.single.clients, order.single.frames);
    return { heard, live, ready, single, slow: await compareSlow(stage, order.slow) };
  } finally {
    await clients.stop();
    await bare.stop();
    await stage.close();
  }
};

type Stage = {
  readonly port: number;
  readonly clients: Partner;
  readonly bare: Partner;
  readonly framesPath: string;
  /** Seconds until they are on the log when nobody listens. */
  readonly appendUnheard: (frames: number) => Promise<number>;
  readonly tellLive: (clients: number, frames: number) => Promise<Told>;
  readonly tellSingly: (clients: number, frames: number) => Promise<FanOutResult['single']>;
  readonly tellReady: (clients: number, from: number, to: number) => Promise<Spent>;
  readonly tellBare: (clients: number, to: number, since: number | null) => Promise<Spent>;
  /** Keeps what was told for the bare server; how many bytes there are. */
  readonly copyFrames: (from: number, to: number) => Promise<number>;
  readonly close: () => Promise<void>;
};

type Told = { readonly from: number; readonly to: number; readonly spent: Spent };

const openStage = async ({ command, child, folder, heard, rounds, single, slow, seed }: FanOutOrder): Promise<Stage> => {
  const project = join(folder, 'tree', 'projects', '-home-dev-proj');
  mkdirSync(project, { recursive: true });
  const needed = heard * (1 + 2 * HEARD_ROUNDS) + rounds.reduce((sum, { frames }) => sum + frames, 0) + single.frames + slow.frames * SLOW_ROUNDS;
  const { sessionId, before, after } = makeTalk(seed, 0, needed);
  const path = join(project, `${sessionId}.jsonl`);
  writeFileSync(path, `${before.join('\n')}\n`);
  const framesPath = join(folder, 'frames');
  const server = await startServer(command, join(folder, 'board'), join(folder, 'tree'));
  const clients = startPartner(child, ['clients']);
  const bare = startPartner(child, ['broadcast']);
  const { port: barePort } = await bare.hear('listening');
  const port = Number(new URL(server.url).port);
  let used = 0;
  // It says that it watches before it has looked at anything.
  await rest(1000);
  // Somebody who listens to nothing: without anybody connected the server would keep no frames.
  const listener = await openTestClient(server.url, { subscribe: { sessions: ['nobody'] } }, () => {});

  /** Everything is on the log, indexed and told. */
  const settled = async (): Promise<number> => {
    await rest(300);
    return (await until('idle', () => isIdle(server), 20)).entries;
  };
  const append = (frames: number): void => {
    appendFileSync(path, `${after.slice(used, used + frames).join('\n')}\n`);
    used += frames;
  };
  const connect = async (to: number, count: number): Promise<void> => {
    await clients.tell({ do: 'connect', port: to, count }, 'done');
  };
  /** Waits for the last frame at the last client and says what it took. */
  const spentUntil = async (seq: number, cpu: () => number, begin: () => Promise<number>): Promise<Spent> => {
    const reached = clients.tell({ do: 'await', seq }, 'reached');
    const before = cpu();
    const startedAt = await begin();
    const { at, wrong } = await reached;
    mustBeEqual('clients', { wrong: 0 }, { wrong });
    return { seconds: (at - startedAt) / 1000, cpu: cpu() - before };
  };
  /** The same frame by frame; returns the time from the first client to the last for each. */
  const tellEach = async (from: number, frames: number, send: (i: number) => Promise<unknown>): Promise<number> => {
    const spreads: number[] = [];
    for (let i = 0; i < frames; i += 1) {
      const reached = clients.tell({ do: 'await', seq: from + i + 1 }, 'reached');
      await send(i);
      const { firstAt, at, wrong } = await reached;
      mustBeEqual('clients', { wrong: 0 }, { wrong });
      spreads.push(at - firstAt);
    }
    return spreads.toSorted((a, b) => a - b)[Math.floor(frames / 2)] ?? Number.NaN;
  };
  const ours = (): number => mainThreadSeconds(server.pid);
  const theirs = (): number => mainThreadSeconds(bare.pid);

  const stage: Stage = {
    port,
    clients,
    bare,
    framesPath,
    appendUnheard: async (frames) => {
      const from = await settled();
      const startedAt = performance.now();
      append(frames);
      await until(
        'on the log',
        async () => (((await server.get<{ readonly entries: number }>('/api/v1/status'))?.entries ?? 0) >= from + frames ? true : null),
        5,
      );
      return (performance.now() - startedAt) / 1000;
    },
    tellLive: async (count, frames) => {
      const from = await settled();
      await connect(port, count);
      await clients.tell({ do: 'greet', sinceSeq: null }, 'done');
      const spent = await spentUntil(from + frames, ours, async () => {
        append(frames);
        return monotonicNow();
      });
      await clients.tell({ do: 'close' }, 'done');
      return { from, to: from + frames, spent };
    },
    tellSingly: async (count, frames) => {
      const from = await settled();
      await connect(port, count);
      await clients.tell({ do: 'greet', sinceSeq: null }, 'done');
      const before = ours();
      const spread = await tellEach(from, frames, async () => append(1));
      const cpu = ours() - before;
      await clients.tell({ do: 'close' }, 'done');
      await stage.copyFrames(from, from + frames);
      await bare.tell({ do: 'load', path: framesPath }, 'done');
      await connect(barePort, count);
      await clients.tell({ do: 'greet', sinceSeq: null }, 'done');
      const bareBefore = theirs();
      const bareSpread = await tellEach(from, frames, async (only) => {
        // As far apart as ours, which come through a file: whoever is asleep has to be woken up for each.
        await rest(SINGLE_PAUSE);
        await bare.tell({ do: 'broadcast', only }, 'done');
      });
      const bareCpu = theirs() - bareBefore;
      await clients.tell({ do: 'close' }, 'done');
      return { clients: count, frames, spread: { ours: spread, bare: bareSpread }, cpu: { ours: cpu, bare: bareCpu } };
    },
    tellReady: async (count, from, to) => {
      await settled();
      await connect(port, count);
      const spent = await spentUntil(to, ours, async () => {
        const startedAt = monotonicNow();
        await clients.tell({ do: 'greet', sinceSeq: from }, 'done');
        return startedAt;
      });
      await clients.tell({ do: 'close' }, 'done');
      return spent;
    },
    tellBare: async (count, to, since) => {
      await connect(barePort, count);
      if (since === null) await clients.tell({ do: 'greet', sinceSeq: null }, 'done');
      const spent = await spentUntil(to, theirs, async () => {
        if (since === null) return (await bare.tell({ do: 'broadcast', only: null }, 'done')).at;
        const startedAt = monotonicNow();
        await clients.tell({ do: 'greet', sinceSeq: since }, 'done');
        return startedAt;
      });
      await clients.tell({ do: 'close' }, 'done');
      return spent;
    },
    copyFrames: async (from, to) => {
      await settled();
      const parts: Buffer[] = [];
      let bytes = 0;
      const client = await openTestClient(server.url, { since_seq: from }, (frame) => {
        if (!isEntry(frame) || parts.length >= (to - from) * 2) return;
        const length = Buffer.alloc(4);
        length.writeUInt32BE(frame.length);
        parts.push(length, frame);
        bytes += frame.length;
      });
      await until('the frames again', async () => (parts.length >= (to - from) * 2 ? true : null), 5);
      await client.close();
      writeFileSync(framesPath, Buffer.concat(parts));
      return bytes;
    },
    close: async () => {
      await listener.close();
      await server.stop();
    },
  };
  return stage;
};

const compareHeard = async (stage: Stage, frames: number): Promise<FanOutResult['heard']> => {
  let [without, withOne] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  await stage.tellLive(1, frames); // warms the compiler
  for (let round = 0; round < HEARD_ROUNDS; round += 1) {
    without = Math.min(without, await stage.appendUnheard(frames));
    withOne = Math.min(withOne, (await stage.tellLive(1, frames)).spent.seconds);
  }
  return { frames, without, withOne };
};

/** One more client that reads nothing: the others must not notice, and it has to be told in the end what it missed. */
const compareSlow = async (stage: Stage, { clients, frames }: FanOutOrder['slow']): Promise<FanOutResult['slow']> => {
  const seconds = async (): Promise<number> => (await stage.tellLive(clients, frames)).spent.seconds;
  const before = await seconds();
  const silent = await openSilent(stage.port);
  const withOne = Math.min(await seconds(), await seconds());
  await silent.closed;
  return { clients, without: Math.min(before, await seconds()), withOne, reason: await silent.closed };
};

/** Reads on when its time is over: the reason for its end is behind all that is on its way to it. */
const openSilent = (port: number): Promise<{ readonly closed: Promise<string> }> =>
  new Promise((resolve, reject) => {
    const ended = createPromise<string>();
    const client = openLightClient({
      port,
      onOpen: () => client.greet(null),
      onGreeted: () => {
        client.pause();
        setTimeout(() => client.resume(), SILENT_FOR);
        setTimeout(() => ended.resolve('nothing'), SILENT_FOR * 2).unref();
        resolve({ closed: ended.promise });
      },
      onFrame: () => {},
      onEnd: (why) => {
        reject(new Error(why));
        ended.resolve(why);
      },
    });
  });

const createPromise = <T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } => {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((resolved) => {
    resolve = resolved;
  });
  return { promise, resolve };
};

const HEARD_ROUNDS = 3;
/** Frames of this many rounds are needed to compare. */
const SLOW_ROUNDS = 4;
/** A little longer than the server is patient, and shorter than it waits for an answer to its close. */
const SILENT_FOR = 20_500;
const SINGLE_PAUSE = 20;
