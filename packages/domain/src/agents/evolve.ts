import type { Evolver } from '../board/evolve.ts';
import type { Board } from '../board/state.ts';
import { change } from '../sidebar/evolve.ts';
import { OPERATOR } from '../actors.ts';
import { disputesAfter } from '../sidebar/relevance.ts';
import type { Sidebar, SidebarFacts } from '../sidebar/state.ts';
import { requestOf } from './recruiting-evolve.ts';
import { endRequest, openRequest } from './requests.ts';
import { loadRow } from './loads.ts';
import { followRoster } from './roster.ts';
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
    // A retired name that is reused keeps its notices.
    board.agents.set(agent, { ...newcomer(agent, event.at), readUpTo: before?.readUpTo ?? 0, position: event.position, ...rest, tokenHash });
    board.tokens.set(tokenHash, agent);
    followRoster(board, agent);
    followAgent(board, agent, event.at);
  },
  'agent.changed': (board, event) => {
    const { agent, ...rest } = event.payload;
    changeAgent(board, agent, event.at, () => rest);
    if (rest.specialties !== undefined) followRoster(board, agent);
    if (rest.tokenHash !== undefined) board.tokens.set(rest.tokenHash, agent);
  },
  'agent.retired': (board, event) => {
    const { agent } = event.payload;
    changeAgent(board, agent, event.at, () => ({ isRetired: true, presence: 'offline', tokenHash: null }));
    followRoster(board, agent);
    followAgent(board, agent, event.at);
  },
  'agent.presence': (board, event) => {
    const { agent, status, currentContext } = event.payload;
    const wasAway = board.agents.get(agent)?.presence === 'offline';
    changeAgent(board, agent, event.at, ({ absence }) => ({
      presence: status,
      currentContext,
      presentAt: event.at,
      // CRASH-1: an agent that says goodbye isn't missing. A separate event returns what fell to others.
      absence: absence?.kind === 'crashed' ? absence : status === 'offline' && event.by.type === 'system' ? { kind: 'lost', since: event.at } : null,
    }));
    const load = board.loads.get(agent);
    // LOAD-13: whoever recruited it in its absence is notified once.
    if (load !== undefined && wasAway && status !== 'offline') board.loads.set(agent, { ...load, awaited: [], appeared: load.awaited });
    else if (load !== undefined && load.appeared.length > 0) board.loads.set(agent, { ...load, appeared: [] });
    followAgent(board, agent, event.at);
  },
  'agent.crashed': (board, event) => {
    const { agent, since, sidebars } = event.payload;
    changeAgent(board, agent, event.at, () => ({ absence: { kind: 'crashed', since, fallen: sidebars } }));
    for (const { sidebarId, owner, findings, coordinates, curates } of sidebars) {
      hold(board, sidebarId, findings, owner, ({ coordinator, curator }) => {
        const next = coordinates ? owner : coordinator;
        return { coordinator: next, curator: curates ? next : curator };
      });
    }
  },
  'agent.returned': (board, event) => {
    const { agent, sidebars } = event.payload;
    changeAgent(board, agent, event.at, () => ({ absence: null }));
    for (const { sidebarId, findings, coordinates, curates } of sidebars)
      hold(board, sidebarId, findings, null, ({ coordinator, curator }) => ({
        coordinator: coordinates ? agent : coordinator,
        curator: curates ? agent : curator,
      }));
  },
  'agent.joined': (board, event) => {
    const { agent, recruitedBy, request, note = null, capability = null } = event.payload;
    change(board, event, ({ participants }) => ({ participants: [...new Set([...participants, agent])] }));
    const { at, position } = event;
    const wasAway = agent !== recruitedBy && board.agents.get(agent)?.presence === 'offline';
    const id = request ?? event.uuid;
    if (request === undefined) openRequest(board, { ...requestOf(event), agent, by: recruitedBy, note, capability, kind: 'join', state: 'joined' });
    endRequest(board, id, { state: 'joined', at, position, wasAway });
    if (wasAway) board.loads.set(agent, { ...loadRow(board, agent), awaited: [...loadRow(board, agent).awaited, id].slice(-MOST_AWAITED) });
  },
  'agent.left': (board, event) =>
    change(board, event, ({ participants, coordinator, curator, relevance, disputes }) => {
      const gone = event.payload.agent;
      const next = coordinator === gone ? OPERATOR.id : coordinator;
      const scores = withoutScoresOf(gone, relevance);
      return {
        participants: participants.filter((agent) => agent !== gone),
        // AGT-8: vacant duties fall to the human.
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

const MOST_AWAITED = 50;

const withoutScoresOf = (gone: string, relevance: Sidebar['relevance']): Sidebar['relevance'] =>
  Object.fromEntries(
    Object.entries(relevance).flatMap(([exchange, scores]) => {
      const left = Object.entries(scores).filter(([agent]) => agent !== gone);
      return left.length === 0 ? [] : [[exchange, Object.fromEntries(left)]];
    }),
  );

/** AGT-3: the agent a token belongs to now. An old token, or one of an agent that left, belongs to nobody. */
export const agentWithToken = (board: Board, tokenHash: string): Agent | null => {
  const agent = board.agents.get(board.tokens.get(tokenHash) ?? '');
  return agent === undefined || agent.isRetired || agent.tokenHash !== tokenHash ? null : agent;
};

/** Sets who answers for findings of a sidebar, and for the sidebar itself. This doesn't count as activity. */
const hold = (
  board: Board,
  sidebarId: string,
  findings: readonly string[],
  owner: string | null,
  duties: (sidebar: Sidebar) => Partial<SidebarFacts>,
): void => {
  const sidebar = board.sidebars.get(sidebarId);
  if (sidebar === undefined) return;
  const held = sidebar.scratchpad.findings.map((finding) => (findings.includes(finding.id) ? { ...finding, owner } : finding));
  board.sidebars.set(sidebarId, { ...sidebar, ...duties(sidebar), scratchpad: { ...sidebar.scratchpad, findings: held } });
};
