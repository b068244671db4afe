import { SYSTEM } from '../actors.ts';
import { happenIn, type Facts } from '../board/deciding.ts';
import { evolve } from '../board/evolve.ts';
import { homeOf } from '../board/notices.ts';
import { tryOn, type Board } from '../board/state.ts';
import { definitionOf, type EventType, type Happening, type Recorded } from '../messages/catalogue.ts';
import type { Priority } from '../messages/values.ts';
import { isEnded } from '../sidebar/lifecycle.ts';
import { resumed } from '../sidebar/moves.ts';
import type { Sidebar } from '../sidebar/state.ts';
import { alternativesTo } from './matching.ts';
import { placeOf, rankOf, requestsOfSidebar } from './requests.ts';
import { loadRow } from './loads.ts';
import { hasRoom, roomFor, seatOf, seatsCountIn, seatsOfAgent, takesSeats } from './seats.ts';
import { limitsOf } from './state.ts';

/**
 * LOAD-6: the consequences of a decision for everyone who wants seats: who waits, who is served, what is paused for a CRITICAL task and resumed
 * again. They are decided together with it, on the board as it will be, so that no seat is given away twice.
 */
export const settleSeats = (board: Board, facts: Facts, events: readonly Happening[]): readonly Happening[] => {
  if (facts.areSeatsUnknown === true || !events.some(({ type }) => definitionOf<EventType>(type).stirs)) return [];
  const involved = involvedIn(board, events);
  if (involved.size === 0) return [];
  const desk = openDesk(board, facts);
  for (const event of events) fold(desk, event);
  for (const agent of involved) desk.agents.add(agent);
  // Serving one agent may affect others, who are processed in turn. Each turn ends a request, or moves a sidebar that it won't move again.
  const done = new Set<string>();
  for (let [agent] = desk.agents; agent !== undefined; [agent] = desk.agents) {
    desk.agents.delete(agent);
    done.add(agent);
    serveAll(desk, agent);
  }
  for (const agent of done) announce(board, desk, agent);
  return desk.made;
};

/** A layer over the board to try the decision out, and the additional events decided there. */
type Desk = {
  readonly layer: Board;
  readonly facts: Facts;
  readonly made: Happening[];
  /** Agents whose seats or requests may have changed. */
  readonly agents: Set<string>;
  /** Requests that are new in this decision. */
  readonly fresh: Set<string>;
  /** Those of them for which room was looked for. */
  readonly told: Set<string>;
  readonly sidebars: Set<string>;
  /** Sidebars paused here: resuming them at once would free nothing. */
  readonly paused: Set<string>;
  guess: number;
};

const openDesk = (board: Board, facts: Facts): Desk => ({
  layer: tryOn(board),
  facts: { ...facts, actor: SYSTEM },
  made: [],
  agents: new Set(),
  fresh: new Set(),
  told: new Set(),
  sidebars: new Set(),
  paused: new Set(),
  guess: FIRST_GUESS,
});

const fold = (desk: Desk, happening: Happening): void => {
  const { layer, facts } = desk;
  const event = { ...happening, position: (desk.guess += 1), at: facts.now, refs: [] } as Recorded; // type and payload stay together
  const before = homeOf(layer, event);
  evolve(layer, event);
  const after = homeOf(layer, event);
  for (const agent of agentsAround(layer, event, before, after)) desk.agents.add(agent);
  if (after !== null) desk.sidebars.add(after.id);
  const asked = layer.requests.get(requestIn(event));
  if (asked?.state === 'queued' && !desk.told.has(asked.id)) desk.fresh.add(asked.id);
};

const put = (desk: Desk, happening: Happening): void => {
  desk.made.push(happening);
  // The others only tell what was done: nobody's seat depends on them.
  if (definitionOf<EventType>(happening.type).stirs) fold(desk, happening);
};

const requestIn = ({ uuid, payload }: Pick<Recorded, 'uuid' | 'payload'>): string => ('request' in payload ? (payload.request ?? uuid) : uuid);

/** Everyone whose seats may be affected: most decisions affect none, and then cost nothing. */
const involvedIn = (board: Board, events: readonly Happening[]): ReadonlySet<string> => {
  const found = new Set<string>();
  for (const event of events) {
    if (!definitionOf<EventType>(event.type).stirs || fillsFreeSeat(board, event)) continue;
    const home = homeOf(board, event);
    for (const agent of agentsAround(board, event, home, home)) found.add(agent);
  }
  return found;
};

/** An agent nobody waits for takes a free seat: this changes nothing for anyone, and there is no new instance to announce. */
const fillsFreeSeat = (board: Board, event: Happening): boolean => {
  if (event.type !== 'agent.joined') return false;
  const agent = board.agents.get(event.payload.agent);
  const { queue, asked, paused, seats } = loadRow(board, event.payload.agent);
  return (
    agent !== undefined &&
    limitsOf(agent).maxInstances === 1 &&
    queue.length + asked.length + paused.length === 0 &&
    (seatsCountIn(homeOf(board, event)?.status ?? 'ACTIVE') ? hasRoom(agent, seats) : takesSeats(agent))
  );
};

