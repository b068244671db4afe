import { createContext, useContext, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { useSearch } from 'wouter';
import { useBoard, useBoardReach, useLive } from '../../live/hooks.tsx';
import type { Live } from '../../live/live.ts';
import { byRecord, sidebarsAt, sidebarsOf, type SessionSidebar, type SidebarsByRecord } from './session-sidebars.ts';

type Sidebars = {
  readonly sessionId: string;
  readonly all: readonly SessionSidebar[];
  readonly index: SidebarsByRecord;
  /** Why the list may be incomplete. */
  readonly error: Error | null;
  /** The request that was already scrolled to, so that scrolling past it later doesn't jump back. */
  readonly arrived: { current: string | null };
};

const SidebarsContext = createContext<Sidebars>({ sessionId: '', all: [], index: new Map(), error: null, arrived: { current: null } });

/** PAGE-165: the sidebars of a session, computed once per board change, however many steps use them. */
export const SessionSidebarsProvider = ({ sessionId, children }: { readonly sessionId: string; readonly children: ReactNode }) => {
  const all = useBoard((board) => sidebarsOf(board, sessionId), [sessionId]);
  const error = useOlder(sessionId);
  const arrived = useRef<string | null>(null);
  const sought = useSoughtRef();
  useEffect(() => {
    arrived.current = null;
  }, [sought]);
  const sidebars = useMemo((): Sidebars => ({ sessionId, all, index: byRecord(all), error, arrived }), [sessionId, all, error]);
  return <SidebarsContext.Provider value={sidebars}>{children}</SidebarsContext.Provider>;
};

export const useSessionSidebars = (): Sidebars => useContext(SidebarsContext);

export const useSidebarsAt = (uuids: readonly string[]): readonly SessionSidebar[] => sidebarsAt(useSessionSidebars().index, uuids);

/** The reference that the URL asks for. */
export const useSoughtRef = (): string | null => new URLSearchParams(useSearch()).get('at')?.toUpperCase() ?? null;

/** The client's board holds only the latest sidebars; those of the session may be older. */
const useOlder = (sessionId: string): Error | null => {
  const live = useLive();
  const reach = useBoardReach();
  const [error, setError] = useState<Error | null>(null);
  useEffect(() => {
    // Reloading the board drops them again.
    if (reach.kind !== 'loaded' || reach.olderCursor === null || reach.isLoadingOlder) return;
    loadOf(live, sessionId).then(
      () => setError(null),
      (cause: unknown) => setError(cause instanceof Error ? cause : new Error(String(cause))),
    );
  }, [live, reach, sessionId]);
  return error;
};

const loadOf = async ({ ask, loadSidebars }: Live, sessionId: string): Promise<void> => {
  for (let cursor: string | null = null; ;) {
    const { items, nextCursor }: Awaited<ReturnType<typeof ask<'sidebars'>>> = await ask('sidebars', {
      parentId: sessionId,
      merged: 'true',
      archived: 'true',
      ...(cursor === null ? {} : { cursor }),
    });
    await loadSidebars(items.map(({ sidebarId }) => sidebarId));
    if (nextCursor === null) return;
    cursor = nextCursor;
  }
};
