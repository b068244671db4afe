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
  /** PAGE-140: of the tab; what waits for the server is kept there over a reload. */
  readonly storage?: WaitingStorage;
  /** What could not be read, or must not happen: for the console, and for tests. */
  readonly onTrouble?: (what: string) => void;
};

/** How much of the board is here. */
export type BoardReach =
  | { readonly kind: 'loading' }
  | { readonly kind: 'loaded'; readonly olderCursor: string | null; readonly isLoadingOlder: boolean }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Everything in the page that changes by itself: one connection, what was asked through it, and the board folded from what it tells. */
export type Live = {
  /** With a signal, the server stops working on what nobody waits for any longer. */
  readonly ask: <N extends OperationName>(name: N, input: InsideInput<N>, signal?: AbortSignal) => Promise<InsideOutput<N>>;
  /** MEDIA-4: the bytes of a file that is too large for a command; what to attach it by. */
  readonly upload: (bytes: Blob) => Promise<string>;
  /** A command; unlike `ask` it does not throw, for a refusal is an answer. What is proposed is shown until there is one. */
  readonly send: Commands['send'];
  /** PAGE-142: what was given before the page was loaded, and refused since. */
  readonly refused: Commands['refused'];
  readonly queries: QueryClient;
  readonly connection: Watched<ClientState>;
  /** Who the token says; null without one, and before anything is known. */
  readonly actor: Watched<Actor | null>;
  readonly notice: Watched<ServerNotice | null>;
  /** WIRE-41: how often an older state of the board was restored while this page was open. */
  readonly restores: Watched<number>;
  /** REC-65: how it stands with the log, what was left behind, and what was queued and not saved. */
  readonly emergency: QueueLive['emergency'];
  readonly recovery: QueueLive['recovery'];
  readonly unsaved: QueueLive['unsaved'];
  readonly replica: BoardReplica;
  /** Runs as they were told last, by whichever answer. */
  readonly runNews: RunNews;
  readonly reach: Watched<BoardReach>;
  readonly loadOlder: () => Promise<void>;
  readonly loadSidebar: (ref: string) => Promise<boolean>;
  /** The rows of these, as far as they are not here. */
  readonly loadSidebars: (refs: readonly string[]) => Promise<void>;
  /** Tells of every entry of a session, a copy or a record of a sub-agent too, while somebody watches. */
  readonly watchSession: (sessionId: string, listener: (entry: EntryFrame) => void) => () => void;
  /** Everything that happens among people and agents. */
  readonly onEvent: (listener: (event: BoardEvent) => void) => () => void;
  /** Something was forgotten: whoever keeps what was told drops it. What is asked is asked again. */
  readonly onForgotten: (listener: () => void) => () => void;
  /** Whether something was sent that the server has not answered yet, and that is in this page only. */
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
  // PAGE-451: whoever came while the log was away is shown what could not be read then.
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
      // Nothing will be told any more: who waits for the board is told why.
      if (state.kind === 'refused' && reach.get().kind === 'loading') reach.set({ kind: 'failed', error: new AskRefused('refused', state.why) });
      if (state.kind !== 'open') return;
      queue.open();
      // Who began to watch after the hello was said is not in it.
      if (watchers.size > 0) resubscribe();
      const told = actorIn(state);
      if (told?.id !== actor.get()?.id) actor.set(told);
      if (told !== null) void takeUp();
      if (reach.get().kind !== 'loaded') void reload();
      // What happened meanwhile is told; what was asked is asked again, since an answer may be older than that.
      if (wasLost) void queries.invalidateQueries();
      wasLost = false;
      notice.set(null);
    },
    onTrouble: (trouble) => onTrouble(JSON.stringify(trouble)),
  });

  /** PAGE-197: the server is newer than this page. What is shown stays as it was last understood, and nothing is sent from it. */
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

  /** What was given before the page was loaded is meant for one board, and the server says which it has. */
  const takeUp = async (): Promise<void> => {
    try {
      const { board } = await queries.fetchQuery({ queryKey: ['status', {}], queryFn: () => ask('status', {}), staleTime: 60_000 });
      commands.takeUp(board);
    } catch (error) {
      onTrouble(String(error)); // it is asked for again with the next connection
    }
  };

  // A view that watches fifty sessions says so once.
  const resubscribe = (): void => {
    if (isResubscribing) return;
    isResubscribing = true;
    queueMicrotask(() => {
      isResubscribing = false;
      client.subscribe(subscription());
    });
  };

  /** Any answer may hold what is forgotten: those that are shown are asked for again, the others dropped. */
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

  /** A part of the board; asked for again when so much happened meanwhile that it is too old. */
  const take = async (input: InsideInput<'board'>): Promise<InsideOutput<'board'>> => {
    for (let tries = 1; ; tries += 1) {
      const rows = await ask('board', input);
      if (replica.load(rows) !== 'reload') {
        await replica.whenTaken();
        // Bringing a part up to date may need others.
        fetchWanted();
        return rows;
      }
      if (tries === MOST_TRIES)
        throw new AskRefused('unknown', (await whyReadOnly()) ?? 'the board is changing too fast to load; try again in a moment');
    }
  };

  /** PAGE-198: a server that is older than the board cannot read on, however often it is asked. */
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

  /** What something happened to, and is not here. */
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
    reach,
    loadOlder: async () => {
      const at = reach.get();
      if (at.kind !== 'loaded' || at.olderCursor === null || at.isLoadingOlder) return;
      reach.set({ ...at, isLoadingOlder: true });
      const { nextCursor } = await take({ cursor: at.olderCursor }).catch(() => ({ nextCursor: at.olderCursor })); // it can be asked for again
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

/** Why nothing can be changed on this board; null when it can, or when it is the files that cannot be read. */
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
/** Milliseconds between two pictures, about. */
const FRAME = 16;
