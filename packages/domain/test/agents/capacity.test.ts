import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  isEnded,
  isOpenRequest,
  limitsOf,
  OPERATOR,
  PRIORITIES,
  queueOf,
  rowsOf,
  seatsOfAgent,
  sidebarIdOfContext,
  type Board,
  type Command,
  type Recorded,
  type Seat,
  type Sidebar,
} from '../../src/index.ts';
import { actorOf, createWorld, dumpOf, refolded, type World } from '../board/world.ts';
import { randomFrom } from '../board/histories.ts';

const AGENTS = ['ada', 'ben', 'cyd'] as const;
const STEPS = 70;

type Look = (world: World, events: readonly Recorded[], before: Before) => void;
type Before = { readonly sidebars: ReadonlyMap<string, Sidebar>; readonly seats: ReadonlyMap<string, readonly Seat[]> };

/** Few seats and many who want them: three agents, mostly there, recruited, paused, resumed, retired, limited, at any priority. */
const crowd = (seed: number, look: Look): World => {
  const random = randomFrom(seed);
  const world = createWorld();
  const pick = <T>(from: readonly T[], otherwise: T): T => from[Math.floor(random() * from.length)] ?? otherwise;
  const register = (agent: string): Command => {
    const tokenHash = String(Math.floor(random() * 10)).repeat(64);
    return { type: 'agent.register', agent, kind: 'agent', specialties: ['databases'], preferredCollaborators: [], tokenHash };
  };
  for (const agent of AGENTS) {
    world.perform(register(agent), OPERATOR);
    world.perform({ type: 'agent.presence', agent, status: 'available' }, actorOf(agent));
    world.perform({ type: 'agent.limit', agent, maxConcurrentPerInstance: 2, maxInstances: 1 }, OPERATOR);
  }
  const wishes: readonly (() => readonly [Command, string])[] = [
    () => [
      {
        type: 'sidebar.spawn',
        origin: { kind: 'none' },
        task: 'look into it',
        priority: pick(PRIORITIES, 'NORMAL'),
        isTesting: random() < 0.1,
        participants: AGENTS.filter(() => random() < 0.4),
      },
      'operator',
    ],
    () => [{ type: 'agent.recruit', sidebar: sidebar(), agent: agent() }, 'operator'],
    () => [{ type: 'agent.recruit', sidebar: sidebar(), capability: 'databases' }, 'operator'],
    () => [{ type: 'sidebar.pause', sidebar: sidebar(), reason: 'later' }, 'operator'],
    () => [{ type: 'sidebar.resume', sidebar: sidebar() }, 'operator'],
    () => [{ type: 'sidebar.change', sidebar: sidebar(), priority: pick(PRIORITIES, 'NORMAL') }, 'operator'],
    () => [
      { type: 'sidebar.move', sidebar: sidebar(), to: pick(['FAILED', 'REVIEWING', 'ACTIVE'] as const, 'FAILED'), reason: 'it is time' },
      'operator',
    ],
    () => [{ type: 'sidebar.archive', sidebar: sidebar() }, 'operator'],
    () => [{ type: 'agent.leave', sidebar: sidebar(), agent: agent() }, 'operator'],
    () =>
      both(agent(), (one) => ({ type: 'agent.presence', agent: one, status: pick(['available', 'available', 'busy', 'offline'] as const, 'busy') })),
    () => [
      { type: 'agent.limit', agent: agent(), maxConcurrentPerInstance: Math.floor(random() * 4), maxInstances: Math.floor(random() * 3) },
      'operator',
    ],
    () => both(agent(), (one) => ({ type: 'agent.change', agent: one, accepts: random() < 0.3 ? 'ask' : 'auto' })),
    () => both(agent(), () => ({ type: 'recruitment.answer', request: request(), isAccepted: random() < 0.6, code: 'overloaded' })),
    () => [{ type: 'recruitment.withdraw', request: request() }, 'operator'],
    () => (random() < 0.3 ? [{ type: 'agent.retire', agent: agent() }, 'operator'] : [register(agent()), 'operator']),
    () => both(agent(), () => ({ type: 'chat.say', sidebar: sidebar(), content: 'on it' })),
  ];
  const both = (one: string, make: (one: string) => Command): readonly [Command, string] => [make(one), one];
  const agent = (): string => pick(AGENTS, 'ada');
  const sidebar = (): string => pick(rowsOf(world.board.sidebars).slice(-8), undefined)?.ref ?? 'SB-1';
  const request = (): string => pick(rowsOf(world.board.requests).filter(isOpenRequest), undefined)?.id ?? 'none';
  for (let step = 0; step < STEPS; step += 1) {
    const [command, by] = pick(wishes, wishes[0])?.() ?? [register('ada'), 'operator'];
    const from = world.log.length;
    const before = {
      sidebars: new Map(world.board.sidebars.entries()),
      seats: new Map(AGENTS.map((one) => [`AGENT-${one}`, seatsOfAgent(world.board, `AGENT-${one}`)])),
    };
    world.perform(command, actorOf(by));
    look(world, world.log.slice(from), before);
  }
  return world;
};

