import { keepPreviousData, QueryClientProvider, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Actor, Board, Command, Sidebar } from '@yarnboard/domain';
import { sidebarOf } from '@yarnboard/domain';
import type {
  ClientState,
  EmergencyNews,
  EntryFrame,
  InsideInput,
  InsideOutput,
  OperationName,
  Outcome,
  RecoveryNews,
  ServerNotice,
} from '@yarnboard/protocol';
import { createContext, useCallback, useContext, useEffect, useMemo, useRef, useState, useSyncExternalStore, type ReactNode } from 'react';
import type { RefusedCommand } from './commands.ts';
import type { Unsaved } from './queue-live.ts';
import type { BoardReach, Live } from './live.ts';
import { isAlike } from './likeness.ts';
import { refusalIn } from './refusal.ts';
import type { Watched } from './watched.ts';

const Context = createContext<Live | null>(null);

export const LiveProvider = ({ live, children }: { readonly live: Live; readonly children: ReactNode }) => (
  <Context.Provider value={live}>
    <QueryClientProvider client={live.queries}>{children}</QueryClientProvider>
  </Context.Provider>
);

export const useLive = (): Live => {
  const live = useContext(Context);
  if (live === null) throw new Error('there is no LiveProvider around this');
  return live;
};

const useWatched = <T,>(watched: Watched<T>): T => useSyncExternalStore(watched.subscribe, watched.get, watched.get);

export const useConnection = (): ClientState => useWatched(useLive().connection);

/** PAGE-142: commands given before the page was loaded, and refused since. */
export const useRefused = (): readonly RefusedCommand[] => useWatched(useLive().refused);

export const useServerNotice = (): ServerNotice | null => useWatched(useLive().notice);

export const useRestores = (): number => useWatched(useLive().restores);

/** The user; null if read-only. A lost connection doesn't change it. */
export const useActor = (): Actor | null => useWatched(useLive().actor);

/** REC-65: the state of the log; null while all is well. */
export const useEmergency = (): EmergencyNews | null => useWatched(useLive().emergency);

/** REC-71: what the last session or an outage left behind; null if nothing. */
export const useRecovery = (): RecoveryNews | null => useWatched(useLive().recovery);

/** PAGE-437: commands that were queued and are not on the log. */
export const useUnsaved = (): readonly Unsaved[] => useWatched(useLive().unsaved);

export type AskOptions = {
  /** Queries only while this is true. */
  readonly isWanted?: boolean;
  /** Shows the previous answer until the next one arrives. */
  readonly keepsPrevious?: boolean;
  /** Repeats the query after this many milliseconds, while the page is visible. */
  readonly everyMs?: number;
  readonly staleMs?: number;
  /** Cancels a query that is no longer shown, as soon as another one is sent: the server stops working on it. */
  readonly isGivenUp?: boolean;
};

/** Queries the registry, and again when the subject has changed. */
export const useAsk = <N extends OperationName>(name: N, input: InsideInput<N>, options: AskOptions = {}): UseQueryResult<InsideOutput<N>> => {
  const { ask } = useLive();
  const { isWanted = true, keepsPrevious = false, everyMs, staleMs, isGivenUp = false } = options;
  return useQuery<InsideOutput<N>, Error, InsideOutput<N>>({
    queryKey: [name, input],
    // Taking the signal makes the query cancellable.
    queryFn: (context) => ask(name, input, ...(isGivenUp ? [context.signal] : [])),
    enabled: isWanted,
    ...(keepsPrevious ? { placeholderData: keepPreviousData } : {}),
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
    ...(staleMs === undefined ? {} : { staleTime: staleMs }),
  });
};

/** Invalidates all queries of these names; those on display are repeated at once. */
export const useAskAgain = (): ((...names: readonly OperationName[]) => void) => {
  const { queries } = useLive();
  return useCallback(
    (...names) => {
      for (const name of names) void queries.invalidateQueries({ queryKey: [name] });
    },
    [queries],
  );
};

export type Sending = {
  readonly isSending: boolean;
  /** Why the last one failed; null if it didn't. */
  readonly refusal: string | null;
  readonly clear: () => void;
};

export type SendOptions = {
  /** The command for the domain, so that the page shows its effect before the server answers. */
  readonly proposal?: Command;
};

