/** A server of a board, as it says of itself. */
export type ServerLease = {
  /** Stays the same as long as its home does. */
  readonly id: string;
  /** Another one after each start. */
  readonly run: string;
  readonly host: string;
  readonly version: string;
  /** Who is there because of it: connected to it, or at work on one of its seats. */
  readonly agents: readonly string[];
};

/** Since when it is there, and until when its lease lasts; milliseconds of the database's clock. */
export type ServerRow = ServerLease & { readonly since: number; readonly until: number };

/** All servers that were there within a day, the first to come first, and what the database's clock shows. */
export type ServersSeen = { readonly now: number; readonly servers: readonly ServerRow[] };

/** MANY-14: the servers of a board, by leases that end by the database's clock. Clocks of servers do not matter. */
export type ServersPort = {
  /** Says that a server is there, for so many milliseconds more. */
  readonly renew: (lease: ServerLease, lasts: number) => Promise<ServersSeen>;
  /** Takes a server off the list, unless it has been started anew meanwhile. */
  readonly leave: (lease: Pick<ServerLease, 'id' | 'run'>) => Promise<void>;
  readonly close: () => Promise<void>;
};