/** What must not be, as it is found after a step of a history; the name of the rule comes first. */
type Wrong = readonly [rule: string, what: unknown];

/** No instance takes a seat beyond its limit, and no agent an instance. */
const overLimits: Check = ({ board }, _, before) =>
  rowsOf(board.agents).flatMap((agent): readonly Wrong[] => {
    const { maxConcurrentPerInstance, maxInstances } = limitsOf(agent);
    const [now, then] = [countsOf(seatsOfAgent(board, agent.id)), countsOf(before.seats.get(agent.id) ?? [])];
    const isOver = [...now].some(([id, count]) => count > Math.max(maxConcurrentPerInstance, then.get(id) ?? 0));
    return isOver || now.size > Math.max(maxInstances, then.size) ? [['LOAD-3', agent.id]] : [];
  });

/** Only ACTIVE sidebars of LOW or BACKGROUND priority are paused for others, and no LOW while there is a BACKGROUND. */
const pausedWrongly: Check = ({ board }, events, { sidebars, seats }) =>
  autoPauses(events).flatMap(({ id, agent }): readonly Wrong[] => {
    const paused = board.sidebars.get(id);
    if (paused === undefined || (sidebars.get(id)?.status ?? 'ACTIVE') !== 'ACTIVE' || !/^(?:LOW|BACKGROUND)$/u.test(paused.priority))
      return [['LOAD-7', paused]];
    const spared = (seats.get(agent) ?? []).filter(({ sidebarId }) => {
      const [was, is] = [sidebars.get(sidebarId), board.sidebars.get(sidebarId)];
      return [was, is].every((one) => one?.status === 'ACTIVE' && one.priority === 'BACKGROUND');
    });
    return paused.priority === 'LOW' && spared.length > 0 ? [['LOAD-7', spared]] : [];
  });

/** What was paused for capacity goes on when its agent takes no seat any more. */
const leftPaused: Check = ({ board }, events) => {
  const justPaused = new Set(autoPauses(events).map(({ id }) => id));
  return rowsOf(board.sidebars).flatMap(({ id, status, pause }): readonly Wrong[] => {
    const agent = board.agents.get(pause?.capacity?.agent ?? '');
    const isStuck = status === 'PAUSED' && agent !== undefined && !justPaused.has(id) && (agent.isRetired || agent.presence === 'offline');
    return isStuck ? [['LOAD-7', id]] : [];
  });
};

