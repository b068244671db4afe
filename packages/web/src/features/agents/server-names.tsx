import { printableLine } from '@yarnboard/transcript';
import { Monitor } from 'lucide-react';
import type { InsideOutput } from '@yarnboard/protocol';
import { useAsk } from '../../live/hooks.tsx';
import { Badge } from '../../ui/badge.tsx';

type Server = InsideOutput<'servers'>['servers'][number];

/** PAGE-644: the servers that share the board; none while there is only one. */
export const useServers = (): readonly Server[] => {
  const { data } = useAsk('servers', {}, { everyMs: 15_000, staleMs: 5000 });
  const servers = data?.servers ?? [];
  return servers.length > 1 ? servers : [];
};

/** Several servers of one machine are told apart by the beginning of their id. */
export const serverName = (server: Server, all: readonly Server[]): string => {
  if (server.isThis) return 'this server';
  const isAlone = all.filter(({ host }) => host === server.host).length === 1;
  return printableLine(isAlone ? server.host : `${server.host} (${server.serverId.slice(0, 4)})`);
};

/** Where an agent is connected. */
export const AgentServers = ({ agentId, servers }: { readonly agentId: string; readonly servers: readonly Server[] }) => {
  const on = servers.filter(({ state, agents }) => state === 'up' && agents.includes(agentId));
  return on.length === 0 ? null : <Badge icon={Monitor}>{`on ${on.map((one) => serverName(one, servers)).join(', ')}`}</Badge>;
};

/** Which server runs a seat. One that is gone is named by its id. */
export const SeatServer = ({ serverId, servers }: { readonly serverId: string | null; readonly servers: readonly Server[] }) => {
  if (serverId === null || servers.length === 0) return null;
  const server = servers.find((one) => one.serverId === serverId);
  if (server === undefined || server.state === 'lost')
    return (
      <Badge icon={Monitor} tone="warn" title={printableLine(serverId)}>
        on a server that is gone
      </Badge>
    );
  return <Badge icon={Monitor}>{`on ${serverName(server, servers)}`}</Badge>;
};
