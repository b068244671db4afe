import { useInfiniteQuery, type UseInfiniteQueryResult, type InfiniteData } from '@tanstack/react-query';
import { contextIdOfSidebar, type Recorded, type SenderType } from '@yarnboard/domain';
import { recordedIn, type InsideOutput } from '@yarnboard/protocol';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useBoard, useLive } from '../../live/hooks.tsx';
import { markedOf, type Marked } from '../claims/marked.ts';
import { createWatched } from '../../live/watched.ts';

/** A message, or what a merged sidebar brought back. */
export type Said = {
  readonly key: string;
  /** Its position on the log; an unconfirmed message comes after everything else. */
  readonly seq: number;
  readonly ref: string | null;
  readonly exchange: string | null;
  readonly at: number | null;
  readonly sender: string;
  readonly senderType: string;
  /** SB-n, or the id of a session. */
  readonly context: string;
  readonly text: string;
  readonly citations: readonly string[];
  readonly inReplyTo: string | null;
  readonly isOnItsWay: boolean;
  /** What is known about an inherited message. */
  readonly marked?: Marked;
};

type MemoryPage = InsideOutput<'sidebar_memory'>;
type MemoryPages = UseInfiniteQueryResult<InfiniteData<MemoryPage, string | null>>;

/** PAGE-85: a sidebar's memory from its end: one page at a time, the newest first. */
export const useMemoryPages = (sidebarId: string, part: 'inherited' | 'local', isWanted: boolean): MemoryPages => {
  const { ask } = useLive();
  return useInfiniteQuery({
    queryKey: ['sidebar_memory', { sidebarId, part, order: 'newest' }],
    queryFn: ({ pageParam }: { readonly pageParam: string | null }) =>
      ask('sidebar_memory', { sidebarId, part, order: 'newest', limit: PAGE, ...(pageParam === null ? {} : { cursor: pageParam }) }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    enabled: isWanted,
    refetchOnWindowFocus: false,
    // Inherited messages never change; the sidebar's own may have grown while nobody was subscribed.
    ...(part === 'inherited' ? { staleTime: Infinity } : { refetchOnMount: 'always' as const }),
  });
};

/** The messages of all pages, the oldest first. The result for a page stays the same object when others arrive (PAGE-145). */
export const useSaid = (pages: InfiniteData<MemoryPage, string | null> | undefined): readonly Said[] => {
  const [known] = useState(() => new WeakMap<MemoryPage, readonly Said[]>());
  return useMemo(
    () =>
      (pages?.pages ?? []).toReversed().flatMap((page) => {
        const said = known.get(page) ?? page.items.map(saidOf).toReversed();
        known.set(page, said);
        return said;
      }),
    [pages, known],
  );
};

const saidOf = (item: MemoryPage['items'][number]): Said => ({
  key: `${item.seq}`,
  seq: item.seq,
  ref: item.ref,
  exchange: item.exchangeId,
  at: item.timestamp === null ? null : Date.parse(item.timestamp),
  sender: item.sender,
  senderType: item.senderType,
  context: item.contextId,
  text: item.content,
  citations: item.citations,
  inReplyTo: null,
  isOnItsWay: false,
  ...(item.part === 'inherited' ? { marked: markedOf(item) } : {}),
});

/** PAGE-86: the messages that arrived since this component mounted, and those still on their way to the log. */
export const useNews = (sidebarId: string): readonly Said[] => {
  const { onEvent, onForgotten, replica } = useLive();
  const contextId = contextIdOfSidebar(sidebarId);
  // Updates together with the board, so that an unconfirmed message disappears exactly when the confirmed one arrives.
  const [told] = useState(() => createWatched<readonly Said[]>([]));
  useEffect(
    () =>
      onEvent((event) => {
        const read = recordedIn(event);
        const said = read?.ok === true && read.value.contextId === contextId ? newsOf(read.value, false) : null;
        if (said !== null) told.set([...told.get(), said]);
      }),
    [onEvent, contextId, told],
  );
  // The pages are refetched and contain what is left of it.
  useEffect(() => onForgotten(() => told.set([])), [onForgotten, told]);
  const heard = useSyncExternalStore(told.subscribe, told.get, told.get);
  const proposed = useBoard(
    () => replica.proposed().flatMap((event) => (event.contextId === contextId ? (newsOf(event, true) ?? []) : [])),
    [contextId],
  );
  return useMemo(() => [...heard, ...proposed], [heard, proposed]);
};

const newsOf = (event: Recorded, isOnItsWay: boolean): Said | null => {
  if (event.type !== 'chat.message' && event.type !== 'memory.merged') return null;
  const about = {
    key: isOnItsWay ? event.uuid : `${event.position}`,
    seq: isOnItsWay ? Number.MAX_SAFE_INTEGER : event.position,
    ref: event.refs.find((ref) => ref.startsWith('MSG-')) ?? null,
    at: event.at,
    sender: event.by.id,
    senderType: event.by.type satisfies SenderType,
    context: event.contextId,
    citations: event.payload.citations,
    isOnItsWay,
  };
  const own = event.refs.find((ref) => ref.startsWith('EXCH-')) ?? null;
  return event.type === 'chat.message'
    ? { ...about, exchange: own ?? event.payload.exchange, text: event.payload.content, inReplyTo: event.payload.inReplyTo }
    : { ...about, exchange: own, text: event.payload.text, inReplyTo: null };
};

/** Combines both into one conversation, in log order and without duplicates. */
export const together = (known: readonly Said[], news: readonly Said[]): readonly Said[] => {
  const [oldest] = news;
  if (oldest === undefined) return known;
  // New messages usually follow the known ones: then a long conversation need not be sorted again.
  const isAfter = (known.at(-1)?.seq ?? 0) < oldest.seq && news.every((said, n) => said.isOnItsWay || (news[n - 1]?.seq ?? 0) < said.seq);
  if (isAfter) return [...known, ...news];
  const all = new Map([...known, ...news].map((said) => [said.key, said]));
  return [...all.values()].toSorted((a, b) => a.seq - b.seq);
};

const PAGE = 40;
