import type { Evolver } from '../board/evolve.ts';
import type { Board } from '../board/state.ts';
import { change } from '../sidebar/evolve.ts';
import { OPERATOR } from '../actors.ts';
import { disputesAfter } from '../sidebar/relevance.ts';
import type { Sidebar } from '../sidebar/state.ts';
import { followAgent } from './seats.ts';
import { newcomer, type Agent } from './state.ts';
import type { AGENT_EVENTS } from '../messages/agents.ts';

type Evolvers<T extends AgentEvents> = { readonly [K in T]: Evolver<K> };

type AgentEvents = keyof typeof AGENT_EVENTS;

const changeAgent = (board: Board, id: string, at: number, next: (agent: Agent) => Partial<Agent>): void => {
  const agent = board.agents.get(id) ?? newcomer(id, at);
  board.agents.set(id, { ...agent, ...next(agent) });
};

export const agentEvents: Evolvers<AgentEvents> = {
  'agent.registered': (board, event) => {
    const { agent, tokenHash, ...rest } = event.payload;
    const before = board.agents.get(agent);
    // A retired name that is taken up again keeps what it was told.
    board.agents.set(agent, { ...newcomer(agent, event.at), readUpTo: before?.readUpTo ?? 0, position: event.position, ...rest, tokenHash });
    board.tokens.set(tokenHash, agent);
    followAgent(board, agent, event.at);
  },
  'agent.changed': (board, event) => {
    const { agent, ...rest } = event.payload;
    changeAgent(board, agent, event.at, () => rest);
    if (rest.tokenHash !== undefined) board.tokens.set(rest.tokenHash, agent);
  },
  'agent.retired': (board, event) => {
    const { agent } = event.payload;
    changeAgent(board, agent, event.at, () => ({ isRetired: true, presence: 'offline', tokenHash: null }));
    followAgent(board, agent, event.at);
  },
  'agent.presence': (board, event) => {
    const { agent, status, currentContext } = event.payload;
    changeAgent(board, agent, event.at, () => ({ presence: status, currentContext, presentAt: event.at }));
    followAgent(board, agent, event.at);
  },
  'agent.joined': (board, event) =>
    change(board, event, ({ participants }) => ({ participants: [...new Set([...participants, event.payload.agent])] })),
  'agent.left': (board, event) =>
    change(board, event, ({ participants, coordinator, curator, relevance, disputes }) => {
      const gone = event.payload.agent;
      const next = coordinator === gone ? OPERATOR.id : coordinator;
      const scores = withoutScoresOf(gone, relevance);
      return {
        participants: participants.filter((agent) => agent !== gone),
        // AGT-8: what nobody does any more falls to the human.
        coordinator: next,
        curator: curator === gone ? next : curator,
        relevance: scores,
        disputes: disputesAfter(disputes, scores),
      };
    }),
  'inbox.read': (board, event) => {
    const { agent, upTo } = event.payload;
    changeAgent(board, agent, event.at, ({ readUpTo }) => ({ readUpTo: Math.max(readUpTo, upTo) }));
    board.notices.set(
      agent,
      (board.notices.get(agent) ?? []).filter(({ position }) => position > upTo),
    );
  },
};

const withoutScoresOf = (gone: string, relevance: Sidebar['relevance']): Sidebar['relevance'] =>
  Object.fromEntries(
    Object.entries(relevance).flatMap(([exchange, scores]) => {
      const left = Object.entries(scores).filter(([agent]) => agent !== gone);
      return left.length === 0 ? [] : [[exchange, Object.fromEntries(left)]];
    }),
  );

/** AGT-3: who a token belongs to: the agent that has it now. An old token, or one of an agent that left, is nobody's. */
export const agentWithToken = (board: Board, tokenHash: string): Agent | null => {
  const agent = board.agents.get(board.tokens.get(tokenHash) ?? '');
  return agent === undefined || agent.isRetired || agent.tokenHash !== tokenHash ? null : agent;
};
