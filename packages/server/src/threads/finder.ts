import { setImmediate as breathe } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { SearchAnswer, SearchFilters, SearchPort, SearchQuery, Store } from '@yarnboard/store';
import type { Home } from '../home/home.ts';
import type { Settings } from '../home/settings.ts';
import { connect } from './rpc.ts';
import { openReader, type Programs } from './threads.ts';

type Ticket = number;

/** A query as plain data. */
type Asked = Omit<SearchQuery, 'turn' | 'signal'>;

/** The methods of a finding thread: everything that takes longer the more texts have a word. */
export type FinderMethods = {
  readonly find: (ticket: Ticket, query: Asked) => Promise<SearchAnswer>;
  readonly masked: (ticket: Ticket, ...asked: Parameters<SearchPort['masked']>) => ReturnType<SearchPort['masked']>;
  readonly nearest: (
    ticket: Ticket,
    text: string,
    filters: SearchFilters,
    most: number,
    corrected: SearchAnswer['corrected'],
  ) => ReturnType<Meaning['nearest']>;
  readonly coverage: (ticket: Ticket, text?: string) => ReturnType<Meaning['coverage']>;
  /** Nobody waits for that answer any more. */
  readonly giveUp: (ticket: Ticket) => Promise<void>;
  readonly close: () => Promise<void>;
};

type Meaning = Pick<SearchPort['meaning'], 'nearest' | 'coverage'>;

/**
 * FIND-19: queries run one by one. In between it learns which were cancelled: while somebody types, all but the last are, and those are never run.
 */
export const finderOn = ({ search, close }: Pick<Store, 'search' | 'close'>): FinderMethods => {
  const waiting = new Set<Ticket>();
  let line: Promise<unknown> = Promise.resolve();

  const inLine = <T>(ticket: Ticket, work: (turn: () => Promise<void>) => Promise<T>): Promise<T> => {
    waiting.add(ticket);
    const turn = async (): Promise<void> => {
      await breathe();
      if (!waiting.has(ticket)) throw new Error('no one is waiting for the answer any longer');
    };
    const mine = line
      .then(turn)
      .then(() => work(turn))
      .finally(() => waiting.delete(ticket));
    line = mine.catch(() => {}); // reported to the caller
    return mine;
  };

  return {
    find: (ticket, query) => inLine(ticket, (turn) => search.find({ ...query, turn })),
    masked: (ticket, query) => inLine(ticket, () => search.masked(query)),
    nearest: (ticket, text, filters, most, corrected) => inLine(ticket, (turn) => search.meaning.nearest(text, filters, most, corrected, turn)),
    coverage: (ticket, text) => inLine(ticket, () => search.meaning.coverage(text)),
    giveUp: async (ticket) => void waiting.delete(ticket),
    close,
  };
};

const METHODS = ['find', 'masked', 'nearest', 'coverage', 'giveUp', 'close'] as const satisfies readonly (keyof FinderMethods)[];

export type FinderTask = { readonly home: Home; readonly settings: Settings };

type Finder = Pick<SearchPort, 'find' | 'masked'> & {
  readonly meaning: Meaning;
  readonly close: () => Promise<void>;
};

/** In a thread of its own: the first query starts it, and it ends after a while without one, since it keeps databases and vectors in memory. */
const startFinder = (task: FinderTask, program: string, idleAfter = IDLE): Finder => {
  let running: { readonly worker: Worker; readonly methods: FinderMethods } | null = null;
  let idle: NodeJS.Timeout | null = null;
  let asking = 0;
  let last: Ticket = 0;

  const start = (): FinderMethods => {
    if (idle !== null) clearTimeout(idle);
    if (running !== null) return running.methods;
    const worker = new Worker(program, { workerData: task });
    worker.unref();
    const methods = connect<FinderMethods, never>(worker, METHODS, () => {});
    worker.once('exit', () => {
      if (running?.worker === worker) running = null;
    });
    running = { worker, methods };
    return methods;
  };

  const end = async (): Promise<void> => {
    if (idle !== null) clearTimeout(idle);
    const { worker } = running ?? {};
    running = null;
    await worker?.terminate();
  };

  type Waiting = Pick<SearchQuery, 'turn' | 'signal'>;
  const ask = async <T>({ turn, signal }: Waiting, call: (methods: FinderMethods, ticket: Ticket) => Promise<T>): Promise<T> => {
    if (signal?.aborted === true) await turn?.();
    const methods = start();
    const ticket = (last += 1);
    const giveUp = (): void => void methods.giveUp(ticket).catch(() => {}); // a thread that ended has cancelled everything
    signal?.addEventListener('abort', giveUp, { once: true });
    asking += 1;
    try {
      return await call(methods, ticket);
    } catch (cause) {
      // With the caller's own reason.
      if (signal?.aborted === true) await turn?.();
      throw cause;
    } finally {
      signal?.removeEventListener('abort', giveUp);
      asking -= 1;
      if (asking === 0) {
        idle = setTimeout(() => void end(), idleAfter);
        idle.unref();
      }
    }
  };

  return {
    find: ({ turn, signal, ...query }) => ask({ ...(turn && { turn }), ...(signal && { signal }) }, (finder, ticket) => finder.find(ticket, query)),
    masked: (query) => ask({}, (finder, ticket) => finder.masked(ticket, query)),
    meaning: {
      nearest: (text, filters, most, corrected, turn) =>
        ask(turn === undefined ? {} : { turn }, (finder, ticket) => finder.nearest(ticket, text, filters, most, corrected)),
      coverage: (text) => ask({}, (finder, ticket) => finder.coverage(ticket, text)),
    },
    close: end,
  };
};

type Asking = FinderTask & { readonly programs: Programs | null; readonly isFollowing?: boolean; readonly readOnly?: boolean };

/** The board for answering queries. On a server, its searches keep nobody else waiting; a remote database is waited for asynchronously anyway. */
export const openForAsking = async (
  { home, settings, programs, isFollowing, readOnly }: Asking,
  atEnd: (close: () => Promise<void>) => void,
): Promise<Store> => {
  const store = await openReader(home, settings);
  atEnd(store.close);
  const program = isFollowing === true && readOnly !== true ? programs?.finder : undefined;
  if (program === undefined || store.capabilities.isSharedByServers) return store;
  const { find, masked, meaning, close } = startFinder({ home, settings }, program);
  atEnd(close);
  return { ...store, search: { ...store.search, find, masked, meaning: { ...store.search.meaning, ...meaning } } };
};

const IDLE = 600_000;