/** Sends a command of the registry. It resolves to the outcome; a refusal is kept until the next one or `clear`. */
export const useCommand = <N extends OperationName>(
  name: N,
): Sending & { readonly send: (input: InsideInput<N>, options?: SendOptions) => Promise<Outcome<InsideOutput<N>>> } => {
  const live = useLive();
  const [state, setState] = useState<{ readonly open: number; readonly refusal: string | null }>({ open: 0, refusal: null });
  const isMounted = useRef(true);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  const send = useCallback(
    async (input: InsideInput<N>, { proposal }: SendOptions = {}) => {
      setState(({ open }) => ({ open: open + 1, refusal: null }));
      const outcome = await live.send(name, input, proposal);
      if (isMounted.current) setState(({ open }) => ({ open: open - 1, refusal: refusalIn(outcome) }));
      return outcome;
    },
    [live, name],
  );
  const clear = useCallback(() => setState((at) => ({ ...at, refusal: null })), []);
  return { send, isSending: state.open > 0, refusal: state.refusal, clear };
};

/**
 * Part of the current board, including proposals. `select` runs again whenever the board has changed; the component renders again only if the
 * selection differs (PAGE-145).
 */
export const useBoard = <T,>(select: (board: Board) => T, inputs: readonly unknown[] = []): T => {
  const { replica } = useLive();
  const look = useMemo(() => {
    let seen: { readonly version: number; readonly value: T } | null = null;
    return (): T => {
      const version = replica.version();
      if (seen?.version === version) return seen.value;
      const value = select(replica.board());
      seen = { version, value: seen !== null && isAlike(seen.value, value) ? seen.value : value };
      return seen.value;
    };
    // The selection depends on the inputs.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [replica, ...inputs]);
  return useSyncExternalStore(replica.subscribe, look, look);
};

export const useBoardReach = (): BoardReach => useWatched(useLive().reach);

/** Ids of proposals that aren't confirmed yet. */
export const usePending = (): ReadonlySet<string> => {
  const { replica } = useLive();
  return useBoard(() => replica.pending());
};

/** PAGE-435: ids of commands that wait for the log, here or elsewhere. */
export const useQueued = (): ReadonlySet<string> => {
  const { replica } = useLive();
  return useBoard(() => replica.queued());
};

export type SidebarRow =
  | { readonly kind: 'loading' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'there'; readonly sidebar: Sidebar };

/** A sidebar by SB-n or id, loaded if it isn't among the current ones. */
export const useSidebar = (ref: string): SidebarRow => {
  const live = useLive();
  const reach = useBoardReach();
  const sidebar = useBoard((board) => sidebarOf(board, ref), [ref]);
  const [asked, setAsked] = useState<{ readonly ref: string; readonly answer: SidebarRow } | null>(null);
  const isWanted = sidebar === null && reach.kind === 'loaded' && asked?.ref !== ref;
  useEffect(() => {
    if (!isWanted) return;
    live.loadSidebar(ref).then(
      (isThere) => setAsked({ ref, answer: isThere ? { kind: 'loading' } : { kind: 'missing' } }),
      (error: unknown) => setAsked({ ref, answer: { kind: 'failed', error } }),
    );
  }, [live, ref, isWanted]);
  if (sidebar !== null) return { kind: 'there', sidebar };
  if (reach.kind === 'failed') return { kind: 'failed', error: reach.error };
  return asked?.ref === ref ? asked.answer : { kind: 'loading' };
};

/** Reports additions to a session while this is mounted; at most once per `pauseMs`, with everything since. */
export const useSessionNews = (sessionId: string | null, listener: (entries: readonly EntryFrame[]) => void, pauseMs = 150): void => {
  const { watchSession } = useLive();
  const heard = useRef(listener);
  useEffect(() => {
    heard.current = listener;
  });
  useEffect(() => {
    if (sessionId === null) return undefined;
    let entries: EntryFrame[] = [];
    let timer: ReturnType<typeof setTimeout> | null = null;
    const stop = watchSession(sessionId, (entry) => {
      entries.push(entry);
      timer ??= setTimeout(() => {
        const told = entries;
        entries = [];
        timer = null;
        heard.current(told);
      }, pauseMs);
    });
    return () => {
      stop();
      if (timer !== null) clearTimeout(timer);
    };
  }, [sessionId, watchSession, pauseMs]);
};
