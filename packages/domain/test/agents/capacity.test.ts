import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
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

const forAnyCrowd = (check: (seed: number) => void): void => fc.assert(fc.property(fc.integer({ min: 0, max: 2 ** 31 }), check));

const countsOf = (seats: readonly Seat[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const { instanceId } of seats) counts.set(instanceId, (counts.get(instanceId) ?? 0) + 1);
  return counts;
};

test('[LOAD-3] [LOAD-4] no instance takes a seat beyond its limit, and no agent an instance', () => {
  forAnyCrowd((seed) => {
    crowd(seed, ({ board }, _, before) => {
      const wrong = rowsOf(board.agents).filter((agent) => {
        const { maxConcurrentPerInstance, maxInstances } = limitsOf(agent);
        const [now, then] = [countsOf(seatsOfAgent(board, agent.id)), countsOf(before.seats.get(agent.id) ?? [])];
        const isOver = [...now].some(([id, count]) => count > Math.max(maxConcurrentPerInstance, then.get(id) ?? 0));
        return isOver || now.size > Math.max(maxInstances, then.size);
      });
      expect({ seed, wrong }).toEqual({ seed, wrong: [] });
    });
  });
});

const autoPauses = (events: readonly Recorded[]) =>
  events.flatMap((event) =>
    event.type === 'sidebar.paused' && event.payload.capacity !== undefined
      ? [{ id: sidebarIdOfContext(event.contextId) ?? '', agent: event.payload.capacity.agent, reason: event.payload.reason }]
      : [],
  );

test('[LOAD-7] only ACTIVE sidebars of LOW or BACKGROUND priority are paused for others, no LOW while there is a BACKGROUND', () => {
  let seen = 0;
  forAnyCrowd((seed) => {
    crowd(seed, ({ board }, events, { sidebars, seats }) => {
      const paused = autoPauses(events);
      for (const { id, agent } of paused) {
        seen += 1;
        const now = board.sidebars.get(id);
        expect({ seed, from: sidebars.get(id)?.status ?? 'ACTIVE', priority: now?.priority }).toEqual({
          seed,
          from: 'ACTIVE',
          priority: expect.stringMatching(/^(?:LOW|BACKGROUND)$/u) as string,
        });
        const spared = (seats.get(agent) ?? []).filter(({ sidebarId }) => {
          const other = board.sidebars.get(sidebarId);
          return (
            other?.status === 'ACTIVE' &&
            other.priority === 'BACKGROUND' &&
            sidebars.get(sidebarId)?.status === 'ACTIVE' &&
            sidebars.get(sidebarId)?.priority === 'BACKGROUND'
          );
        });
        expect({ seed, spared: now?.priority === 'LOW' ? spared : [] }).toEqual({ seed, spared: [] });
      }
    });
  });
  expect(seen).toBeGreaterThan(0);
});

const rank = (board: Board, sidebarId: string): number => PRIORITIES.indexOf(board.sidebars.get(sidebarId)?.priority ?? 'NORMAL');

test('[LOAD-9] a queue is in order of priority, then of position; and nobody waits for an agent that has room', () => {
  let waited = 0;
  forAnyCrowd((seed) => {
    crowd(seed, ({ board }) => {
      for (const agent of rowsOf(board.agents)) {
        const queue = queueOf(board, agent.id);
        waited += queue.length;
        const sorted = queue.toSorted((a, b) => rank(board, a.sidebarId) - rank(board, b.sidebarId) || a.position - b.position);
        const open = rowsOf(board.requests).filter((one) => one.agent === agent.id && one.state === 'queued');
        expect({ seed, queue: queue.map(({ id }) => id), count: open.length }).toEqual({
          seed,
          queue: sorted.map(({ id }) => id),
          count: queue.length,
        });
        const { maxConcurrentPerInstance, maxInstances } = limitsOf(agent);
        const hasRoom =
          agent.presence === 'available' &&
          !agent.isRetired &&
          seatsOfAgent(board, agent.id).length < maxConcurrentPerInstance * Math.min(1, maxInstances);
        expect({ seed, waiting: hasRoom ? queue : [] }).toEqual({ seed, waiting: [] });
      }
    });
  });
  expect(waited).toBeGreaterThan(0);
});

test('[LOAD-10] every request ends once, and none is left open for what has ended', () => {
  forAnyCrowd((seed) => {
    const world = crowd(seed, ({ board }) => {
      const lost = rowsOf(board.requests).filter(
        (one) =>
          isOpenRequest(one) &&
          (/MERGED|FAILED|ARCHIVED/u.test(board.sidebars.get(one.sidebarId)?.status ?? '') || board.agents.get(one.agent)?.isRetired === true),
      );
      expect({ seed, lost }).toEqual({ seed, lost: [] });
    });
    const opened = world.log.filter(({ type }) => type === 'recruitment.requested').map(({ uuid }) => uuid);
    const ends = world.log.flatMap((event) => {
      const isEnd =
        event.type === 'agent.joined' ||
        event.type === 'agent.seated' ||
        event.type === 'recruitment.declined' ||
        event.type === 'recruitment.withdrawn';
      return isEnd && event.payload.request !== undefined && opened.includes(event.payload.request) ? [event.payload.request] : [];
    });
    const declinedLater = world.log.flatMap((event) =>
      event.type === 'recruitment.declined' && world.board.requests.get(event.payload.request)?.state === 'joined' ? [event.payload.request] : [],
    );
    const open = rowsOf(world.board.requests).filter(isOpenRequest).length;
    expect({ seed, ends: ends.length - declinedLater.filter((id) => opened.includes(id)).length }).toEqual({ seed, ends: opened.length - open });
  });
});

test('[LOAD-7] what was paused for capacity goes on when its agent has room, or takes no seat any more', () => {
  forAnyCrowd((seed) => {
    crowd(seed, ({ board }, events) => {
      const justPaused = new Set(autoPauses(events).map(({ id }) => id));
      const stuck = rowsOf(board.sidebars).filter(({ id, status, pause }) => {
        const agent = board.agents.get(pause?.capacity?.agent ?? '');
        if (status !== 'PAUSED' || agent === undefined || justPaused.has(id)) return false;
        return agent.isRetired || agent.presence === 'offline';
      });
      expect({ seed, stuck }).toEqual({ seed, stuck: [] });
    });
  });
});

test('[BOARD-2] [LOAD-5] a crowd folded again is the crowd that was', () => {
  forAnyCrowd((seed) => {
    const world = crowd(seed, () => {});
    expect(dumpOf(refolded(world.log))).toBe(dumpOf(world.board));
  });
});
