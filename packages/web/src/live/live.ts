import { QueryClient } from '@tanstack/react-query';
import { assertNever, ENTRY_TYPES, isNewer, OPERATOR, type Actor } from '@yarnboard/domain';
import {
  ALL_SIDEBARS,
  CLOSE_CODES,
  createClient,
  insideAnswer,
  outsideInput,
  recordedIn,
  type BoardEvent,
  type Client,
  type ClientOptions,
  type ClientState,
  type EntryFrame,
  type InsideInput,
  type InsideOutput,
  type OperationName,
  type ServerNotice,
} from '@yarnboard/protocol';
import { createBoardReplica, type BoardReplica } from './board-replica.ts';
import { createCommands, type Commands } from './commands.ts';
import { AskRefused, refusalWords } from './refusal.ts';
import { createDeliveries, type Deliveries } from './deliveries.ts';
import { createRunNews, type RunNews } from './run-news.ts';
import type { WaitingStorage } from './waiting-commands.ts';
import { createQueueLive, type QueueLive } from './queue-live.ts';
import { uploadWith, type Upload } from './upload.ts';
import { createWatched, type Watched } from './watched.ts';

export type LiveOptions = Pick<ClientOptions, 'url' | 'WebSocket' | 'newId' | 'later' | 'random'> & {
  readonly token: string | null;
  /** By default the browser's own. */
  readonly upload?: Upload;
  readonly now: () => number;
  /** PAGE-140: the tab's storage, which keeps waiting commands across a reload. */
  readonly storage?: WaitingStorage;
  /** Unreadable messages and broken invariants: for the console, and for tests. */
  readonly onTrouble?: (what: string) => void;
};

/** How much of the board is loaded. */
export type BoardReach =
  | { readonly kind: 'loading' }
  | { readonly kind: 'loaded'; readonly olderCursor: string | null; readonly isLoadingOlder: boolean }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Everything in the page that changes by itself: the connection, the queries sent through it, and the board folded from its events. */
export type Live = {
  /** With a signal, the server stops working on a query that nobody waits for any more. */
  readonly ask: <N extends OperationName>(name: N, input: InsideInput<N>, signal?: AbortSignal) => Promise<InsideOutput<N>>;
  /** MEDIA-4: uploads a file that is too large for a command; returns the name to attach it by. */
  readonly upload: (bytes: Blob) => Promise<string>;
  /** A command; unlike `ask` it doesn't throw, since a refusal is an answer. The proposal is shown until the answer arrives. */
  readonly send: Commands['send'];
  /** PAGE-142: commands given before the page was loaded, and refused since. */
  readonly refused: Commands['refused'];
  readonly queries: QueryClient;
  readonly connection: Watched<ClientState>;
  /** The owner of the token; null without one, and before anything is known. */
  readonly actor: Watched<Actor | null>;
  readonly notice: Watched<ServerNotice | null>;
  /** WIRE-41: how often an older state of the board was restored while this page was open. */
  readonly restores: Watched<number>;
  /** REC-65: the state of the log, what was left behind, and what was queued and not saved. */
  readonly emergency: QueueLive['emergency'];
  readonly recovery: QueueLive['recovery'];
  readonly unsaved: QueueLive['unsaved'];
  readonly replica: BoardReplica;
  /** The latest state of each run, from whichever answer. */
  readonly runNews: RunNews;
  /** Prompts on their way to the server. */
  readonly deliveries: Deliveries;
  readonly reach: Watched<BoardReach>;
  readonly loadOlder: () => Promise<void>;
  readonly loadSidebar: (ref: string) => Promise<boolean>;
  /** Loads the rows of those that are missing. */
  readonly loadSidebars: (refs: readonly string[]) => Promise<void>;
  /** Reports every entry of a session, including copies and records of sub-agents, while somebody watches. */
  readonly watchSession: (sessionId: string, listener: (entry: EntryFrame) => void) => () => void;
  /** Every event among people and agents. */
  readonly onEvent: (listener: (event: BoardEvent) => void) => () => void;
  /** Something was forgotten: whoever caches messages must drop them. Queries are repeated. */
  readonly onForgotten: (listener: () => void) => () => void;
  /** Whether there is an unanswered command that exists only in this page. */
  readonly wouldLose: () => boolean;
  readonly newId: () => string;
  readonly now: () => number;
  readonly close: () => void;
};

