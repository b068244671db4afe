// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { AgentServers, SeatServer, serverName } from '../../../src/features/agents/server-names.tsx';

afterEach(cleanup);

const server = (
  serverId: string,
  host: string,
  more: { readonly isThis?: boolean; readonly state?: 'up' | 'lost'; readonly agents?: readonly string[] } = {},
) => ({
  serverId,
  host,
  version: '1',
  since: '2026-01-01T10:00:00.000Z',
  state: more.state ?? ('up' as const),
  isThis: more.isThis === true,
  agents: [...(more.agents ?? [])],
});
const SERVERS = [
  server('aaaa-1', 'loom', { isThis: true, agents: ['AGENT-mia'] }),
  server('bbbb-2', 'loom', { agents: ['AGENT-mia', 'AGENT-otto'] }),
  server('cccc-3', 'wheel\u202e', { agents: ['AGENT-otto'] }),
  server('dddd-4', 'old', { state: 'lost', agents: ['AGENT-otto'] }),
];

test('[PAGE-644] servers are called by their machine, and told apart where two share one', () => {
  expect(SERVERS.map((one) => serverName(one, SERVERS))).toEqual(['this server', 'loom (bbbb)', 'wheel�', 'old']);
});

test('[PAGE-644] an agent says which servers it is on; lost ones are left out, and nothing is said where nobody knows it', () => {
  render(
    <>
      <p data-testid="mia">
        <AgentServers agentId="AGENT-mia" servers={SERVERS} />
      </p>
      <p data-testid="otto">
        <AgentServers agentId="AGENT-otto" servers={SERVERS} />
      </p>
      <p data-testid="nobody">
        <AgentServers agentId="AGENT-nobody" servers={SERVERS} />
      </p>
    </>,
  );
  expect(screen.getByTestId('mia').textContent).toBe('on this server, loom (bbbb)');
  expect(screen.getByTestId('otto').textContent).not.toContain('old');
  expect(screen.getByTestId('nobody').textContent).toBe('');
});

test('[PAGE-644] a seat says which server runs it, or that this server is gone; with one server there is nothing to say', () => {
  render(
    <>
      <p data-testid="there">
        <SeatServer serverId="bbbb-2" servers={SERVERS} />
      </p>
      <p data-testid="lost">
        <SeatServer serverId="dddd-4" servers={SERVERS} />
      </p>
      <p data-testid="alone">
        <SeatServer serverId="aaaa-1" servers={[]} />
      </p>
    </>,
  );
  expect(screen.getByTestId('there').textContent).toBe('on loom (bbbb)');
  expect(screen.getByTestId('lost').textContent).toBe('on a server that is gone');
  expect(screen.getByTestId('alone').textContent).toBe('');
});
