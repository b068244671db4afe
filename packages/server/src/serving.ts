import { createAdaptorServer } from '@hono/node-server';
import type { StartupRecoveryAlert } from '@yarnboard/domain';
import type { Server } from 'node:http';
import { markServer } from './home/running-server.ts';
import type { BoardOptions } from './board-options.ts';
import { closeServer, listen } from './doors/http/listen.ts';
import { HUB_TICK } from './doors/ws/hub.ts';
import type { PageLink } from './operations/page-links.ts';
import type { ImportCounts } from './ingest/ingest.ts';
import type { Launches } from './launches/launches.ts';
import { openBoard } from './main.ts';

export type ServerOptions = BoardOptions & {
  /** 0 takes any free one. */
  readonly port: number;
};

export type RunningServer = {
  readonly url: string;
  readonly token: string;
  readonly launches: Launches;
  /** Makes a link that lets one browser in as the operator. */
  readonly pageLink: () => PageLink;
  /** Resolves when what was there at the start is on the log. */
  readonly imported: Promise<ImportCounts | null>;
  /** REC-8: what the last session left behind, if anything. */
  readonly alert: StartupRecoveryAlert | null;
  /** Resolves when everything on the log is searchable. */
  readonly drain: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Opens a home, serves it on 127.0.0.1, and follows the files. */
export const startServer = async (options: ServerOptions): Promise<RunningServer> => {
  const board = await openBoard({ ...options, isFollowing: true });
  try {
    const server = createAdaptorServer({ fetch: board.app.fetch }) as Server; // no TLS is asked for, so it is a plain one
    const port = await listen(server, options.port);
    board.setPort(port);
    board.closeAlso(() => closeServer(server));
    board.hub.attach(server);
    const hubTimer = setInterval(board.hub.tick, HUB_TICK);
    board.closeAlso(async () => {
      clearInterval(hubTimer);
      await board.hub.close();
    });
    const url = `http://127.0.0.1:${port}`;
    markServer(options.home, { url, version: options.version });
    const imported = board.writer.follow();
    imported.catch((cause: unknown) => options.onFault?.(cause));
    const takenIn = board.launches.start(imported);
    const recovered = board.runs.recover(imported);
    board.seats.start().catch((cause: unknown) => options.onFault?.(cause));
    imported.then(board.warm).catch(() => {}); // what stopped the import was told
    // What is known of the ends of launches and runs goes first: the keeper can only guess.
    Promise.all([imported, takenIn, recovered])
      .then(() => board.keeper?.lookBack())
      .catch(() => {}); // what stopped the import was told
    const { alert } = board.recovery.startup();
    return {
      url,
      alert,
      token: board.token,
      launches: board.launches,
      pageLink: board.pageLink,
      imported,
      drain: board.indexer.drain,
      close: board.close,
    };
  } catch (cause) {
    await board.close().catch(() => {});
    throw cause;
  }
};