export const createLive = ({
  token,
  upload = uploadWith((...sent) => fetch(...sent)),
  now,
  storage,
  onTrouble = () => {},
  ...options
}: LiveOptions): Live => {
  const queries = new QueryClient({
    defaultOptions: { queries: { retry: false, staleTime: 2000, gcTime: 5 * 60_000, refetchOnWindowFocus: true, refetchOnReconnect: false } },
  });
  const connection = createWatched<ClientState>({ kind: 'connecting' });
  const actor = createWatched<Actor | null>(null);
  const notice = createWatched<ServerNotice | null>(null);
  const restores = createWatched(0);
  const reach = createWatched<BoardReach>({ kind: 'loading' });
  const replica = createBoardReplica(undefined, (work) => void options.later(FRAME, work));
  const watchers = new Map<string, Set<(entry: EntryFrame) => void>>();
  const eventListeners = new Set<(event: BoardEvent) => void>();
  const forgetters = new Set<() => void>();
  const fetching = new Set<string>();
  let reloading: Promise<void> | null = null;
  let wasLost = false;
  let isResubscribing = false;

  const queue = createQueueLive({
    replica,
    actor,
    now,
    later: options.later,
    onRecovery: () => {
      for (const name of ['status', 'recovery', 'recovery_cache']) void queries.invalidateQueries({ queryKey: [name] });
    },
    onTrouble,
  });
  // PAGE-451: a page opened while the log was away now loads what it could not read then.
  queue.emergency.subscribe(() => {
    if (queue.emergency.get() === null) void queries.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });
  });

  const subscription = () => ({ sessions: [...watchers.keys()], sidebars: [ALL_SIDEBARS], hasEnvelopes: false, hasRecords: true }) as const;

  const client: Client = createClient({
    ...options,
    ...(token === null ? {} : { token }),
    subscription: subscription(),
    onEntry: (entry) => {
      if (replica.pass(entry) === 'reload') void reload();
      if (entry.entryType === ENTRY_TYPES.forgotten) forget();
      for (const listener of watchers.get(entry.sessionId) ?? []) listener(entry);
    },
    onEvent: (event) => {
      const read = recordedIn(event);
      if (read !== null && !read.ok && isNewer(read.error)) return outdate();
      if (read === null || !read.ok || replica.take(read.value) === 'reload') void reload();
      else fetchWanted();
      for (const listener of eventListeners) listener(event);
    },
    onNewer: () => outdate(),
    onEpoch: () => {
      replica.restart();
      forget();
      restores.set(restores.get() + 1);
      void reload();
    },
    canQueue: true,
    ...queue.hears,
    onNotice: (told) => {
      if (!queue.notice(told)) notice.set(told);
    },
    onState: (state) => {
      connection.set(state);
      if (state.kind === 'waiting') wasLost = true;
      // There will be no more messages: whoever waits for the board gets the reason.
      if (state.kind === 'refused' && reach.get().kind === 'loading') reach.set({ kind: 'failed', error: new AskRefused('refused', state.why) });
      if (state.kind !== 'open') return;
      queue.open();
      // Watchers added after the hello aren't covered by it.
      if (watchers.size > 0) resubscribe();
      const told = actorIn(state);
      if (told?.id !== actor.get()?.id) actor.set(told);
      if (told !== null) void takeUp();
      if (reach.get().kind !== 'loaded') void reload();
      // Missed events are delivered; queries are repeated, since their answers may be older than those.
      if (wasLost) void queries.invalidateQueries();
      wasLost = false;
      notice.set(null);
    },
    onTrouble: (trouble) => onTrouble(JSON.stringify(trouble)),
  });

  /** PAGE-197: the server is newer than this page. The display stays as last understood, and nothing is sent any more. */
  const outdate = (): void => {
    client.close();
    connection.set({ kind: 'refused', code: CLOSE_CODES['other-protocol'].code, why: 'Yarnboard was updated. Reload this page to go on.' });
  };

  const commands = createCommands({
    client,
    replica,
    actor,
    storage: storage ?? null,
    headSeq: () => {
      const state = connection.get();
      return state.kind === 'open' ? Math.max(state.seq, replica.position()) : replica.position();
    },
    onUnsaved: queue.tellUnsaved,
    newId: options.newId,
    now,
  });

  /** Commands given before the page was loaded are for one board, and the server says which one it has. */
  const takeUp = async (): Promise<void> => {
    try {
      const { board } = await queries.fetchQuery({ queryKey: ['status', {}], queryFn: () => ask('status', {}), staleTime: 60_000 });
      commands.takeUp(board);
    } catch (error) {
      onTrouble(String(error)); // the next connection tries again
    }
  };

  // A view that watches fifty sessions resubscribes once.
  const resubscribe = (): void => {
    if (isResubscribing) return;
    isResubscribing = true;
    queueMicrotask(() => {
      isResubscribing = false;
      client.subscribe(subscription());
    });
  };

  /** Any answer may contain what is forgotten: those on display are requested again, the others dropped. */
  const forget = (): void => {
    queries.removeQueries({ type: 'inactive' });
    for (const listener of forgetters) listener();
    void queries.invalidateQueries();
  };

  const ask: Live['ask'] = async (name, input, signal) => {
    const outcome = await client.call(name, outsideInput(name, input), signal);
    switch (outcome.kind) {
      case 'done':
        return insideAnswer(name, outcome.result);
      case 'rejected':
        throw new AskRefused(outcome.code, refusalWords(outcome));
      case 'done-before':
        throw new AskRefused('duplicate', outcome.message);
      case 'queued':
        throw new AskRefused('queued', outcome.message);
      case 'unknown':
        throw new AskRefused('unknown', outcome.why);
      default:
        throw new AskRefused('unknown', 'the server sent an answer this page can’t read; reload the page');
    }
  };

  /** Loads a part of the board; repeated if so much has happened in the meantime that it is too old. */
  const take = async (input: InsideInput<'board'>): Promise<InsideOutput<'board'>> => {
    for (let tries = 1; ; tries += 1) {
      const rows = await ask('board', input);
      if (replica.load(rows) !== 'reload') {
        await replica.whenTaken();
        // Updating a part may need others.
        fetchWanted();
        return rows;
      }
      if (tries === MOST_TRIES)
        throw new AskRefused('unknown', (await whyReadOnly()) ?? 'the board is changing too fast to load; try again in a moment');
    }
  };

  /** PAGE-198: a server that is older than the board can't continue, however often it is asked. */
  const whyReadOnly = async (): Promise<string | null> => readOnlyReason(await ask('status', {}));

  const reload = (): Promise<void> => {
    reloading ??= (async () => {
      replica.clear();
      void queries.invalidateQueries({ queryKey: ['status'] }); // it may say why
      try {
        const { nextCursor } = await take({});
        reach.set({ kind: 'loaded', olderCursor: nextCursor, isLoadingOlder: false });
      } catch (error) {
        reach.set({ kind: 'failed', error });
      } finally {
        reloading = null;
      }
    })();
    return reloading;
  };

  const loadSidebar = async (ref: string): Promise<boolean> => {
    if (!replica.has(ref)) await take({ sidebars: ref });
    return replica.has(ref);
  };

  const loadSidebars = async (refs: readonly string[]): Promise<void> => {
    const sidebars = refs.filter((ref) => !replica.has(ref)).join(',');
    for (let cursor: string | null | undefined; sidebars !== '' && cursor !== null;) {
      ({ nextCursor: cursor } = await take({ sidebars, ...(cursor === undefined ? {} : { cursor }) }));
    }
  };

  /** Loads what changed and isn't loaded. */
  const fetchWanted = (): void => {
    const missing = replica.wants().filter((name) => !fetching.has(name));
    if (missing.length === 0 || reach.get().kind !== 'loaded') return;
    for (const name of missing) fetching.add(name);
    take({ sidebars: missing.join(',') })
      .catch((error: unknown) => onTrouble(String(error)))
      .finally(() => {
        for (const name of missing) fetching.delete(name);
      });
  };

  return {
    ask,
    upload: (bytes) => upload(bytes, token),
    send: commands.send,
    refused: commands.refused,
    queries,
    connection,
    actor,
    notice,
    restores,
    emergency: queue.emergency,
    recovery: queue.recovery,
    unsaved: queue.unsaved,
    replica,
    runNews: createRunNews(),
    deliveries: createDeliveries(),
    reach,
    loadOlder: async () => {
      const at = reach.get();
      if (at.kind !== 'loaded' || at.olderCursor === null || at.isLoadingOlder) return;
      reach.set({ ...at, isLoadingOlder: true });
      const { nextCursor } = await take({ cursor: at.olderCursor }).catch(() => ({ nextCursor: at.olderCursor })); // it can be requested again
      reach.set({ kind: 'loaded', olderCursor: nextCursor, isLoadingOlder: false });
    },
    loadSidebar,
    loadSidebars,
    watchSession: (sessionId, listener) => {
      const known = watchers.get(sessionId);
      if (known === undefined) {
        watchers.set(sessionId, new Set([listener]));
        resubscribe();
      } else known.add(listener);
      return () => {
        const left = watchers.get(sessionId);
        left?.delete(listener);
        if (left?.size !== 0) return;
        watchers.delete(sessionId);
        resubscribe();
      };
    },
    onEvent: (listener) => {
      eventListeners.add(listener);
      return () => void eventListeners.delete(listener);
    },
    onForgotten: (listener) => {
      forgetters.add(listener);
      return () => void forgetters.delete(listener);
    },
    wouldLose: commands.wouldLose,
    newId: options.newId,
    now,
    close: () => {
      queue.close();
      commands.close();
      client.close();
      queries.clear();
    },
  };
};

/** Why nothing can be changed on this board; null if it can, or if only the files are unreadable. */
export const readOnlyReason = ({ state, why }: Pick<InsideOutput<'status'>, 'state' | 'why'>): string | null =>
  state === 'stuck' || state === 'stopped' ? null : why;

const actorIn = ({ clientType, agentId }: Extract<ClientState, { kind: 'open' }>): Actor | null => {
  switch (clientType) {
    case 'operator':
      return OPERATOR;
    case 'reader':
      return null;
    case 'agent':
    case 'human':
      return agentId === null ? null : { id: agentId, type: clientType };
    default:
      return assertNever(clientType);
  }
};

const MOST_TRIES = 3;
/** Roughly the milliseconds between two frames. */
const FRAME = 16;
