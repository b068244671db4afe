import { StoreFault, type LibraryPort, type LogPort, type MediaPort, type SearchPort, type Store } from '@yarnboard/store';
import type { Indexer } from './indexer.ts';
import type { Writer } from './writer.ts';

/** The parts of an open board. */
export type Opened = { readonly store: Store; readonly writer: Writer; readonly indexer: Indexer; readonly close: () => Promise<void> };

export type LateBoardOptions = {
  /** What is known in advance. */
  readonly boardId: string;
  readonly capabilities: Store['capabilities'];
  /** Embeddings come from a remote model. */
  readonly isElsewhere: boolean;
  /** Why it could not be opened. */
  readonly why: StoreFault;
  readonly open: () => Promise<Opened>;
};

export type LateBoard = {
  readonly store: Store;
  readonly writer: Writer;
  readonly indexer: Indexer;
  /** Resolves when it is open. */
  readonly opened: Promise<void>;
};

/** REC-78: a board that isn't available yet. Until then, everything fails with the reason; a probe opens it. */
export const createLateBoard = ({ boardId, capabilities, isElsewhere, why, open }: LateBoardOptions): LateBoard => {
  let there: Opened | null = null;
  let fault = why;
  let opening: Promise<void> | null = null;
  let isClosed = false;
  let onOpened = (): void => {};
  const opened = new Promise<void>((resolve) => {
    onOpened = resolve;
  });
  let onClosed = (): void => {};
  const closed = new Promise<null>((resolve) => {
    onClosed = () => resolve(null);
  });

  const openNow = async (): Promise<void> => {
    try {
      const found = await open();
      if (isClosed) {
        await found.close();
        return;
      }
      there = found;
      onOpened();
    } catch (cause) {
      fault = cause instanceof StoreFault ? cause : new StoreFault('failed', cause instanceof Error ? cause.message : String(cause), cause);
      throw fault;
    } finally {
      opening = null;
    }
  };

  const now = (): Opened => {
    if (there === null) throw fault;
    return there;
  };

  const writer: Writer = {
    ...passedOn(WRITER, () => now().writer),
    probe: async () => {
      if (there === null && !isClosed) await (opening ??= openNow());
      await now().writer.probe();
    },
    stopImport: async () => there?.writer.stopImport(),
    poke: async () => there?.writer.poke(),
    troubles: async () => there?.writer.troubles() ?? [],
    followAlso: async (path) => {
      const followed = Promise.race([opened, closed]).then(() => there?.writer.followAlso(path));
      if (there !== null) await followed;
    },
    follow: async () => {
      await Promise.race([opened, closed]);
      return there?.writer.follow() ?? null;
    },
    close: async () => {
      isClosed = true;
      onClosed();
      await Promise.race([opening?.catch(() => {}), later(CLOSING)]); // hanging work is abandoned
      await there?.close();
    },
  };

  const indexer: Indexer = {
    ...passedOn(INDEXER, () => now().indexer),
    wake: async () => there?.indexer.wake(),
    drain: async () => {
      await opened;
      await now().indexer.drain();
    },
    state: async () => there?.indexer.state() ?? { name: 'search', passes: 0, failure: null },
    meaning: async () => there?.indexer.meaning() ?? null,
    close: async () => {}, // with the writer, as it was opened
  };

  return {
    store: {
      capabilities,
      log: { boardId, ...passedOn(LOG, () => now().store.log) },
      library: passedOn(LIBRARY, () => now().store.library),
      search: {
        ...passedOn(SEARCH, () => now().store.search),
        meaning: { isElsewhere, ...passedOn(MEANING, () => now().store.search.meaning) },
      },
      media: passedOn(MEDIA, () => now().store.media),
      ...passedOn(BESIDE, () => now().store),
      close: async () => {},
    },
    writer,
    indexer,
    opened,
  };
};

type Call = (...args: readonly unknown[]) => Promise<unknown>;

const passedOn = <P extends object>(names: NamesOf<P>, target: () => P): Pick<P, keyof NamesOf<P>> =>
  Object.fromEntries(
    Object.keys(names).map((name) => [name, async (...args: readonly unknown[]) => (target()[name as keyof P] as Call)(...args)]), // by the names of its methods
  ) as Pick<P, keyof NamesOf<P>>;

/** All asynchronous methods of a port: the compiler reports missing ones. */
type NamesOf<P> = { readonly [K in keyof P as P[K] extends (...args: never[]) => Promise<unknown> ? K : never]: true };

const LOG: NamesOf<LogPort> = {
  head: true,
  append: true,
  probe: true,
  tidy: true,
  entriesAfter: true,
  entryAt: true,
  entriesAt: true,
  entriesOf: true,
  entriesBefore: true,
  linesOf: true,
  entryByUuid: true,
  positionOfRef: true,
  positionsOfRefs: true,
  payloadsOf: true,
  payloadByHash: true,
  dropPayload: true,
  positionsWith: true,
  positionsOfType: true,
  types: true,
  files: true,
  forgetFile: true,
  occurrences: true,
  size: true,
};

const LIBRARY: NamesOf<LibraryPort> = {
  projects: true,
  sessions: true,
  session: true,
  sessionsById: true,
  firstNumbersOf: true,
  sessionsLike: true,
  agents: true,
  messages: true,
  latest: true,
  messageByUuid: true,
  messageAt: true,
  messagesAt: true,
  childrenOf: true,
  copiesOf: true,
  callsOf: true,
  usesOf: true,
  placesOfUses: true,
  successorsOf: true,
  touchesAt: true,
  touchesOf: true,
  touchCounts: true,
  pathsLike: true,
  operationsAt: true,
  operations: true,
  responsesAt: true,
  positionsOf: true,
  spending: true,
  dailySpending: true,
  hourlySpending: true,
  toolUses: true,
  totals: true,
  scrub: true,
  integrity: true,
  rebuild: true,
  dump: true,
};

const SEARCH: NamesOf<SearchPort> = {
  find: true,
  position: true,
  unindexed: true,
  advance: true,
  settle: true,
  clear: true,
  masked: true,
  drop: true,
};

const MEANING: NamesOf<SearchPort['meaning']> = { nearest: true, coverage: true, advance: true };

const MEDIA: NamesOf<MediaPort> = {
  put: true,
  finish: true,
  abandon: true,
  find: true,
  claim: true,
  part: true,
  sweep: true,
  drop: true,
  usage: true,
};

const BESIDE: NamesOf<Pick<Store, 'audit' | 'backup'>> = { audit: true, backup: true };

const INDEXER: NamesOf<Pick<Indexer, 'clear' | 'drop'>> = { clear: true, drop: true };

const WRITER: NamesOf<Omit<Writer, 'probe' | 'stopImport' | 'poke' | 'troubles' | 'followAlso' | 'follow' | 'close'>> = {
  append: true,
  importPaths: true,
  catchUp: true,
  forget: true,
  rebuild: true,
  repair: true,
  backup: true,
  putMedia: true,
  finishMedia: true,
  abandonMedia: true,
  claimMedia: true,
  sweepMedia: true,
  dropMedia: true,
};

const later = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });

const CLOSING = 5000;
