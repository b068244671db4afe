import { useQuery } from '@tanstack/react-query';
import { printableLine } from '@yarnboard/transcript';
import { useMemo } from 'react';
import { useLive, useSessionNews } from '../../live/hooks.tsx';
import type { SubAgent } from './flow-context.ts';

/** The sub-agents of a session by id, loaded again while it is being written to. */
export const useSubAgents = (sessionId: string, isWanted: boolean): ReadonlyMap<string, SubAgent> => {
  const { ask } = useLive();
  const { data, refetch } = useQuery({
    queryKey: ['sidechains', 'all', sessionId],
    queryFn: async () => {
      const agents: SubAgent[] = [];
      let cursor: string | undefined;
      do {
        const { items, nextCursor }: { readonly items: readonly SubAgent[]; readonly nextCursor: string | null } = await ask('sidechains', {
          id: sessionId,
          limit: 500,
          ...(cursor === undefined ? {} : { cursor }),
        });
        agents.push(...items);
        cursor = nextCursor ?? undefined;
      } while (cursor !== undefined && agents.length < MOST);
      return agents;
    },
    enabled: isWanted,
  });
  useSessionNews(isWanted ? sessionId : null, () => void refetch(), EVERY_MS);
  return useMemo(() => new Map(data?.map((agent) => [agent.agentId, agent])), [data]);
};

/** The chain of callers, the outermost first. */
export const callersOf = (agents: ReadonlyMap<string, SubAgent>, agentId: string): readonly SubAgent[] => {
  const chain: SubAgent[] = [];
  for (let at = agents.get(agentId); at !== undefined && !chain.includes(at); at = agents.get(at.parentAgentId ?? '')) chain.unshift(at);
  return chain;
};

/** Its task, on one line. */
export const taskText = ({ task }: Pick<SubAgent, 'task'>): string | null => {
  const line = printableLine(task ?? '').trim();
  return line === '' ? null : line;
};

const MOST = 5000;
const EVERY_MS = 2000;
