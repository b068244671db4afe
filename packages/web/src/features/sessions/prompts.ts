import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { InsideOutput } from '@yarnboard/protocol';
import { useCallback } from 'react';
import { useLive, useSessionNews } from '../../live/hooks.tsx';
import type { FlowAddress } from './flow-pages.ts';

type Told = InsideOutput<'outline'>;
export type OutlineItem = Told['items'][number];
export type TaskList = NonNullable<Told['tasks']>;
export type Outline = Pick<Told, 'steps' | 'prompts' | 'tasks' | 'items'>;

/** The query for all prompts of a conversation, page by page. */
const useOutlineQuery = ({ sessionId, thread, through }: FlowAddress) => {
  const { ask } = useLive();
  return {
    queryKey: ['outline', sessionId, thread, through],
    queryFn: async (): Promise<Outline> => {
      const items: OutlineItem[] = [];
      for (let cursor: string | null = null; ;) {
        const told: Told = await ask('outline', {
          id: sessionId,
          thread,
          limit: 500,
          ...(through === null ? {} : { through }),
          ...(cursor === null ? {} : { cursor }),
        });
        items.push(...told.items);
        cursor = told.nextCursor;
        if (cursor === null) return { steps: told.steps, prompts: told.prompts, tasks: told.tasks, items };
      }
    },
    staleTime: 5000,
  };
};

/** PAGE-610: the prompts of a conversation, kept up to date as it grows. */
export const useOutline = (address: FlowAddress): UseQueryResult<Outline> => {
  const query = useQuery(useOutlineQuery(address));
  useSessionNews(address.sessionId, () => void query.refetch(), 2000);
  return query;
};

/** PAGE-611: the rows of the prompts, loaded when a key first needs them. */
export const usePromptRows = (address: FlowAddress): (() => Promise<readonly number[]>) => {
  const { queries } = useLive();
  const query = useOutlineQuery(address);
  return useCallback(
    async () => (await queries.fetchQuery(query)).items.flatMap(({ kind, index }) => (kind === 'prompt' ? [index] : [])),
    // The key covers the whole query.
    // oxlint-disable-next-line react/exhaustive-deps
    [queries, ...query.queryKey],
  );
};
