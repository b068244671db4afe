import { rmSync, statSync } from 'node:fs';
import { createAdaptorServer } from '@hono/node-server';
import type { Store } from '@yarnboard/store';
import type { Hono } from 'hono';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createCheckpoints } from './board/checkpoints.ts';
import { lockHome, withoutPassword, type ServerMark } from './board/lock.ts';
import { openReader, startIndexer, startWriter, verifyParts, type Programs, type ThreadTask } from './board/threads.ts';
import { verifyLog } from './board/verification.ts';
import type { Writer, WriterEvent } from './board/writer.ts';
import type { Indexer } from './board/indexer.ts';
import { writePrivateFile, type Home } from './home.ts';
import { createApp } from './http/app.ts';
import type { Desk } from './http/desk.ts';
import { operatorToken } from './http/identity.ts';
import { Refused } from './http/refusal.ts';
import type { ImportCounts, PendingSession, Progress, Trouble } from './ingest/ingest.ts';
import type { LiveState } from './ingest/live.ts';
import type { Settings } from './settings.ts';
import { createSessionLoader } from './views/session-loader.ts';

export type BoardOptions = {
  readonly home: Home;
  readonly settings: Settings;
  readonly roots: readonly string[];
  readonly version: string;
  readonly programs: Programs | null;
  /** Only reads: takes no lock, starts no writer, refuses every command. */
  readonly readOnly?: boolean;
  /** Whether it will follow the files: then it is importing from the start. */
  readonly isFollowing?: boolean;
  readonly sweepEvery?: number;
  readonly onProgress?: (progress: Progress) => void;
  readonly onState?: (state: LiveState) => void;
  readonly onFault?: (cause: unknown) => void;
  /** Somebody asked over HTTP. */
  readonly onStop?: () => void;
};

/** A board that is open in this process, with its HTTP interface but without a port. */
export type OpenBoard = {
  readonly app: Hono;
  readonly token: string;
  readonly writer: Writer;
  readonly indexer: Indexer;
  readonly store: Store;
  /** Which port the interface believes it is reached at. */
  readonly setPort: (port: number) => void;
  readonly closeAlso: (close: () => Promise<void> | void) => void;
  readonly close: () => Promise<void>;
};

/** The composition root: opens a home. Only here and in the threads clocks, randomness and the process are real. */
export const openBoard = async (options: BoardOptions): Promise<OpenBoard> => {
  const { home, programs } = options;
  const readOnly = options.readOnly === true;
  const closers: (() => Promise<void> | void)[] = [];
  const close = async (): Promise<void> => {
    // In reverse, and all of them: one that fails must not keep the others open.
    const faults: unknown[] = [];
    for (const closer of closers.splice(0).toReversed()) {
      try {
        await closer();
      } catch (cause) {
        faults.push(cause);
      }
    }
    if (faults.length > 0) throw faults[0];
  };
  try {
    if (!readOnly) {
      const lock = await lockHome(home);
      closers.push(() => lock.release());
      // Whoever waits for the end of a server looks for this file: it goes when everything else is closed.
      closers.push(() => rmSync(home.serverFile, { force: true }));
    }
    const startedAt = Date.now();
    const token = readOnly ? '' : operatorToken(home);
    const task: ThreadTask = { home, roots: options.roots, settings: options.settings, sweepEvery: options.sweepEvery ?? null };
    const now: { live: LiveState; progress: Progress | null; pending: readonly PendingSession[]; troubles: readonly Trouble[] } = {
      live: options.isFollowing === true ? { kind: 'importing' } : { kind: 'watching', watched: 0 },
      progress: null,
      pending: [],
      troubles: [],
    };
    let indexer: Indexer = REFUSING_INDEXER;
    let dropping: Promise<void> = Promise.resolve();
    const onEvent = (event: WriterEvent): void => {
      switch (event.kind) {
        case 'committed':
          indexer.wake().catch(() => {}); // one that ended has said so
          break;
        case 'progress':
          now.progress = event.progress;
          options.onProgress?.(event.progress);
          break;
        case 'pending':
          now.pending = event.sessions;
          break;
        case 'state':
          now.live = event.state;
          options.onState?.(event.state);
          break;
        case 'dropped':
          dropping = indexer.drop(event.positions);
          dropping.catch((cause: unknown) => options.onFault?.(cause));
          break;
      }
    };
    const writer = readOnly ? REFUSING_WRITER : await startWriter(task, programs, onEvent);
    closers.push(writer.close);
    if (!readOnly) {
      indexer = await startIndexer(task, programs, (why) => options.onFault?.(new Error(`nothing new can be searched: the indexer ended: ${why}`)));
      closers.push(indexer.close);
      await indexer.wake();
      const troubleTimer = setInterval(() => {
        writer.troubles().then(
          (found) => (now.troubles = found),
          () => {}, // a writer that ended is told by its calls
        );
      }, 2000);
      closers.push(() => clearInterval(troubleTimer));
    }
    const store = await openReader(home);
    closers.push(store.close);
    const checkpoints = createCheckpoints(home, store.log.boardId, () => Date.now());
    const desk: Desk = {
      now: () => Date.now(),
      store,
      sessions: createSessionLoader(store),
      pending: () => now.pending,
      verify: () => verifyLog(store.log, checkpoints, { parts: verifyParts(home, programs) }),
      importPaths: writer.importPaths,
      forget: async (hash) => {
        const done = await writer.forget(hash, 'human');
        await dropping; // told before the writer answered: forgotten is what is out of the index, too
        return done;
      },
      rebuild: async (sessionId) => {
        const result = await writer.rebuild(sessionId);
        if (sessionId === null) {
          await indexer.clear();
          await indexer.wake();
        }
        return result;
      },
      repair: (sessionId) => writer.repair(sessionId, options.roots),
      backup: async (path) => {
        await writer.backup(path);
        return { path, bytes: statSync(path).size };
      },
      stop: () => options.onStop?.(),
      state: () => ({
        live: now.live,
        progress: now.progress,
        troubles: now.troubles,
        version: options.version,
        pid: process.pid,
        startedAt,
        home: home.folder,
        database: withoutPassword(home.database),
      }),
    };
    let port = 0;
    const app = createApp({ desk, door: { token, port: () => port }, onFault: (cause) => options.onFault?.(cause) });
    return {
      app,
      token,
      writer,
      indexer,
      store,
      setPort: (chosen) => {
        port = chosen;
      },
      closeAlso: (closer) => closers.push(closer),
      close,
    };
  } catch (cause) {
    await close().catch(() => {}); // what went wrong first is what is told
    throw cause;
  }
};

