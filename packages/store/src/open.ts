import { StoreFault, type Store, type StoreOptions } from './port.ts';
import type { ServersPort } from './servers.ts';

/** Opens `sqlite:PATH` or `postgres://…`, and loads only the adapter it needs. */
export const openStore = async (database: string, options: StoreOptions): Promise<Store> => {
  if (database.startsWith('sqlite:')) return (await import('./sqlite/store.ts')).openSqlite(database.slice('sqlite:'.length), options);
  if (/^postgres(?:ql)?:\/\//u.test(database)) return (await import('./postgres/store.ts')).openPostgres(database, options);
  throw new StoreFault('failed', `"${database}" is not a database address. Use sqlite:PATH or postgres://USER@HOST/NAME`);
};

/** The leases of a board shared by several servers; null for a board with a single server. */
export const openServers = async (database: string): Promise<ServersPort | null> =>
  database.startsWith('sqlite:') ? null : (await import('./postgres/servers.ts')).openServers(database);
