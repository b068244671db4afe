import {
  agentIdOf,
  equipmentOf,
  isResting,
  rowsOf,
  seatOf,
  seatRunOf,
  turnsInARow,
  todayOf,
  type Board,
  type Payloads,
  type SeatRun,
} from '@yarnboard/domain';
import { SEAT_LIMITS, type InputOf } from '@yarnboard/protocol';
import type { LogPort } from '@yarnboard/store';
import type { Engine } from '../engine/engine.ts';
import { heldIn } from '../engine/stored-events.ts';
import { briefSeat } from '../runtimes/briefing.ts';
import { limitsOf } from '../runtimes/seat-limits.ts';
import type { RuntimesView } from '../runtimes/runtimes-view.ts';
import type { TriedCheck } from '../runtimes/try-runtime.ts';
import { timeOf } from '../sessions/session-view.ts';
import { pageOf, readCursor, writeCursor } from './request/cursor.ts';
import { refusedFor } from './request/refusal.ts';
import type { Asking } from './request/asker.ts';
import { foundSidebar } from './request/find-sidebar.ts';

export type SeatsNeeds = {
  readonly now: () => number;
  readonly store: { readonly log: Pick<LogPort, 'entriesOf' | 'payloadsOf'> };
  readonly engine: Pick<Engine, 'board' | 'memory' | 'position'>;
  readonly runtimes: RuntimesView;
};

export const listRuntimes = ({ engine, runtimes }: SeatsNeeds, { asker }: Asking): object => ({
  items: runtimes.settings.map((settings) => ({
    name: settings.name,
    kind: settings.kind,
    model: settings.model,
    // RT-7: only the operator sees what runs on this machine.
    url: asker.isOperator ? settings.url : null,
    command: asker.isOperator && settings.command.length > 0 ? settings.command : null,
    permissionMode: settings.permissionMode,
    agents: rowsOf(engine.board().equipment)
      .filter(({ runtime }) => runtime === settings.name)
      .map(({ agent }) => agent),
    seats: runtimes.count(settings.name),
    restingUntil: timeOf(runtimes.restingUntil(settings.name)),
    program: runtimes.programOf(settings.name),
    problem: runtimes.problemOf(settings),
  })),
});

/** RT-57: runs one tiny turn, outside any sidebar. */
export const tryAgent = async ({ engine, runtimes }: SeatsNeeds, { agent_id: name }: InputOf<'agent_try'>): Promise<object> => {
  const agent = agentIdOf(name);
  const equipment = equipmentOf(engine.board(), agent);
  const settings = runtimes.settings.find((one) => one.name === equipment.runtime);
  if (settings === undefined) throw refusedFor('no-runtime', { agent });
  const problem = runtimes.problemOf(settings);
  const checks: readonly TriedCheck[] = [
    { name: 'settings', works: problem === null, text: problem ?? `${settings.name} (${settings.kind}) can run` },
    ...(problem === null ? await runtimes.attempt(settings, agent, equipment.model ?? settings.model) : []),
  ];
  return { agentId: agent, runtime: settings.name, works: checks.every(({ works }) => works !== false), checks };
};

export const listSeats = (needs: SeatsNeeds, input: InputOf<'seats'>): object => {
  const board = needs.engine.board();
  const agent = input.agent_id === undefined ? null : agentIdOf(input.agent_id);
  const sidebar = input.sidebar_id === undefined ? null : foundSidebar(board, input.sidebar_id).id;
  const all = placesIn(board).filter((place) => (agent === null || place.agent === agent) && (sidebar === null || place.sidebarId === sidebar));
  const { items, nextCursor } = pageOf(all, input.limit, input.cursor);
  return { items: items.map((place) => seatView(needs, place)), nextCursor };
};

export const showSeat = (needs: SeatsNeeds, input: InputOf<'seat'>): object => seatView(needs, foundSeat(needs.engine.board(), input));