/** A queue is in order of priority, then of position; and nobody waits for an agent that has room. */
const queuedWrongly: Check = ({ board }) =>
  rowsOf(board.agents).flatMap((agent): readonly Wrong[] => {
    const queue = queueOf(board, agent.id);
    const sorted = queue.toSorted((a, b) => rank(board, a.sidebarId) - rank(board, b.sidebarId) || a.position - b.position);
    const open = rowsOf(board.requests).filter((one) => one.agent === agent.id && one.state === 'queued');
    if (open.length !== queue.length || queue.some((one, at) => one !== sorted[at])) return [['LOAD-9', queue]];
    const { maxConcurrentPerInstance, maxInstances } = limitsOf(agent);
    const seats = seatsOfAgent(board, agent.id).length;
    const hasRoom = agent.presence === 'available' && !agent.isRetired && seats < maxConcurrentPerInstance * Math.min(1, maxInstances);
    return hasRoom && queue.length > 0 ? [['LOAD-9', { agent: agent.id, seats, queue }]] : [];
  });

/** No request is open for what has ended. */
const lostRequests: Check = ({ board }) =>
  rowsOf(board.requests).flatMap((one): readonly Wrong[] => {
    const { status = 'ARCHIVED' } = board.sidebars.get(one.sidebarId) ?? {};
    return isOpenRequest(one) && (isEnded(status) || board.agents.get(one.agent)?.isRetired === true) ? [['LOAD-10', one]] : [];
  });

/** Requests that were opened and did not end just once, or are not open. */
const endsOf = ({ log, board }: World): readonly Wrong[] => {
  const ends = new Map<string, number>();
  for (const event of log) {
    const isEnd =
      event.type === 'agent.joined' ||
      event.type === 'agent.seated' ||
      event.type === 'recruitment.declined' ||
      event.type === 'recruitment.withdrawn';
    const id = isEnd ? event.payload.request : undefined;
    // Who joined may still decline: that is told, and the request had ended before.
    const isLater = event.type === 'recruitment.declined' && board.requests.get(event.payload.request)?.state === 'joined';
    if (id !== undefined && !isLater) ends.set(id, (ends.get(id) ?? 0) + 1);
  }
  return log.flatMap(({ type, uuid }): readonly Wrong[] => {
    const request = type === 'recruitment.requested' ? board.requests.get(uuid) : undefined;
    return request === undefined || (ends.get(uuid) ?? 0) === (isOpenRequest(request) ? 0 : 1) ? [] : [['LOAD-10', request]];
  });
};

type Check = (...seen: Parameters<Look>) => readonly Wrong[];
const CHECKS: readonly Check[] = [overLimits, pausedWrongly, leftPaused, queuedWrongly, lostRequests];

const countsOf = (seats: readonly Seat[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const { instanceId } of seats) counts.set(instanceId, (counts.get(instanceId) ?? 0) + 1);
  return counts;
};

const autoPauses = (events: readonly Recorded[]): readonly { readonly id: string; readonly agent: string }[] =>
  events.flatMap((event) =>
    event.type === 'sidebar.paused' && event.payload.capacity !== undefined
      ? [{ id: sidebarIdOfContext(event.contextId) ?? '', agent: event.payload.capacity.agent }]
      : [],
  );

const rank = (board: Board, sidebarId: string): number => PRIORITIES.indexOf(board.sidebars.get(sidebarId)?.priority ?? 'NORMAL');

// One history for all of it: the crowds are what takes the time.
test('[LOAD-3] [LOAD-4] [LOAD-7] [LOAD-9] [LOAD-10] whatever a crowd does, limits, pauses, queues and requests are as they should be, now and folded again', () => {
  const seen = { pauses: 0, waiting: 0 };
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 31 }), (seed) => {
      const wrong: Wrong[] = [];
      const world = crowd(seed, (...step) => {
        wrong.push(...CHECKS.flatMap((check) => check(...step)));
        seen.pauses += autoPauses(step[1]).length;
        seen.waiting += queueOf(step[0].board, 'AGENT-ada').length;
      });
      expect({ seed, wrong: [...wrong, ...endsOf(world)] }).toEqual({ seed, wrong: [] });
      expect(dumpOf(refolded(world.log))).toBe(dumpOf(world.board));
    }),
    // Something is paused in one of forty: these are among them.
    { examples: [[67], [320], [736], [841], [988]] },
  );
  // Otherwise it would have shown nothing.
  expect(Math.min(seen.pauses, seen.waiting)).toBeGreaterThan(0);
});
