import { maskSecrets, type Recorded } from '@yarnboard/domain';
import { createLanguage, createTriggerIndex } from '@yarnboard/language';
import { StoreFault, type Appended, type Item, type Store } from '@yarnboard/store';
import type { Asked } from '../../packages/server/src/engine/batch.ts';
import { createEngine, type Engine } from '../../packages/server/src/engine/engine.ts';
import type { Outcome } from '../../packages/server/src/engine/outcomes.ts';
import { createKeeper, type Keeper } from '../../packages/server/src/followers/duties.ts';
import type { Chance } from './chance.ts';

/** A batch that a server wants on the log, or has there without knowing it yet. */
export type Commit = {
  readonly server: Server;
  readonly items: readonly Item[];
  readonly decidedAt: number | undefined;
  readonly resolve: (appended: readonly Appended[]) => void;
  readonly reject: (cause: unknown) => void;
  written: readonly Appended[] | null;
};

/** One life of a server: what was told to it by then, and what it told. */
export type Server = {
  readonly name: string;
  readonly store: Store;
  readonly engine: Engine;
  readonly keeper: Keeper;
  readonly startedAt: number;
  readonly told: Recorded[];
  readonly faults: unknown[];
  state: 'up' | 'closing' | 'down';
};

/** A command on its way, in one of the attempts to get it done. */
export type Attempt = {
  readonly server: Server;
  /** The same command each time; what it knew may be newer. */
  readonly asked: Asked;
  readonly begun: number;
  /** The last position that anybody had been told of by then. */
  readonly owed: number;
  outcome: Outcome | null;
  state: 'open' | 'answered' | 'failed' | 'lost';
  ended: number;
  /** How far its server knew the log when it answered. */
  knew: number;
};

/** A command, and everything that was tried to get it done. */
export type Sent = { readonly asked: Asked; readonly attempts: Attempt[] };

export type ServerOptions = {
  readonly name: string;
  readonly store: Store;
  readonly chance: Chance;
  readonly now: () => number;
  /** What the last life left behind; whatever is given is only looked at if it is true. */
  readonly snapshot: string | null;
  readonly keep: (snapshot: string) => void;
  readonly commits: Commit[];
  readonly send: (server: Server, asked: Asked) => Promise<Outcome>;
};

/** Starts a server: the real engine and keeper; what goes to the log waits until it is let through. */
export const startServer = async (options: ServerOptions): Promise<Server> => {
  const { name, store, chance, commits } = options;
  const faults: unknown[] = [];
  const told: Recorded[] = [];
  let server: Server | null = null;
  const limits = { batch: 1 + chance.below(6), tries: 2 + chance.below(4), snapshotEvery: chance.below(12) };
  const engine = await createEngine({
    store,
    append: (items, decidedAt) =>
      new Promise((resolve, reject) => {
        // Whoever is dead waits for ever.
        if (server !== null && server.state !== 'down') commits.push({ server, items, decidedAt, resolve, reject, written: null });
      }),
    now: options.now,
    snapshot: {
      read: () => options.snapshot,
      write: (text) => {
        if (server !== null && server.state !== 'down') options.keep(text);
      },
    },
    language: createLanguage({ mask: (text) => maskSecrets(text).text }),
    createIndex: createTriggerIndex,
    limits,
    onFault: (cause) => faults.push(cause),
  });
  engine.onCommitted((events) => told.push(...events));
  const asking = { board: engine.board, onCommitted: engine.onCommitted, execute: (asked: Asked) => options.send(started, asked) };
  const keeper = createKeeper({ engine: asking, now: options.now, settings: { staleAfter: 40 * HOUR, archiveMergedAfter: 3 * HOUR } });
  const started: Server = { name, store, engine, keeper, startedAt: engine.position(), told, faults, state: 'up' };
  server = started;
  return started;
};

export type Fate = 'kept' | 'refused before' | 'refused after';

/** Lets a batch through to the log, or not; whoever decided it is told now or later. */
export const writeCommit = async (commit: Commit, fate: Fate): Promise<string> => {
  if (fate === 'refused before') {
    commit.reject(new StoreFault('full', 'the disk is full'));
    return 'the disk is full';
  }
  try {
    const { items, decidedAt, server } = commit;
    commit.written = await server.store.log.append({ items, files: [], ...(decidedAt === undefined ? {} : { decidedAt }) });
  } catch (cause) {
    commit.reject(cause);
    return `refused: ${cause instanceof StoreFault ? cause.kind : String(cause)}`;
  }
  const places = commit.written.map(({ position }) => position).join(' ');
  if (fate === 'kept') return `written at ${places}`;
  commit.reject(new StoreFault('unreachable', 'the answer was lost'));
  return `written at ${places}, but the answer is lost`;
};

const HOUR = 3_600_000;
