import type { AgentId, SidebarId } from '../ids.ts';
import { OPERATOR } from '../actors.ts';
import type { Board } from '../board/state.ts';
import { PRIORITIES, type Status } from '../messages/values.ts';
import type { Sidebar } from '../sidebar/state.ts';
import { loadRow, NO_SEATS } from './loads.ts';
import { requeue } from './requests.ts';
import { limitsOf, type Agent, type Load, type Seat } from './state.ts';

export const seatsOfAgent = (board: Pick<Board, 'loads'>, agentId: AgentId): readonly Seat[] => board.loads.get(agentId)?.seats ?? NO_SEATS;

export const seatOf = (board: Pick<Board, 'loads'>, agentId: AgentId, sidebarId: SidebarId): Seat | null =>
  seatsOfAgent(board, agentId).find((seat) => seat.sidebarId === sidebarId) ?? null;

/** In the order in which they joined. */
export const seatsOfSidebar = (board: Pick<Board, 'loads' | 'sidebars'>, sidebarId: SidebarId): readonly Seat[] =>
  (board.sidebars.get(sidebarId)?.participants ?? []).flatMap((agent) => seatOf(board, agent, sidebarId) ?? []);

/** LOAD-2: seats of an agent; people have no limit, so all their participations count. */
export const loadOf = (board: Pick<Board, 'loads' | 'agents'>, agentId: AgentId): number =>
  countIn(loadRow(board, agentId), agentId, board.agents.get(agentId)?.kind);

export const countIn = ({ count, seats, work }: Load, agentId: AgentId, kind: Agent['kind'] | undefined): number =>
  agentId === OPERATOR.id ? count : kind === 'agent' ? seats.length : work.length;

/** Whether a sidebar with this status takes seats: PAUSED and WAITING free them. */
export const seatsCountIn = (status: Status): boolean => COUNTING[status];

/** Whether somebody takes seats at all: an agent that is present. An absent agent takes part without one. */
export const takesSeats = (agent: Agent | undefined): agent is Agent =>
  agent !== undefined && agent.kind === 'agent' && !agent.isRetired && agent.presence !== 'offline';

/**
 * LOAD-3: the instance for an agent's next seat: a new one if there is room, otherwise the one with the fewest seats, the lowest of these. Null if it
 * is full, or reports that it is busy.
 */
export const roomFor = (agent: Agent, seats: readonly Seat[]): string | null => {
  if (!takesSeats(agent) || agent.presence === 'busy') return null;
  const { maxConcurrentPerInstance, maxInstances } = limitsOf(agent);
  if (maxConcurrentPerInstance === 0) return null;
  const used = new Map<string, number>();
  for (const { instanceId } of seats) used.set(instanceId, (used.get(instanceId) ?? 0) + 1);
  if (used.size < maxInstances) {
    for (let ordinal = 1; ; ordinal += 1) if (!used.has(instanceOf(agent.id, ordinal))) return instanceOf(agent.id, ordinal);
  }
  const free = [...used].filter(([, count]) => count < maxConcurrentPerInstance);
  free.sort(([a, some], [b, more]) => some - more || ordinalOf(a) - ordinalOf(b));
  return free[0]?.[0] ?? null;
};

/** Whether there is an instance for the next seat. */
export const hasRoom = (agent: Agent, seats: readonly Seat[]): boolean => {
  const { maxConcurrentPerInstance: most, maxInstances } = limitsOf(agent);
  if (!takesSeats(agent) || agent.presence === 'busy' || most === 0) return false;
  if (seats.length === 0) return maxInstances > 0;
  // With fewer seats than one instance has, none of its instances is full.
  return seats.length < most || roomFor(agent, seats) !== null;
};

const instanceOf = (agentId: AgentId, ordinal: number): string => `${agentId}#${ordinal}`;

const ordinalOf = (instanceId: string): number => Number(instanceId.slice(instanceId.lastIndexOf('#') + 1));

