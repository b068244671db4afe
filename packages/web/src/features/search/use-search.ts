import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { InsideOutput } from '@yarnboard/protocol';
import { useLive } from '../../live/hooks.tsx';
import { questionOf, type SearchWish } from './search-address.ts';

export type Hit = InsideOutput<'search'>['items'][number];

export type Search = {
  readonly hits: readonly Hit[];
  readonly order: 'relevance' | 'newest';
  readonly corrected: InsideOutput<'search'>['corrected'];
  readonly loosened: InsideOutput<'search'>['loosened'];
  readonly coverage: InsideOutput<'search'>['coverage'];
  /** False while the server is still indexing. */
  readonly isComplete: boolean;
  /** Whether the shown results belong to the previous search. */
  readonly isOld: boolean;
  readonly isLoading: boolean;
  readonly error: Error | null;
  readonly more: (() => void) | null;
  readonly isLoadingMore: boolean;
  readonly retry: () => void;
};

/** Caches results by query, so that a late answer to an old query never shows up as the latest. */
export const useSearch = (wish: SearchWish): Search => {
  const { ask } = useLive();
  const question = questionOf(wish);
  const isAsking = question.q !== '';
  const { data, error, isPending, isPlaceholderData, hasNextPage, fetchNextPage, isFetchingNextPage, refetch } = useInfiniteQuery({
    queryKey: ['search', question, 'pages'],
    queryFn: ({ pageParam, signal }) => ask('search', { ...question, ...(pageParam === null ? {} : { cursor: pageParam }) }, signal),
    initialPageParam: null as string | null, // typed for the pages after the first
    getNextPageParam: ({ nextCursor }) => nextCursor,
    enabled: isAsking,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.pages.at(-1)?.isComplete === false ? INDEXING_EVERY : false),
  });
  const pages = isAsking ? (data?.pages ?? []) : [];
  const [first] = pages;
  return {
    hits: pages.flatMap(({ items }) => items),
    order: first?.order ?? 'relevance',
    corrected: first?.corrected ?? [],
    loosened: first?.loosened ?? null,
    coverage: first?.coverage ?? null,
    isComplete: first?.isComplete ?? true,
    isOld: isAsking && isPlaceholderData,
    isLoading: isAsking && isPending,
    error: isAsking ? error : null,
    more: hasNextPage && isAsking ? () => void fetchNextPage() : null,
    isLoadingMore: isFetchingNextPage,
    retry: () => void refetch(),
  };
};

const INDEXING_EVERY = 2000;