const agentsAround = (board: Board, { payload }: Pick<Happening, 'payload'>, before: Sidebar | null, after: Sidebar | null): readonly string[] => {
  const taking = [...(before?.participants ?? []), ...(after?.participants ?? []), ...('participants' in payload ? payload.participants : [])];
  const waiting = after === null ? [] : requestsOfSidebar(board, after.id).map(({ agent }) => agent);
  const named = 'agent' in payload && payload.agent !== null ? [payload.agent] : [];
  return [...new Set([...taking.filter((id) => takesSeats(board.agents.get(id))), ...waiting, ...named])];
};

const serveAll = (desk: Desk, agentId: string): void => {
  dropDead(desk, agentId);
  askForSeats(desk, agentId);
  serve(desk, agentId);
  for (const id of freshOf(desk, agentId)) if (desk.fresh.delete(id)) makeRoom(desk, id);
};

/** The new requests that wait for this agent, in order. */
const freshOf = ({ layer, fresh }: Desk, agentId: string): readonly string[] =>
  [...fresh]
    .flatMap((id) => {
      const request = layer.requests.get(id);
      const place = request?.agent === agentId ? placeOf(layer, request) : null;
      return place === null ? [] : [{ id, place }];
    })
    .toSorted((a, b) => a.place - b.place)
    .map(({ id }) => id);

/** LOAD-10: a request ends when its sidebar ends or its agent is retired. */
const dropDead = (desk: Desk, agentId: string): void => {
  const { layer } = desk;
  const agent = layer.agents.get(agentId);
  const { queue, asked } = loadRow(layer, agentId);
  const isGone = agent?.isRetired === true;
  const suspects = isGone ? [...queue, ...asked] : [...desk.sidebars].flatMap((id) => requestsOfSidebar(layer, id).map((one) => one.id));
  for (const id of suspects) {
    const request = layer.requests.get(id);
    const sidebar = layer.sidebars.get(request?.sidebarId ?? '');
    if (request?.agent !== agentId || sidebar === undefined) continue;
    const isUnwanted = request.kind === 'return' && !loadRow(layer, agentId).work.includes(sidebar.id);
    const reason = isGone
      ? `${agentId} was retired`
      : isEnded(sidebar.status)
        ? 'the sidebar has ended'
        : isUnwanted
          ? 'a seat is no longer needed'
          : null;
    if (reason !== null)
      put(desk, happenIn(desk.facts, sidebar, 'recruitment.withdrawn', { agent: agentId, request: id, by: request.by, how: 'dropped', reason }));
  }
};

/** LOAD-6: an active participant without a seat requests one. */
const askForSeats = (desk: Desk, agentId: string): void => {
  const { layer, facts } = desk;
  const { work, seats } = loadRow(layer, agentId);
  if (work.length === seats.length || !takesSeats(layer.agents.get(agentId))) return;
  for (const id of work) {
    if (seatOf(layer, agentId, id) !== null || requestsOfSidebar(layer, id).some(({ agent }) => agent === agentId)) continue;
    const wish = { agent: agentId, by: agentId, note: null, capability: null, wants: 'seat', kind: 'return' } as const;
    put(desk, happenIn(facts, { id }, 'recruitment.requested', wish));
  }
};

/**
 * LOAD-7, LOAD-9: as long as there is a seat, sidebars paused for lack of one resume first, before newcomers that are no more urgent; then whoever is
 * first in the queue.
 */
const serve = (desk: Desk, agentId: string): void => {
  const { layer, facts } = desk;
  for (;;) {
    const agent = layer.agents.get(agentId);
    // An agent that no longer takes seats needs none of the freed ones.
    if (takesSeats(agent) && roomFor(agent, seatsOfAgent(layer, agentId)) === null) return;
    const first = takesSeats(agent) ? layer.requests.get(loadRow(layer, agentId).queue[0] ?? '') : undefined;
    const wanted = first === undefined ? undefined : layer.sidebars.get(first.sidebarId);
    const paused = pausedFor(desk, agentId);
    if (paused !== null && (wanted === undefined || rankOf(paused.priority) <= rankOf(wanted.priority))) {
      put(desk, resumed(layer, facts, paused, 'there is capacity again'));
    } else if (first === undefined || wanted === undefined) return;
    else if (first.kind === 'return') put(desk, happenIn(facts, wanted, 'agent.seated', { agent: agentId, request: first.id }));
    else put(desk, happenIn(facts, wanted, 'agent.joined', { agent: agentId, recruitedBy: first.by, request: first.id }));
  }
};

/** The most urgent of the sidebars paused for this agent, and among those the earliest. */
const pausedFor = (desk: Desk, agentId: string): Sidebar | null =>
  loadRow(desk.layer, agentId)
    .paused.flatMap((id) => (desk.paused.has(id) ? [] : (desk.layer.sidebars.get(id) ?? [])))
    .filter(({ status }) => status === 'PAUSED')
    .toSorted((a, b) => rankOf(a.priority) - rankOf(b.priority) || (a.pause?.position ?? 0) - (b.pause?.position ?? 0))[0] ?? null;

