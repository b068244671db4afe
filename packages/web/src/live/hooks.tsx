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

/** PAGE-142: what was given before the page was loaded, and was refused since. */
export const useRefused = (): readonly RefusedCommand[] => useWatched(useLive().refused);

export const useServerNotice = (): ServerNotice | null => useWatched(useLive().notice);

export const useRestores = (): number => useWatched(useLive().restores);

/** Who acts here; null for whoever only reads. While the connection is lost one is still who one was. */
export const useActor = (): Actor | null => useWatched(useLive().actor);

/** REC-65: how it stands with the log; null while all is well. */
export const useEmergency = (): EmergencyNews | null => useWatched(useLive().emergency);

/** REC-71: what the last session or an outage left behind; null when nothing was. */
export const useRecovery = (): RecoveryNews | null => useWatched(useLive().recovery);

/** PAGE-437: what was queued and is not on the log. */
export const useUnsaved = (): readonly Unsaved[] => useWatched(useLive().unsaved);

export type AskOptions = {
  /** Asks only while this is so. */
  readonly isWanted?: boolean;
  /** Shows what was there before until the next answer is. */
  readonly keepsPrevious?: boolean;
  /** Asks again after that many milliseconds, while the page is seen. */
  readonly everyMs?: number;
  readonly staleMs?: number;
  /** Gives up what is not shown any longer, as soon as something else is asked: the server stops working on it. */
  readonly isGivenUp?: boolean;
};

/** Asks a question of the registry, and again when what it is about has changed. */
export const useAsk = <N extends OperationName>(name: N, input: InsideInput<N>, options: AskOptions = {}): UseQueryResult<InsideOutput<N>> => {
  const { ask } = useLive();
  const { isWanted = true, keepsPrevious = false, everyMs, staleMs, isGivenUp = false } = options;
  return useQuery<InsideOutput<N>, Error, InsideOutput<N>>({
    queryKey: [name, input],
    // Whoever takes the signal is cancelled with it.
    queryFn: (context) => ask(name, input, ...(isGivenUp ? [context.signal] : [])),
    enabled: isWanted,
    ...(keepsPrevious ? { placeholderData: keepPreviousData } : {}),
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
    ...(staleMs === undefined ? {} : { staleTime: staleMs }),
  });
};

/** Asks again for everything of these names, at once for what is shown. */
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
  /** Why the last one was not done; null when it was. */
  readonly refusal: string | null;
  readonly clear: () => void;
};

export type SendOptions = {
  /** What the domain is told at once, so that the page shows it before the server answers. */
  readonly proposal?: Command;
};

/** Sends a command of the registry. What it resolves to says what became of it; a refusal is kept until the next one or `clear`. */
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
 * Something of the board as it is now, what was proposed included. `select` is asked again whenever the board has changed; whoever shows it is drawn again
 * only when it selects something else (PAGE-145).
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
    // What is selected depends on the inputs.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [replica, ...inputs]);
  return useSyncExternalStore(replica.subscribe, look, look);
};

export const useBoardReach = (): BoardReach => useWatched(useLive().reach);

/** Whether something with this id was proposed here and is not confirmed yet. */
export const usePending = (): ReadonlySet<string> => {
  const { replica } = useLive();
  return useBoard(() => replica.pending());
};

/** PAGE-435: ids of what waits for the log, here or elsewhere. */
export const useQueued = (): ReadonlySet<string> => {
  const { replica } = useLive();
  return useBoard(() => replica.queued());
};

export type SidebarRow =
  | { readonly kind: 'loading' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'there'; readonly sidebar: Sidebar };

/** A sidebar by SB-n or id, loaded when it is not among those that are here. */
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

/** Tells of what is added to a session while this is shown; at most once in `pauseMs`, with everything since. */
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
