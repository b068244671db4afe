import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { OperationName } from '@yarnboard/protocol';
import { useFreshBoard } from '../../shared/freshness.ts';

export type Pages<P> = {
  /** Null until the first page has arrived. */
  readonly pages: readonly P[] | null;
  /** What is shown still answers the previous question. */
  readonly isOld: boolean;
  readonly error: Error | null;
  readonly more: (() => void) | null;
  readonly isLoadingMore: boolean;
  readonly retry: () => void;
};

/**
 * PAGE-502: a paged answer. Pages are cached by their question, so that a late old answer is never shown as the newest, and the previous answer stays
 * until the next one arrives. Events on the board trigger a refetch.
 */
export const usePages = <P extends { readonly nextCursor: string | null }>(
  name: OperationName,
  question: object,
  ask: (cursor: { readonly cursor?: string }, signal: AbortSignal) => Promise<P>,
): Pages<P> => {
  useFreshBoard(name);
  const { data, error, isPlaceholderData, hasNextPage, fetchNextPage, isFetchingNextPage, refetch } = useInfiniteQuery({
    queryKey: [name, question, 'pages'],
    queryFn: ({ pageParam, signal }) => ask(pageParam === null ? {} : { cursor: pageParam }, signal),
    initialPageParam: null as string | null, // gives pageParam its type
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
  });
  return {
    pages: data?.pages ?? null,
    isOld: isPlaceholderData,
    error,
    more: hasNextPage ? () => void fetchNextPage() : null,
    isLoadingMore: isFetchingNextPage,
    retry: () => void refetch(),
  };
};