export type ServerOptions = BoardOptions & {
  /** 0 takes any free one. */
  readonly port: number;
};

export type RunningServer = {
  readonly url: string;
  readonly token: string;
  /** Resolves when what was there at the start is on the log. */
  readonly imported: Promise<ImportCounts | null>;
  /** Resolves when everything on the log is searchable. */
  readonly drain: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export class PortInUse extends Error {}

/** Opens a home, serves it on 127.0.0.1, and follows the files. */
export const startServer = async (options: ServerOptions): Promise<RunningServer> => {
  const board = await openBoard({ ...options, isFollowing: true });
  try {
    const server = createAdaptorServer({ fetch: board.app.fetch }) as Server; // no TLS is asked for, so it is a plain one
    const port = await listen(server, options.port);
    board.setPort(port);
    board.closeAlso(() => closeServer(server));
    const url = `http://127.0.0.1:${port}`;
    const { serverFile } = options.home;
    const mark: ServerMark = {
      pid: process.pid,
      url,
      startedAt: new Date().toISOString(),
      version: options.version,
      database: withoutPassword(options.home.database),
    };
    writePrivateFile(serverFile, `${JSON.stringify(mark)}\n`);
    const imported = board.writer.follow();
    imported.catch((cause: unknown) => options.onFault?.(cause));
    return { url, token: board.token, imported, drain: board.indexer.drain, close: board.close };
  } catch (cause) {
    await board.close().catch(() => {});
    throw cause;
  }
};

const refuse = (): Promise<never> => Promise.reject(new Refused('operator-only', 'this board was opened for reading only'));
const nothing = async (): Promise<void> => {};
const REFUSING_WRITER: Writer = {
  append: refuse,
  importPaths: refuse,
  stopImport: nothing,
  follow: refuse,
  poke: nothing,
  forget: refuse,
  rebuild: refuse,
  repair: refuse,
  backup: refuse,
  troubles: async () => [],
  close: nothing,
};
const REFUSING_INDEXER: Indexer = { wake: nothing, drain: nothing, clear: refuse, drop: refuse, close: nothing };

const listen = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const isTaken = cause.code === 'EADDRINUSE' || cause.code === 'EACCES';
      reject(isTaken ? new PortInUse(`port ${port} of 127.0.0.1 is taken (${cause.code ?? ''}); choose another with --port, or 0 for any`) : cause);
    });
    // SEC-10: nobody but this machine.
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)); // a TCP server has no other kind of address
  });

const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    // Whoever keeps a connection open is not waited for longer than this.
    setTimeout(() => server.closeAllConnections(), 500).unref();
  });
