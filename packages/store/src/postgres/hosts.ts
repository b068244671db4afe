import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg';

/** Where connections come from: a pool of one host, or of whichever of several hosts accepts writes. */
export type Source = {
  readonly connect: () => Promise<PoolClient>;
  readonly query: (query: QueryConfig) => Promise<QueryResult<Record<string, unknown>>>;
  readonly end: () => Promise<void>;
};

/** MANY-17: one address per named host: `postgres://user@one:5432,two:5433/name` has two. */
export const addressesIn = (connectionString: string): readonly string[] => {
  const [, scheme = '', authority = '', rest = ''] = /^(\w+:\/\/)([^/?]*)(.*)$/su.exec(connectionString) ?? [];
  const at = authority.lastIndexOf('@') + 1;
  const hosts = authority.slice(at).split(',').filter((host) => host !== ''); // prettier-ignore
  return hosts.length < 2 ? [connectionString] : hosts.map((host) => `${scheme}${authority.slice(0, at)}${host}${rest}`);
};

/** For `verify` of a pool: a new connection to a standby is released at once. A standby lags behind, so nothing is read there either. */
export const refuseStandby = (client: PoolClient, done: (cause?: Error) => void): void => {
  client.query<{ readonly standby: boolean }>('SELECT pg_is_in_recovery() AS standby').then(
    ({ rows }) => done(rows[0]?.standby === true ? Object.assign(new Error('it is a read-only standby'), { code: '57P03' }) : undefined),
    (cause: unknown) => done(cause instanceof Error ? cause : new Error(String(cause))),
  );
};

/** MANY-17: tries the hosts in turn, starting with the last one reached. */
export const createSeveral = (pools: readonly { readonly host: string; readonly pool: Pool }[]): Source => {
  let last = 0;
  const connect = async (): Promise<PoolClient> => {
    const said: string[] = [];
    let first: unknown = null;
    for (let tries = 0; tries < pools.length; tries += 1) {
      const at = (last + tries) % pools.length;
      const one = pools[at];
      if (one === undefined) continue;
      try {
        const client = await one.pool.connect();
        last = at;
        return client;
      } catch (cause) {
        first ??= cause;
        said.push(`${one.host}: ${reasonOf(cause)}`);
      }
    }
    // An error of only one host, such as a wrong password, isn't worth a retry.
    throw Object.assign(new Error(said.join('; ')), { code: codeOf(first), cause: first });
  };
  return {
    connect,
    query: async (query) => {
      const client = await connect();
      let fault: Error | undefined;
      try {
        return await client.query<Record<string, unknown>>(query);
      } catch (cause) {
        fault = cause instanceof Error ? cause : new Error(String(cause));
        throw cause;
      } finally {
        client.release(fault);
      }
    },
    end: async () => {
      await Promise.all(pools.map(({ pool }) => pool.end()));
    },
  };
};

const reasonOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause);
  return cause.message === '' ? codeOf(cause) : cause.message;
};

const codeOf = (cause: unknown): string => (cause instanceof Error && 'code' in cause ? String(cause.code) : '08006');
