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
import { openBoard, type OpenBoard } from './main.ts';
import { awayStart, missingDatabase } from './recovery/last-known.ts';

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
  /** REC-78: why the store is away, and how old what is known of it is; null where it is there. */
  readonly away: OpenBoard['away'];
  /** Resolves when everything on the log is searchable. */
  readonly drain: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Opens a home, serves it on 127.0.0.1, and follows the files. */
export const startServer = async (options: ServerOptions): Promise<RunningServer> => {
  const board = await openHere(options);
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
    const recovered = board.opened.then(() => board.runs.recover(imported));
    board.opened.then(board.seats.start).catch((cause: unknown) => options.onFault?.(cause));
    imported.then(board.warm).catch(() => {}); // what stopped the import was told
    // What is known of the ends of launches and runs goes first: the keeper can only guess.
    Promise.all([imported, takenIn, recovered])
      .then(() => board.keeper?.lookBack())
      .catch(() => {}); // what stopped the import was told
    const { alert } = board.recovery.startup();
    return {
      url,
      alert,
      away: board.away,
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

/** REC-78: a store that is away keeps no server from starting that knows the board. */
const openHere = async (options: ServerOptions): Promise<OpenBoard> => {
  const missing = missingDatabase(options.home);
  const gone = missing === null ? null : awayStart(options.home, missing);
  if (gone !== null) return openBoard({ ...options, isFollowing: true, away: gone });
  try {
    return await openBoard({ ...options, isFollowing: true });
  } catch (cause) {
    const away = awayStart(options.home, cause);
    if (away === null) throw cause;
    return openBoard({ ...options, isFollowing: true, away });
  }
};
