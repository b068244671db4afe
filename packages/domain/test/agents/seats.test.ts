import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  limitsOf,
  loadOf,
  OPERATOR,
  placeOf,
  queueOf,
  readRoster,
  rosterOf,
  rowsOf,
  seatOf,
  seatRunOf,
  seatsCountIn,
  seatsOfAgent,
  seatsOfSidebar,
  takesSeats,
  type Agent,
  type AgentId,
  type Board,
  type Presence,
  type Roster,
  type Seat,
  type SidebarId,
} from '../../src/index.ts';
import { given, type Stage } from '../board/given.ts';
import { live } from '../board/living.ts';

const appears = (stage: Stage, agent: string, status: Presence = 'available'): void =>
  void stage.does({ type: 'agent.presence', agent, status }, { by: agent });

const idsOf = (seats: readonly Seat[]): readonly string[] => seats.map(({ sidebarId }) => sidebarId);

describe('seats', () => {
  test('[ARCH-14] are not asked for with the ids the wrong way round: that does not compile', () => {
    const stage = given();
    const { board } = stage.world;
    const [agent, sidebar]: readonly [AgentId, SidebarId] = ['AGENT-ada', 'a-sidebar'];
    // @ts-expect-error a sidebar in the place of an agent
    expect(seatOf(board, sidebar, 'SB-1')).toBeNull();
    // @ts-expect-error an agent in the place of a sidebar
    expect(seatRunOf(board, 'AGENT-ada', agent)).toBeNull();
    expect(seatOf(board, agent, sidebar)).toBeNull();
  });

  test('[LOAD-1] whoever is there has one in every sidebar at work, and whoever is away takes part without', () => {
    const stage = given();
    const { board } = stage.world;
    const first = stage.sidebar(stage.spawns()).id;
    expect(seatOf(board, 'AGENT-ada', first)).toBeNull();
    appears(stage, 'ada');
    expect(seatOf(board, 'AGENT-ada', first)).toEqual({
      agentId: 'AGENT-ada',
      instanceId: 'AGENT-ada#1',
      sidebarId: first,
      since: stage.world.now(),
    });
    const second = stage.sidebar(stage.spawns({ participants: ['ada', 'ben'] })).id;
    expect(idsOf(seatsOfAgent(board, 'AGENT-ada'))).toEqual([first, second]);
    appears(stage, 'ben');
    expect(seatsOfSidebar(board, second).map(({ agentId }) => agentId)).toEqual(['AGENT-ada', 'AGENT-ben']);
    appears(stage, 'ada', 'offline');
    expect([seatsOfAgent(board, 'AGENT-ada'), stage.sidebar('SB-1').participants]).toEqual([[], [OPERATOR.id, 'AGENT-ada']]);
  });

  test('[LOAD-1] pausing, waiting, ending, leaving and retiring free it', () => {
    const stage = given();
    const { board } = stage.world;
    appears(stage, 'ada');
    const [paused = '', waiting = '', failed = '', left = '', kept = ''] = Array.from({ length: 5 }, () => stage.spawns());
    expect(loadOf(board, 'AGENT-ada')).toBe(5);
    stage.does({ type: 'sidebar.pause', sidebar: paused, reason: 'later' });
    stage.does({ type: 'sidebar.wait', sidebar: waiting, waitingFor: 'an answer' });
    stage.does({ type: 'sidebar.move', sidebar: failed, to: 'FAILED', reason: 'no way' });
    stage.does({ type: 'agent.leave', sidebar: left, agent: 'ada' }, { by: 'ada' });
    expect(idsOf(seatsOfAgent(board, 'AGENT-ada'))).toEqual([stage.sidebar(kept).id]);
    stage.does({ type: 'sidebar.resume', sidebar: paused });
    expect(loadOf(board, 'AGENT-ada')).toBe(2);
    stage.does({ type: 'agent.retire', agent: 'ada' });
    expect(loadOf(board, 'AGENT-ada')).toBe(0);
  });

  test('[LOAD-2] people have no limit: all of their work is counted', () => {
    const stage = given();
    for (let count = 0; count < 7; count += 1) stage.spawns();
    stage.does({ type: 'sidebar.pause', sidebar: 'SB-1', reason: 'later' });
    expect([loadOf(stage.world.board, OPERATOR.id), seatsOfAgent(stage.world.board, OPERATOR.id)]).toEqual([6, []]);
  });
});

