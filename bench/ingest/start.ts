import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { rest, startServer, until, type Command, type Server } from '../measure/command.ts';
import { bytesRead } from '../measure/process.ts';
import type { Planted } from '../tree/planted.ts';
import type { StartResult } from './job.ts';

export type StartOrder = {
  readonly command: Command;
  readonly folder: string;
  readonly tree: string;
  readonly imported: string;
  readonly planted: Planted;
};

/** How long somebody looks at nothing: on an empty home, and on one that has it all already. */
export const measureStart = async ({ command, folder, tree, imported, planted }: StartOrder): Promise<StartResult> => {
  const newest = planted.sessions.reduce((last, session) => (session.endedAt > last.endedAt ? session : last)).id;
  const cold = await startServer(command, join(folder, 'cold'), tree);
  const list = await secondsTo(cold, 'the list', () => isListed(cold, newest));
  const messages = await secondsTo(cold, 'messages of the newest session', () => hasMessages(cold, newest));
  const status = await cold.get<Status>('/api/v1/status');
  await cold.stop();

  const empty = join(folder, 'empty');
  mkdirSync(empty);
  const bare = await startServer(command, imported, empty);
  await secondsTo(bare, 'the list', () => isListed(bare, newest)); // the same question: what it reads of the database counts in both
  const without = await readsUntilIdle(bare);
  const again = await startServer(command, imported, tree);
  const restarted = await secondsTo(again, 'the list', () => isListed(again, newest));
  const reads = await readsUntilIdle(again);
  return {
    treeBytes: planted.bytes,
    first: { list, messages, isImporting: status?.state === 'importing' },
    restart: { list: restarted, reads, extraReads: reads - without },
  };
};

export type Status = { readonly state: string; readonly entries: number; readonly indexed: number };

const secondsTo = async (server: Server, what: string, look: () => Promise<true | null>): Promise<number> => {
  await until(what, look);
  return (performance.now() - server.startedAt) / 1000;
};

const isListed = async (server: Server, newest: string): Promise<true | null> => {
  const page = await server.get<{ readonly items: readonly { readonly session_id: string }[] }>('/api/v1/sessions?limit=20');
  return page?.items[0]?.session_id === newest ? true : null;
};

const hasMessages = async (server: Server, newest: string): Promise<true | null> => {
  const page = await server.get<{ readonly messages: readonly unknown[] }>(`/api/v1/sessions/${newest}/messages?limit=100`);
  return (page?.messages.length ?? 0) > 0 ? true : null;
};

/** Everything is on the log and in the index. */
export const isIdle = async (server: Server): Promise<Status | null> => {
  const status = await server.get<Status>('/api/v1/status');
  return status !== null && status.state === 'watching' && status.indexed === status.entries ? status : null;
};

const readsUntilIdle = async (server: Server): Promise<number> => {
  // It says that it watches before it has looked at anything.
  await rest(1000);
  await until('idle', () => isIdle(server), 100);
  await rest(1000);
  const reads = bytesRead(server.pid);
  await server.stop();
  return reads;
};
