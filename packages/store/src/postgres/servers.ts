import type { ServerRow, ServersPort } from '../servers.ts';
import { openDatabase } from './database.ts';

/** The table of leases. It is no part of the history and may be emptied at any time. */
export const SERVERS_TABLE = `
CREATE TABLE servers (
  id text COLLATE "C" PRIMARY KEY, run text NOT NULL, host text NOT NULL, version text NOT NULL, agents text NOT NULL,
  since bigint NOT NULL, until bigint NOT NULL
);`;

const CLOCK = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

const RENEW = `
INSERT INTO servers (id, run, host, version, agents, since, until) VALUES ($1, $2, $3, $4, $5, ${CLOCK}, ${CLOCK} + $6::bigint)
ON CONFLICT (id) DO UPDATE SET run = excluded.run, host = excluded.host, version = excluded.version, agents = excluded.agents, until = excluded.until,
  since = CASE WHEN servers.run = excluded.run THEN servers.since ELSE excluded.since END`;

// A lease lost in a crash of the database is renewed a moment later, so nobody waits for the disk.
const UNSYNCED = 'SET LOCAL synchronous_commit = off';

type Row = Omit<ServerRow, 'agents'> & { readonly agents: string; readonly now: number };

/** Uses a connection of its own: neither an import nor a long query may let a lease expire. */
export const openServers = async (url: string): Promise<ServersPort> => {
  const db = await openDatabase(url, false);
  return {
    renew: ({ id, run, host, version, agents }, lasts) =>
      db.transaction(async (ask) => {
        await ask(RENEW, [id, run, host, version, JSON.stringify(agents), lasts], 'yarnboard_renew');
        const rows = await ask<Row>(`SELECT *, ${CLOCK} AS now FROM servers ORDER BY since, id`, [], 'yarnboard_servers');
        const now = rows[0]?.now ?? 0;
        if (rows.some(({ until }) => now - until > KEPT_FOR)) await ask(`DELETE FROM servers WHERE until < ${CLOCK} - $1::bigint`, [KEPT_FOR]);
        return { now, servers: rows.filter(({ until }) => now - until <= KEPT_FOR).map(rowFrom) };
      }, UNSYNCED),
    leave: async ({ id, run }) => {
      await db.run('DELETE FROM servers WHERE id = $1 AND run = $2', [id, run]);
    },
    close: db.close,
  };
};

const rowFrom = ({ id, run, host, version, agents, since, until }: Row): ServerRow => ({
  id,
  run,
  host,
  version,
  since,
  until,
  agents: JSON.parse(agents) as readonly string[], // written by us
});

/** A server whose lease expired is listed for another day. */
const KEPT_FOR = 24 * 3_600_000;
