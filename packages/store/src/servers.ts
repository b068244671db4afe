/** A server of a board, as it describes itself. */
export type ServerLease = {
  /** Stays the same as long as its home does. */
  readonly id: string;
  /** A new one after each start. */
  readonly run: string;
  readonly host: string;
  readonly version: string;
  /** Agents connected to it, or working on one of its seats. */
  readonly agents: readonly string[];
};

/** Since when it is up, and until when its lease lasts, in milliseconds of the database's clock. */
export type ServerRow = ServerLease & { readonly since: number; readonly until: number };

/** All servers that were up within a day, earliest first, and the database's clock. */
export type ServersSeen = { readonly now: number; readonly servers: readonly ServerRow[] };

/** MANY-14: the servers of a board, by leases that expire by the database's clock. The clocks of servers don't matter. */
export type ServersPort = {
  /** Extends a server's lease by this many milliseconds. */
  readonly renew: (lease: ServerLease, lasts: number) => Promise<ServersSeen>;
  /** Removes a server from the list, unless it has been restarted since. */
  readonly leave: (lease: Pick<ServerLease, 'id' | 'run'>) => Promise<void>;
  readonly close: () => Promise<void>;
};
