import { join } from 'node:path';
import { isIdle } from '../ingest/start.ts';
import { rest, startServer, until, type Command, type Server } from '../measure/command.ts';
import { mustBeEqual } from '../measure/run.ts';
import type { Reading, ResumeResult } from './job.ts';
import { isEntry, openTestClient } from './test-client.ts';
import { mainThreadSeconds } from './thread-time.ts';

export type ResumeOrder = { readonly command: Command; readonly folder: string; readonly tree: string; readonly away: number };

/** A client that reads a long session from its beginning, one that was away for a while, and the first one after a restart. */
export const measureResume = async ({ command, folder, tree, away }: ResumeOrder): Promise<ResumeResult> => {
  const home = join(folder, 'board');
  const { entries, whole, resumed } = await withServer(command, home, tree, async (server, entries) => ({
    entries,
    whole: await readFrom(server, 0, entries),
    resumed: await readFrom(server, entries - away, entries),
  }));
  const restarted = await withServer(command, home, tree, async (server, entries) => ({
    first: await readFrom(server, entries - away, entries),
    second: await readFrom(server, entries - away, entries),
  }));
  return { entries, whole, resumed, restarted };
};

const withServer = async <T>(command: Command, home: string, tree: string, work: (server: Server, entries: number) => Promise<T>): Promise<T> => {
  const server = await startServer(command, home, tree);
  try {
    return await work(server, await readyOf(server));
  } finally {
    await server.stop();
  }
};

const readyOf = async (server: Server): Promise<number> => {
  await rest(1000);
  await until('imported', () => isIdle(server), 100);
  // Open turns are closed moments later, by entries of their own.
  await rest(1500);
  return (await until('idle', () => isIdle(server), 100)).entries;
};

const readFrom = async (server: Server, since: number, to: number): Promise<Reading> => {
  const cpu = mainThreadSeconds(server.pid);
  const startedAt = performance.now();
  let [first, last, entries] = [0, 0, 0];
  const client = await openTestClient(server.url, { since_seq: since }, (bytes, at) => {
    if (!isEntry(bytes)) return;
    if (entries === 0) first = at;
    entries += 1;
    last = at;
  });
  await until('all entries', async () => (entries >= to - since ? true : null), 5);
  const spent = mainThreadSeconds(server.pid) - cpu;
  await client.close();
  mustBeEqual('a client that came back', { entries: to - since }, { entries });
  return { entries, first: (first - startedAt) / 1000, all: (last - startedAt) / 1000, cpu: spent };
};
