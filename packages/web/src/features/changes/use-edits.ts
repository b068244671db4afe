import { useInfiniteQuery } from '@tanstack/react-query';
import type { InsideOutput } from '@yarnboard/protocol';
import { useMemo } from 'react';
import { useLive } from '../../live/hooks.tsx';

export type EditItem = InsideOutput<'changes'>['items'][number];
type Page = InsideOutput<'changes'>;

/** The edits of one session, or of one file in all sessions. */
export type EditsWish =
  { readonly of: 'session'; readonly sessionId: string; readonly file: string | null } | { readonly of: 'file'; readonly path: string };

export type Edits = {
  readonly items: readonly EditItem[];
  readonly isLoading: boolean;
  readonly error: Error | null;
  readonly more: (() => void) | null;
  readonly isLoadingMore: boolean;
  readonly refetch: () => void;
};

/** PAGE-551: loads edits page by page, each with its first lines. */
export const useEdits = (wish: EditsWish): Edits => {
  const { ask } = useLive();
  const { data, error, isPending, hasNextPage, fetchNextPage, isFetchingNextPage, refetch } = useInfiniteQuery({
    queryKey: ['changes', wish, 'pages'],
    queryFn: ({ pageParam, signal }): Promise<Page> => {
      const page = { limit: PAGE, lines: FIRST_LINES, ...(pageParam === null ? {} : { cursor: pageParam }) };
      if (wish.of === 'file') return ask('file_history', { path: wish.path, ...page }, signal);
      return ask('changes', { id: wish.sessionId, ...page, ...(wish.file === null ? {} : { file: wish.file }) }, signal);
    },
    initialPageParam: null as string | null, // gives pageParam its type
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  return {
    items: data?.pages.flatMap(({ items }) => items) ?? [],
    isLoading: isPending,
    error,
    more: hasNextPage ? () => void fetchNextPage() : null,
    isLoadingMore: isFetchingNextPage,
    refetch: () => void refetch(),
  };
};

/** PAGE-552: the rest of a long diff, a thousand lines at a time. */
export const useMoreLines = (edit: EditItem, isWanted: boolean) => {
  const { ask } = useLive();
  const { uuid, part, sessionId, hunks, linesTotal } = edit;
  const first = linesIn(hunks);
  const { data, error, hasNextPage, fetchNextPage, isFetching, refetch } = useInfiniteQuery({
    queryKey: ['changes', 'lines', sessionId, uuid, part, linesTotal],
    queryFn: async ({ pageParam, signal }) => {
      const { items } = await ask('changes', { id: sessionId, edit: uuid, lines: MORE_LINES, linesFrom: pageParam }, signal);
      return items.find((one) => one.part === part)?.hunks ?? [];
    },
    initialPageParam: first,
    getNextPageParam: (_page, pages) => {
      const shown = first + pages.reduce((sum, one) => sum + linesIn(one), 0);
      return shown < linesTotal && linesIn(pages.at(-1) ?? []) > 0 ? shown : undefined;
    },
    enabled: isWanted && first < linesTotal,
    staleTime: Infinity,
  });
  const all = useMemo(() => [...hunks, ...(data?.pages.flat() ?? [])], [hunks, data]);
  return {
    hunks: all,
    left: linesTotal - linesIn(all),
    isLoading: isFetching,
    error,
    more: (): void => void (error === null && hasNextPage ? fetchNextPage() : refetch()),
  };
};

const linesIn = (hunks: EditItem['hunks']): number => hunks.reduce((sum, { lines }) => sum + lines.length, 0);

const PAGE = 20;
const FIRST_LINES = 120;
const MORE_LINES = 1000;
