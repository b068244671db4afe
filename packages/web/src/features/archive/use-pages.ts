import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { OperationName } from '@yarnboard/protocol';
import { useFreshBoard } from '../../shared/freshness.ts';

export type Pages<P> = {
  /** Null until the first is there. */
  readonly pages: readonly P[] | null;
  /** What is shown is the answer to what was asked before. */
  readonly isOld: boolean;
  readonly error: Error | null;
  readonly more: (() => void) | null;
  readonly isLoadingMore: boolean;
  readonly retry: () => void;
};

/**
 * PAGE-502: an answer in pages. Answers are kept by their question, so that an old one that comes late is never shown as the newest; what was there stays
 * until the next is. They are asked for again when something happens on the board.
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
    initialPageParam: null as string | null, // the type of what comes after it
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