/** LOAD-6: the seed's table for newcomers when all seats are taken. */
const makeRoom = (desk: Desk, id: string): void => {
  const { layer, facts } = desk;
  const request = layer.requests.get(id);
  const sidebar = layer.sidebars.get(request?.sidebarId ?? '');
  if (request === undefined || sidebar === undefined) return;
  const { agent } = request;
  desk.told.add(id);
  put(desk, happenIn(facts, sidebar, 'capacity.noticed', { agent, request: id, what: 'full', paused: null }));
  const least = sidebar.priority === 'CRITICAL' && layer.agents.get(agent)?.presence === 'available' ? pausable(layer, agent) : null;
  if (least !== null) {
    const { id: victim, status: from } = least;
    desk.paused.add(victim);
    put(desk, happenIn(facts, least, 'sidebar.paused', { from, reason: PAUSED_BECAUSE, resumeCondition: null, capacity: { agent, request: id } }));
    put(desk, happenIn(facts, sidebar, 'capacity.noticed', { agent, request: id, what: 'paused', paused: victim }));
    serve(desk, agent);
  }
  const place = placeOf(layer, request);
  if (place === null) return;
  put(
    desk,
    happenIn(facts, sidebar, 'recruitment.queued', {
      agent,
      request: id,
      by: request.by,
      place,
      urgency: URGENCY[sidebar.priority],
      alternatives: alternativesTo(layer, facts.language, sidebar, request),
      why: sidebar.priority === 'CRITICAL' ? whyNotPaused(layer, agent) : null,
    }),
  );
};

/** LOAD-7: only ACTIVE sidebars of LOW or BACKGROUND priority are paused: BACKGROUND first, then the longest inactive, then the youngest. */
const pausable = (board: Board, agentId: string): Sidebar | null =>
  seatsOfAgent(board, agentId)
    .flatMap(({ sidebarId }) => board.sidebars.get(sidebarId) ?? [])
    .filter(({ status, priority }) => status === 'ACTIVE' && (priority === 'LOW' || priority === 'BACKGROUND'))
    .toSorted((a, b) => rankOf(b.priority) - rankOf(a.priority) || a.lastActivity - b.lastActivity || b.position - a.position)[0] ?? null;

/** Why nothing could be paused. */
const whyNotPaused = (board: Board, agentId: string): string => {
  if (board.agents.get(agentId)?.presence === 'busy') return `${agentId} says that it is busy`;
  const there = seatsOfAgent(board, agentId).flatMap(({ sidebarId }) => board.sidebars.get(sidebarId) ?? []);
  const counts = new Map<string, number>();
  for (const { priority, status } of there) {
    const what = status === 'ACTIVE' ? priority : `${priority} and ${status}`;
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  return `nothing could be paused, all current work is ${[...counts].map(([what, count]) => `${what} (${count})`).join(', ') || 'elsewhere'}`;
};

/** LOAD-3, LOAD-9: newly started instances, and changed places in the queue. */
const announce = (board: Board, desk: Desk, agentId: string): void => {
  const { layer, facts } = desk;
  const before = new Set(seatsOfAgent(board, agentId).map(({ instanceId }) => instanceId));
  for (const { instanceId, sidebarId } of seatsOfAgent(layer, agentId)) {
    if (before.size === 0) before.add(instanceId);
    if (before.has(instanceId)) continue;
    before.add(instanceId);
    put(desk, happenIn(facts, { id: sidebarId }, 'agent.instance', { agent: agentId, instance: instanceId, state: 'spawned' }));
  }
  const places = movesIn(layer, loadRow(board, agentId).queue, loadRow(layer, agentId).queue);
  const [first] = places;
  if (first !== undefined) put(desk, happenIn(facts, { id: first.sidebar }, 'queue.moved', { agent: agentId, places: places.slice(0, MOST_TOLD) }));
};

const movesIn = (board: Board, before: readonly string[], after: readonly string[]): readonly Place[] => {
  if (before === after || before.every((id, at) => after[at] === id)) return [];
  const places = new Map(before.map((id, at) => [id, at]));
  return after.flatMap((id, at) => {
    const request = board.requests.get(id);
    const was = places.get(id);
    return request === undefined || was === undefined || was === at
      ? []
      : [{ request: id, by: request.by, sidebar: request.sidebarId, place: at + 1 }];
  });
};

type Place = { readonly request: string; readonly by: string; readonly sidebar: string; readonly place: number };

const URGENCY = { CRITICAL: 'high', HIGH: 'normal', NORMAL: 'normal', LOW: 'low', BACKGROUND: 'low' } as const satisfies Readonly<
  Record<Priority, 'high' | 'normal' | 'low'>
>;
const PAUSED_BECAUSE = 'CRITICAL task needed capacity';
const MOST_TOLD = 20;
// After all existing positions, and after other guesses.
const FIRST_GUESS = 9_000_000_000_000_000;
