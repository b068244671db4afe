/** Wall clock and processor time of all threads. */
export type Spent = { readonly seconds: number; readonly cpu: number };

/** Commands a second with so many clients at once, each of which waits for its answer; the best of several rounds that took turns. */
export type CommandsResult = {
  readonly clients: number;
  readonly commands: number;
  readonly bytesEach: number;
  /** How many commands shared a commit. */
  readonly shared: number;
  /** On a board as a server opens it: writer and indexer in their threads, hub and watchers at work. */
  readonly engine: number;
  /** The engine and a store in one thread, nobody else. */
  readonly alone: number;
  /** Payload and hashes into one table without an index, nothing computed, nothing checked. */
  readonly raw: number;
  /** Processor time of all threads for one, in microseconds, in the best round: it tells more than the clock on a machine that is busy. */
  readonly cpu: { readonly engine: number; readonly alone: number; readonly raw: number };
  /** Over HTTP, the clients in a process of their own. */
  readonly http: number;
  /** The same clients and bodies, and a server that reads a request and answers as many bytes: no command, no log. */
  readonly bareHttp: number;
};

export type CommandsOrder = {
  readonly folder: string;
  readonly programs: string;
  readonly clients: number;
  readonly commands: number;
  readonly rounds: number;
  readonly seed: number;
};

/** What the clients of the HTTP line do. */
export type ClientsOrder = {
  readonly url: string;
  readonly token: string;
  readonly sidebars: readonly string[];
  readonly clients: number;
  readonly commands: number;
  readonly seed: number;
};

/** What a board was made of. */
export type BoardPlan = {
  readonly name: string;
  /** Messages of Claude Code sessions: how many sessions of how many. */
  readonly sessions: readonly { readonly count: number; readonly messages: number }[];
  /** Chat messages in each of the first sidebars. */
  readonly talks: readonly number[];
  /** Sidebars each of which is the child of the one before it. */
  readonly depth: number;
  /** Decided entries beyond those, of all kinds. */
  readonly mixed: number;
  readonly isIndexed: boolean;
  readonly seed: number;
};

export type Made = {
  readonly entries: number;
  readonly decided: number;
  readonly sidebars: number;
  /** One of each size. */
  readonly sessionIds: readonly string[];
  readonly talkRefs: readonly string[];
  readonly chainRefs: readonly string[];
};

/** Milliseconds. A quarter took no longer than `quarter`. */
export type Times = { readonly quarter: number; readonly median: number; readonly p90: number };

export type SpawnOrder = { readonly folder: string; readonly programs: string; readonly made: Made; readonly rounds: number };

export type SpawnResult = {
  readonly what: string;
  readonly small: SpawnCost;
  readonly large: SpawnCost;
};

export type SpawnCost = {
  readonly label: string;
  readonly spawn: Times;
  /** The first page of inherited memory: of a sidebar that nobody has read yet, and again. */
  readonly firstRead: Times;
  readonly readAgain: Times;
};

export type StartOrder = { readonly folder: string; readonly programs: string; readonly sidebars: number };

/** Milliseconds; `answered` includes `opened`. */
export type StartRun = { readonly opened: number; readonly answered: number; readonly heapBytes: number };

export type StartResult = {
  readonly entries: number;
  readonly decided: number;
  readonly sidebars: number;
  readonly snapshotBytes: number;
  readonly without: StartRun;
  readonly with: StartRun;
};

export type DecidingOrder = { readonly seed: number };

/** Microseconds for one. */
export type Pair = { readonly what: string; readonly few: number; readonly many: number; readonly small: number; readonly large: number };

export type DecidingResult = {
  readonly commands: readonly Pair[];
  /** `first`: the first finding after a start. */
  readonly conflicts: Pair & { readonly first: number };
  readonly matches: Pair;
  readonly bareCount: number;
  readonly characters: number;
};