/** Updates the index after an event in a sidebar. */
export const followSidebar = (board: Board, before: Sidebar | null, after: Sidebar | null, at: number): void => {
  if (after === null) return;
  followPause(board, before, after);
  if (before !== null && before.priority !== after.priority) requeue(board, after.id);
  if (before?.status === after.status && before.participants === after.participants) return;
  const was = new Set(before !== null && seatsCountIn(before.status) ? before.participants : []);
  const is = new Set(seatsCountIn(after.status) ? after.participants : []);
  for (const agent of was) if (!is.has(agent)) stopWork(board, agent, after.id);
  for (const agent of is) if (!was.has(agent)) beginWork(board, agent, after.id, at);
};

/** LOAD-7: remembers what was paused to make room, for as long as it is paused. */
const followPause = (board: Board, before: Sidebar | null, after: Sidebar): void => {
  const [was, is] = [before?.pause?.capacity?.agent, after.pause?.capacity?.agent];
  if (was === is) return;
  if (was !== undefined) {
    const load = loadRow(board, was);
    board.loads.set(was, { ...load, paused: load.paused.filter((id) => id !== after.id) });
  }
  if (is !== undefined) board.loads.set(is, { ...loadRow(board, is), paused: [...loadRow(board, is).paused, after.id] });
};

const stopWork = (board: Board, agentId: AgentId, sidebarId: SidebarId): void => {
  const load = loadRow(board, agentId);
  board.loads.set(
    agentId,
    agentId === OPERATOR.id
      ? { ...load, count: load.count - 1 }
      : {
          ...load,
          work: load.work.filter((id) => id !== sidebarId),
          seats: load.seats.filter((seat) => seat.sidebarId !== sidebarId),
        },
  );
};

const beginWork = (board: Board, agentId: AgentId, sidebarId: SidebarId, at: number): void => {
  const load = loadRow(board, agentId);
  if (agentId === OPERATOR.id) {
    board.loads.set(agentId, { ...load, count: load.count + 1 });
    return;
  }
  board.loads.set(agentId, { ...load, work: [...load.work, sidebarId] });
  takeSeat(board, agentId, sidebarId, at);
};

/** Gives the agent a seat in the sidebar if there is room; the decider checks whether anyone was there before. */
export const takeSeat = (board: Board, agentId: AgentId, sidebarId: SidebarId, at: number): void => {
  const agent = board.agents.get(agentId);
  const load = loadRow(board, agentId);
  const instanceId = agent === undefined ? null : roomFor(agent, load.seats);
  if (instanceId === null || load.seats.some((seat) => seat.sidebarId === sidebarId)) return;
  board.loads.set(agentId, { ...load, seats: [...load.seats, { agentId, instanceId, sidebarId, since: at }] });
};

/** Updates the index after an event about an agent: an absent or retired agent has no seat, and a returning one takes its seats again. */
export const followAgent = (board: Board, agentId: AgentId, at: number): void => {
  const load = board.loads.get(agentId);
  if (load === undefined || agentId === OPERATOR.id) return;
  if (!takesSeats(board.agents.get(agentId))) {
    if (load.seats.length > 0) board.loads.set(agentId, { ...load, seats: NO_SEATS });
    return;
  }
  // Most urgent first, then oldest: there may be less room than before.
  for (const id of load.work.toSorted((a, b) => byUrgency(board.sidebars.get(a), board.sidebars.get(b)))) takeSeat(board, agentId, id, at);
};

const byUrgency = (a: Sidebar | undefined, b: Sidebar | undefined): number =>
  a === undefined || b === undefined ? 0 : PRIORITIES.indexOf(a.priority) - PRIORITIES.indexOf(b.priority) || a.position - b.position;

const COUNTING = {
  ACTIVE: true,
  TESTING: true,
  REVIEWING: true,
  SPAWNING_CHILD: true,
  CONSOLIDATING: true,
  PAUSED: false,
  WAITING: false,
  MERGED: false,
  FAILED: false,
  ARCHIVED: false,
} as const satisfies Readonly<Record<Status, boolean>>;
