import { startServer, type PageLink, type RunningServer } from '@yarnboard/server';
import type { Io } from '../io.ts';
import { pageFolder } from '../places.ts';
import { VERSION } from '../version.ts';
import { withBoard } from './client.ts';
import { placeOf, programsOf } from './place.ts';
import { serverOf } from './reach.ts';

/** The demo board beside the user's own: it has its own home and port, and ends with the server that opened it. */
export type DemoBoard = {
  /** INST-6: opens it unless it is open already, and makes a link to its page. */
  readonly open: () => Promise<PageLink>;
  readonly close: () => Promise<void>;
};

export const createDemoBoard = (io: Io, onFault: (cause: unknown) => void): DemoBoard => {
  let opening: Promise<RunningServer> | null = null;
  const start = async (): Promise<RunningServer> => {
    const server = await startServer({
      ...placeOf({ demo: true }, io),
      port: 0,
      version: VERSION,
      programs: programsOf(io),
      pageFolder: pageFolder(io),
      onFault,
    });
    // Whoever follows the link should see sessions at once.
    await server.imported;
    return server;
  };
  return {
    open: async () => {
      if (opening === null) {
        const elsewhere = await linkElsewhere(io);
        if (elsewhere !== null) return elsewhere;
      }
      opening ??= start();
      try {
        return (await opening).pageLink();
      } catch (cause) {
        opening = null;
        throw cause;
      }
    },
    close: async () => {
      const server = await opening?.catch(() => null);
      await server?.close();
    },
  };
};

/** Another process may already serve it. */
const linkElsewhere = async (io: Io): Promise<PageLink | null> => {
  const place = placeOf({ demo: true }, io);
  if ((await serverOf(place)) === null) return null;
  const { url, expires_at: expiresAt } = await withBoard(place, io, { readOnly: true }, ({ call }) => call('page_link', {}));
  return { url, expiresAt: Date.parse(expiresAt) };
};
