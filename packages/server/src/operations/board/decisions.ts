import {
  equipmentOf,
  isOpenRequest,
  isSomebody,
  OPERATOR,
  PRIORITIES,
  requestsOfSidebar,
  seatRunOf,
  seatsOfAgent,
  type Board,
  type Priority,
  type Sidebar,
} from '@yarnboard/domain';

/** A decision that only this agent can make. It stays in the inbox until made, whether or not it was read. */
export type ToDecide = {
  readonly what: 'request' | 'escalation' | 'queued' | 'failed';
  readonly sidebarId: string;
  /** The agent that asks to join, is at capacity, or keeps failing. */
  readonly agentId: string;
  readonly since: string;
  readonly reason: string;
  /** Sidebars that an agent at capacity could pause to make room, least important first. */
  readonly canPause: readonly { readonly sidebarId: string; readonly priority: Priority }[];
};

/**
 * AGT-13: what is pending in these sidebars: requests to join, escalations to this agent, CRITICAL tasks waiting for a seat, and seats that keep
 * failing.
 */
export const toDecide = (board: Board, sidebars: readonly Sidebar[], agentId: string): readonly ToDecide[] =>
  [
    ...requests(board, agentId),
    ...sidebars.flatMap((sidebar) => [
      ...escalation(board, sidebar, agentId),
      ...queued(board, sidebar, agentId),
      ...failed(board, sidebar, agentId),
    ]),
  ].toSorted((a, b) => a.since.localeCompare(b.since));

const requests = (board: Board, agentId: string): readonly ToDecide[] =>
  (board.loads.get(agentId)?.asked ?? []).flatMap((id): readonly ToDecide[] => {
    const request = board.requests.get(id);
    const sidebar = board.sidebars.get(request?.sidebarId ?? '');
    return request === undefined || sidebar === undefined
      ? []
      : [
          {
            what: 'request',
            sidebarId: sidebar.ref,
            agentId: request.by,
            since: time(request.at),
            reason: request.note ?? 'asks you to take part',
            canPause: [],
          },
        ];
  });

const escalation = (board: Board, { ref, escalation: asked, escalatedTo }: Sidebar, agentId: string): readonly ToDecide[] =>
  asked === null || decider(board, escalatedTo ?? OPERATOR.id) !== agentId
    ? []
    : [{ what: 'escalation', sidebarId: ref, agentId: asked.by, since: time(asked.at), reason: asked.reason, canPause: [] }];

const queued = (board: Board, sidebar: Sidebar, agentId: string): readonly ToDecide[] => {
  if (sidebar.priority !== 'CRITICAL') return [];
  return requestsOfSidebar(board, sidebar.id)
    .filter((request) => isOpenRequest(request) && request.state === 'queued' && deciders(board, sidebar, request.agent).includes(agentId))
    .map((request) => ({
      what: 'queued',
      sidebarId: sidebar.ref,
      agentId: request.agent,
      since: time(request.at),
      reason: `CRITICAL task ${sidebar.ref} waits for a seat of ${request.agent}`,
      canPause: pausable(board, request.agent),
    }));
};

const failed = (board: Board, sidebar: Sidebar, agentId: string): readonly ToDecide[] =>
  board.seatRuns.size() === 0
    ? []
    : sidebar.participants.flatMap((agent): readonly ToDecide[] => {
        const run = seatRunOf(board, agent, sidebar.id);
        const isDecider = agentId === OPERATOR.id || agentId === sidebar.coordinator;
        return run?.state !== 'failed' || !isDecider || equipmentOf(board, agent).runtime === null
          ? []
          : [{ what: 'failed', sidebarId: sidebar.ref, agentId: agent, since: time(run.at), reason: run.why ?? 'it keeps failing', canPause: [] }];
      });

/** LOAD-7 pauses only LOW and BACKGROUND sidebars; a person may pause any ACTIVE one that isn't CRITICAL. */
const pausable = (board: Board, agent: string): ToDecide['canPause'] =>
  seatsOfAgent(board, agent)
    .flatMap(({ sidebarId }) => board.sidebars.get(sidebarId) ?? [])
    .filter(({ status, priority }) => status === 'ACTIVE' && priority !== 'CRITICAL')
    .toSorted((a, b) => RANKS.indexOf(b.priority) - RANKS.indexOf(a.priority) || a.lastActivity - b.lastActivity)
    .map(({ ref, priority }) => ({ sidebarId: ref, priority }));

/** LOAD-8: an agent doesn't decide on its own capacity alone. */
const deciders = (board: Board, { coordinator }: Sidebar, agent: string): readonly string[] =>
  coordinator === agent ? [agent, OPERATOR.id] : [decider(board, coordinator)];

const decider = (board: Board, holder: string): string => (isSomebody(board, holder) ? holder : OPERATOR.id);

const time = (at: number): string => new Date(at).toISOString();
const RANKS: readonly Priority[] = PRIORITIES;
