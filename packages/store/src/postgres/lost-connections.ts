import type { Socket } from 'node:net';
import type { Client, Pool, PoolClient } from 'pg';

/** Internals of the driver that its types don't declare; its version is pinned. */
type Inside = { readonly processID: number | null; readonly readyForQuery: boolean; readonly connection: { readonly stream: Socket } };

/** What had come and gone at the last look, and since when nothing has. */
type Standing = { readonly mark: string; readonly since: number };

type Activity = { readonly pid: number; readonly state: string | null; readonly waits: string | null };

/**
 * MANY-19: a network that swallows packets doesn't break connections: a request on one waits until the system gives up, a quarter of an hour or more,
 * and so does everyone behind it. So when nothing has come or gone for a while, the server is asked on a new connection whether it is working for the
 * old one. If it isn't, or can't be reached at all, the old one is lost: its waiting caller is told, and work continues on another connection.
 */
export const watchConnections = (pool: Pool, newClient: () => Client): { readonly close: () => void } => {
  const all = new Set<PoolClient>();
  const taken = new Map<PoolClient, Standing>();
  let isLooking = false;
  pool.on('connect', (client) => void all.add(client));
  pool.on('acquire', (client) => void taken.set(client, standingOf(client)));
  pool.on('release', (_, client) => void taken.delete(client));
  pool.on('remove', (client) => {
    all.delete(client);
    taken.delete(client);
  });

  const stuck = (): readonly PoolClient[] => {
    const found: PoolClient[] = [];
    for (const [client, { mark, since }] of taken) {
      const now = standingOf(client);
      if (inside(client).readyForQuery || now.mark !== mark) taken.set(client, now);
      else if (now.since - since >= PATIENCE) found.push(client);
    }
    return found;
  };

  const look = async (): Promise<void> => {
    const clients = stuck();
    if (clients.length === 0 || isLooking) return;
    isLooking = true;
    try {
      const isAtWork = await askAbout(clients, newClient());
      // A connection that was answered in the meantime isn't lost.
      const lost = stuck().filter((client) => clients.includes(client) && !isAtWork(client));
      if (lost.length === 0) return;
      for (const client of lost) drop(client);
      // Idle connections are most likely lost as well, and each would be waited for in turn.
      for (const client of all) if (!taken.has(client)) drop(client);
    } finally {
      isLooking = false;
    }
  };

  const timer = setInterval(() => void look(), PATIENCE / 2);
  timer.unref();
  return { close: () => clearInterval(timer) };
};

/** Whether the server is working for a connection. If it can't tell for any, all are assumed to be well. */
const askAbout = async (clients: readonly PoolClient[], client: Client): Promise<(client: PoolClient) => boolean> => {
  client.on('error', () => {}); // the question fails, and says so
  try {
    await client.connect();
    const { rows: own } = await client.query<{ readonly pid: number }>('SELECT pg_backend_pid() AS pid');
    // A proxy in between numbers connections differently.
    if (own[0]?.pid !== inside(client).processID) return () => true;
    const pids = clients.flatMap((one) => inside(one).processID ?? []);
    const { rows } = await client.query<Activity>(ACTIVITY, [pids]);
    const atWork = new Set(rows.filter(isAtWork).map(({ pid }) => pid));
    // An open transaction there holds locks that nobody will ever release.
    await client.query('SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) AS pid', [
      rows.filter((row) => !isAtWork(row)).map(({ pid }) => pid),
    ]);
    return (one) => atWork.has(inside(one).processID ?? 0);
  } catch (cause) {
    const isSilent = SILENT.test(cause instanceof Error ? `${'code' in cause ? String(cause.code) : ''} ${cause.message}` : '');
    return () => !isSilent;
  } finally {
    client.end().catch(() => {}); // nobody waits for it
  }
};

const ACTIVITY = `
SELECT pid, state, wait_event AS waits FROM pg_stat_activity WHERE pid = ANY($1::int[]) AND usename = current_user AND pid <> pg_backend_pid()`;

/** A backend that waits to send to a client that receives nothing is no longer working. */
const isAtWork = ({ state, waits }: Activity): boolean => state === 'active' && waits !== 'ClientWrite';

const SILENT = /^(?:ECONN|EPIPE|ETIMEDOUT|EHOST|ENET)|timeout|terminated/iu;

const inside = (client: PoolClient | Client): Inside => client as unknown as Inside; // see there

const standingOf = (client: PoolClient): Standing => {
  const { bytesRead, bytesWritten } = inside(client).connection.stream;
  return { mark: `${bytesRead} ${bytesWritten}`, since: performance.now() };
};

const drop = (client: PoolClient): void => {
  inside(client).connection.stream.destroy(Object.assign(new Error('the connection was lost without a word'), { code: 'ETIMEDOUT' }));
};

const PATIENCE = 5000;