/** RT-20: what a seat was given to read, latest turn first, and what it would get now. */
export const listBriefings = async (needs: SeatsNeeds, input: InputOf<'briefing'>): Promise<object> => {
  const board = needs.engine.board();
  const { agent, sidebarId } = foundSeat(board, input);
  const sidebar = foundSidebar(board, sidebarId);
  const after = readCursor<{ readonly position: number }>(input.cursor, ({ position }) => Number.isSafeInteger(position))?.position ?? 0;
  const items: object[] = [];
  let next: number | null = null;
  for (let from = after; next === null;) {
    const entries = await needs.store.log.entriesOf(sidebar.contextId, from, STEP);
    const turns = entries.filter(({ type }) => type === 'turn.told');
    const payloads = await needs.store.log.payloadsOf(turns.map(({ position }) => position));
    for (const { position, timestamp } of turns) {
      const told = heldIn(payloads.get(position) ?? new Uint8Array()) as Payloads['turn.told'] | null; // our own event
      if (told === null || told.agent !== agent || told.briefing === null || told.briefing === undefined) continue;
      const { refs, upTo, size, hash } = told.briefing;
      items.push({ turnId: told.turn, seq: position, at: timeOf(timestamp), status: told.status, refs, upTo, size, hash });
      if (items.length === input.limit) next = position;
    }
    const last = entries.at(-1);
    if (last === undefined || entries.length < STEP) break;
    from = last.position;
  }
  const { text } = await briefSeat({ memory: needs.engine.memory, board, sidebar, agent, upTo: needs.engine.position(), now: needs.now() });
  return { items, nextCursor: next === null ? null : writeCursor({ position: next }), text };
};

type Place = { readonly agent: string; readonly sidebarId: string };

/** Seats of agents that have, or had, a runtime. */
const placesIn = (board: Board): readonly Place[] => {
  const places = new Map<string, Place>();
  for (const { agent, sidebarId } of rowsOf(board.seatRuns)) places.set(`${agent}@${sidebarId}`, { agent, sidebarId });
  for (const { agent, runtime } of rowsOf(board.equipment)) {
    if (runtime === null) continue;
    for (const sidebarId of board.loads.get(agent)?.work ?? []) places.set(`${agent}@${sidebarId}`, { agent, sidebarId });
  }
  return [...places.values()];
};

const foundSeat = (board: Board, input: { readonly agent_id: string; readonly sidebar_id: string }): Place => {
  const sidebar = foundSidebar(board, input.sidebar_id);
  const agent = agentIdOf(input.agent_id);
  const isThere =
    seatRunOf(board, agent, sidebar.id) !== null || (equipmentOf(board, agent).runtime !== null && sidebar.participants.includes(agent));
  if (!isThere) throw refusedFor('unknown-seat', { agent, sidebar: sidebar.ref });
  return { agent, sidebarId: sidebar.id };
};

const seatView = ({ engine, runtimes, now }: SeatsNeeds, { agent, sidebarId }: Place): object => {
  const board = engine.board();
  const run = seatRunOf(board, agent, sidebarId);
  const equipment = equipmentOf(board, agent);
  const settings = runtimes.settings.find(({ name }) => name === equipment.runtime);
  const limits = limitsOf(run, settings?.limits ?? SEAT_LIMITS);
  return {
    agentId: agent,
    sidebarId: board.sidebars.get(sidebarId)?.ref ?? sidebarId,
    instanceId: seatOf(board, agent, sidebarId)?.instanceId ?? null,
    runtime: equipment.runtime,
    model: run?.model ?? equipment.model ?? settings?.model ?? null,
    state: stateOf(run),
    reason: runtimes.isHungry(agent, sidebarId) ? 'waiting for a process: all are in use' : (run?.why ?? null),
    since: timeOf(run?.at ?? null),
    sessionId: run === null || run.sessionId === '' ? null : run.sessionId,
    contextKind: run?.contextKind ?? null,
    serverId: run?.heldBy?.server ?? null,
    turnId: run?.turn?.id ?? null,
    resting: isResting(board, agent),
    respondsTo: equipment.respondsTo,
    reach: equipment.reach,
    turns: { used: (run?.turns ?? 0) - (run?.unanswered ?? 0), limit: limits.turns },
    tokens: { used: run?.tokens ?? 0, limit: limits.tokens },
    usd: { used: run?.usd ?? 0, limit: limits.usd },
    usdToday: { used: todayOf(board, agent, now()).usd, limit: limits.usdPerDay + todayOf(board, agent, now()).granted },
    turnsInARow: { used: turnsInARow(board, sidebarId), limit: limits.turnsInARow },
    faults: runtimes.live(agent, sidebarId)?.faults() ?? {},
  };
};

const stateOf = (run: SeatRun | null): SeatRun['state'] | 'working' | 'waiting' => {
  if (run === null || run.sessionId === '') return 'waiting';
  return run.turn === null ? run.state : 'working';
};

const STEP = 500;