/** Everything that would take a seat of an agent, found by walking over the whole board. */
const workOf = (board: Board, agent: string): readonly string[] =>
  rowsOf(board.sidebars)
    .filter(({ status, participants }) => seatsCountIn(status) && participants.includes(agent))
    .map(({ id }) => id);

const wrongIn = (board: Board, agent: Agent): object | null => {
  const work = workOf(board, agent.id);
  const seats = seatsOfAgent(board, agent.id);
  const { maxConcurrentPerInstance, maxInstances } = limitsOf(agent);
  const counted = rowsOf(board.sidebars).flatMap(({ id }) => seatsOfSidebar(board, id).filter(({ agentId }) => agentId === agent.id)).length;
  const isExact =
    loadOf(board, agent.id) === (agent.kind === 'human' ? work.length : counted) &&
    seats.length === counted &&
    seats.every(({ sidebarId }) => work.includes(sidebarId)) &&
    new Set(idsOf(seats)).size === seats.length &&
    (takesSeats(agent) || seats.length === 0) &&
    (agent.presence !== 'available' || agent.kind === 'human' || seats.length >= Math.min(work.length, maxConcurrentPerInstance * maxInstances));
  return isExact ? null : { agent: agent.id, work, seats, counted };
};

test('[RT-66] of servers that want the same seat the first has it; it is taken over from whoever has it, and given back', () => {
  const stage = given();
  const sidebar = stage.spawns({ participants: ['ada'] });
  const { id } = stage.sidebar(sidebar);
  const hold = (server: string | null, from: string | null) =>
    ({ type: 'seat.hold', sidebar, agent: 'AGENT-ada', server, host: server === null ? null : `host of ${server}`, from }) as const;
  const holder = (): string | null => seatRunOf(stage.world.board, 'AGENT-ada', id)?.heldBy?.server ?? null;
  expect(stage.code(hold('one', null), { by: 'ada' })).toBe('operator-only');
  stage.does(hold('one', null), { by: 'system' });
  expect(stage.refuses(hold('two', null), { by: 'system' })).toMatchObject({ reason: 'seat-held', facts: { server: 'host of one' } });
  expect(stage.code(hold('one', 'one'), { by: 'system' })).toBe('already-there');
  expect(holder()).toBe('one');
  stage.does(hold('two', 'one'), { by: 'system' });
  expect(stage.code(hold('three', 'one'), { by: 'system' })).toBe('already-there');
  stage.does(hold(null, 'two'), { by: 'system' });
  expect(holder()).toBeNull();
});

const listedIn = ({ agents, specialties }: Roster): readonly (readonly [string, readonly string[] | undefined])[] =>
  agents.map((agent, at) => [agent, specialties[at]] as const).toSorted(([a], [b]) => (a < b ? -1 : 1));

test('[LOAD-5] the index of seats is what a walk over the whole board finds', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 31 }), (seed) => {
      live(seed, ({ board }) => {
        const wrong = rowsOf(board.agents).flatMap((agent) => wrongIn(board, agent) ?? []);
        expect({ seed, wrong, operator: loadOf(board, OPERATOR.id) }).toEqual({ seed, wrong: [], operator: workOf(board, OPERATOR.id).length });
        expect({ seed, roster: listedIn(rosterOf(board)) }).toEqual({ seed, roster: listedIn(readRoster(board)) });
        const places = rowsOf(board.agents).flatMap(({ id }) => queueOf(board, id).map((request, at) => [placeOf(board, request), at + 1] as const));
        expect({ seed, misplaced: places.filter(([place, at]) => place !== at) }).toEqual({ seed, misplaced: [] });
      });
    }),
  );
});
