import {
  actingSeats,
  equipmentOf,
  isActing,
  isResting,
  openPermissions,
  PRIORITIES,
  rowsOf,
  seatKey,
  seatRunOf,
  sidebarIdOfContext,
  STOPPED,
  SYSTEM,
  type Board,
  type Payloads,
  type Priority,
  type Recorded,
} from '@yarnboard/domain';
import type { RuntimeSettings, SeatEvent } from '@yarnboard/protocol';
import type { Engine } from '../engine/engine.ts';
import { eventFrom, missesWords, saidSince, wakes } from './concerns.ts';
import { createLiveSeat, type LiveSeat, type LiveSeatOptions } from './live-seat.ts';
import type { Runtime, SeatAnswer, SeatPlace } from './port.ts';
import { sweepOrphans } from './process-group.ts';
import { createSeatHolds, type SeatServer } from './seat-holds.ts';
import type { InstanceTokens } from './instance-tokens.ts';
import { createTurnPlaces } from './turn-places.ts';

export type SeatsOptions = Omit<LiveSeatOptions, 'place' | 'runtime' | 'settings' | 'turns' | 'onRest' | 'onReady' | 'onGone'> & {
  readonly engine: Engine;
  readonly settings: readonly RuntimeSettings[];
  readonly runtimeOf: (settings: RuntimeSettings) => Runtime;
  readonly tokens: InstanceTokens;
  /** The common prefix of the marks of all processes of this home. */
  readonly homeMark: string;
  /** This server among the others; null if it is the only one. */
  readonly server: SeatServer | null;
  /** Limit of concurrent processes. */
  readonly mostProcesses?: number;
  /** Limit of concurrent turns. */
  readonly mostTurns?: number;
};

type Parked = SeatPlace & {
  events: SeatEvent[];
  /** Whether `events` has everything that it may not have been told, or the log has to be read for that. */
  reading: 'done' | 'needed' | 'going-on';
  /** It starts as soon as it gets a process, even if it has nothing to hear. */
  isDue: boolean;
};

/** The seats running on this server. */
export type Seats = {
  /** Ends what a killed server left behind, closes its turns, and resumes from the log. */
  readonly start: () => Promise<void>;
  readonly live: (agent: string, sidebarId: string) => LiveSeat | null;
  readonly count: (runtime: string) => number;
  /** Whether a seat has pending events but no free process. */
  readonly isHungry: (agent: string, sidebarId: string) => boolean;
  readonly restingUntil: (runtime: string) => number | null;
  /** The name that a runtime's program last gave when it started; null before that. */
  readonly programOf: (runtime: string) => string | null;
  /** Whether an agent is present through its runtime. */
  readonly keeps: (agent: string) => boolean;
  /** Servers came or went: takes over seats that nobody holds. */
  readonly look: () => void;
  /** Resolves when every seat has carried out what was requested so far. */
  readonly settled: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/**
 * RT-16: runs a seat for every place of an agent with a runtime, sends it what concerns it, and ends it with its place. An agent without a runtime
 * gets none.
 */
export const createSeats = (options: SeatsOptions): Seats => {
  const { engine, now, onFault } = options;
  const live = new Map<string, LiveSeat>();
  /** Seats that are ending, by place: no new one starts there until they have. */
  const ending = new Map<string, Promise<void>>();
  /** RT-75: seats that made room for others, and the events waiting for their return. */
  const parked = new Map<string, Parked>();
  /** RT-75: seats with pending events but no process yet. */
  const hungry = new Map<string, SeatPlace>();
  const runtimes = new Map(options.settings.map((settings) => [settings.name, { settings, runtime: options.runtimeOf(settings) }]));
  const resting = new Map<string, number>();
  const programs = new Map<string, string>();
  const mostProcesses = options.mostProcesses ?? MOST_PROCESSES;
  const turns = createTurnPlaces(options.mostTurns ?? MOST_TURNS);
  let isOpen = false;

  /** RT-13: closes whatever a gone server left open, before anything new starts. */
  const closeLeft = async (place: SeatPlace): Promise<void> => {
    const { agent, sidebarId } = place;
    const run = seatRunOf(engine.board(), agent, sidebarId);
    if (run !== null && run.turn !== null) {
      await engine.execute({
        command: {
          type: 'turn.tell',
          sidebar: sidebarId,
          agent,
          turn: run.turn.id,
          status: 'cancelled',
          upTo: run.toldUpTo,
          isAgain: true,
          usage: null,
          model: run.model,
          why: 'the server ended',
          briefing: null,
        },
        actor: SYSTEM,
        messageId: options.newId(),
      });
    }
    await options.permissions.withdraw(place);
  };

  const holds = createSeatHolds({
    ...options,
    closeLeft,
    onTaken: ({ agent, sidebarId }) => {
      if (isOpen) begin(engine.board(), agent, sidebarId);
    },
  });

  const isWanted = (board: Board, agent: string, sidebarId: string): boolean => {
    const run = seatRunOf(board, agent, sidebarId);
    const isStopped = run?.state === 'failed' || (run?.state === 'stopped' && run.why === STOPPED);
    return isActing(board, agent, sidebarId) && !isResting(board, agent) && !isStopped && runtimes.has(equipmentOf(board, agent).runtime ?? '');
  };

  /** Starts and ends an agent's seats to match the board. */
  const sync = (agent: string): void => {
    const board = engine.board();
    for (const [key, seat] of live) {
      if (seat.place.agent !== agent) continue;
      const { runtime } = equipmentOf(board, agent);
      const isMine = holds.isMine(board, seat.place);
      if (isMine && isWanted(board, agent, seat.place.sidebarId) && runtime === seat.runtime) continue;
      // A seat that another server has taken over is that server's to report.
      end(key, isMine ? seat.leave(whyGone(board, agent, seat.place.sidebarId)) : seat.close());
    }
    for (const places of [parked, hungry])
      for (const [key, place] of places) if (place.agent === agent && !isWanted(board, agent, place.sidebarId)) places.delete(key);
    for (const { sidebarId } of actingSeats(board, agent)) begin(board, agent, sidebarId);
    tellPresence(board, agent);
  };

  const begin = (board: Board, agent: string, sidebarId: string): void => {
    const key = seatKey(agent, sidebarId);
    const place = { agent, sidebarId };
    const equipped = runtimes.get(equipmentOf(board, agent).runtime ?? '');
    if (!isOpen || live.has(key) || ending.has(key)) return;
    if (equipped === undefined) holds.give(place);
    if (equipped === undefined || !isWanted(board, agent, sidebarId)) return;
    // First what it missed: whether it needs a process depends on that.
    if (holds.isMine(board, place) && !hasHeardAll(board, place)) return;
    const away = parked.get(key);
    const toldUpTo = seatRunOf(board, agent, sidebarId)?.toldUpTo ?? 0;
    // Another server may have told it some of them meanwhile.
    const kept = (away?.events ?? []).filter(({ seq }) => seq > toldUpTo);
    const events = uniteBySeq([...pendingFor(board, agent, sidebarId), ...kept]).toSorted((a, b) => a.seq - b.seq);
    if (events.length === 0 && away?.isDue === false) return;
    if (live.size + ending.size >= mostProcesses) {
      if (events.length > 0) hungry.set(key, place);
      // An idle seat makes room for it. If none can, or if nothing is pending for it, another server may take it.
      if (events.length === 0 || !makeRoom()) holds.give(place);
      return;
    }
    if (!holds.isMine(board, place)) {
      holds.take(place);
      return;
    }
    hungry.delete(key);
    parked.delete(key);
    const { settings, runtime } = equipped;
    const seat = createLiveSeat({
      ...options,
      place,
      settings,
      runtime,
      turns: turns.of(key, () => rankIn(engine.board(), sidebarId)),
      onRest: (until, why) => rest(settings.name, until, why),
      onReady: (program) => programs.set(settings.name, program),
      onGone: () => {
        if (live.get(key) === seat) live.delete(key);
      },
    });
    live.set(key, seat);
    const until = resting.get(settings.name) ?? 0;
    if (until > now()) seat.rest(until, 'its runtime rests');
    for (const event of events) seat.tell(event);
  };

  /** RT-76: false as long as the log is being read for what was said while nobody told this seat. */
  const hasHeardAll = (board: Board, place: SeatPlace): boolean => {
    const key = seatKey(place.agent, place.sidebarId);
    const away = parked.get(key) ?? { ...place, events: [], reading: missesWords(board, place) ? 'needed' : 'done', isDue: true };
    if (away.reading !== 'needed') return away.reading === 'done';
    away.reading = 'going-on';
    // What comes while it is read is kept there, too.
    parked.set(key, away);
    const goOn = (): void => {
      if (isOpen && parked.get(key) === away) begin(engine.board(), place.agent, place.sidebarId);
    };
    saidSince(engine.memory, board, place)
      .then((said) => {
        away.events = [...uniteBySeq([...said, ...away.events])];
        away.reading = 'done';
        goOn();
      })
      .catch((cause: unknown) => {
        // A board that closes takes its log away.
        if (!isOpen) return;
        onFault(cause);
        away.reading = 'needed';
        options.after(READ_AGAIN, goOn);
      });
    return false;
  };

  /** Ends a seat and makes its room available. */
  const end = (key: string, gone: Promise<void>): void => {
    live.delete(key);
    const ended = gone.catch(onFault).finally(() => {
      ending.delete(key);
      if (isOpen) fill();
    });
    ending.set(key, ended);
  };

  /** RT-75: ends idle seats, the longest idle first, if others have pending events; false if there are too few of them. */
  const makeRoom = (): boolean => {
    for (const [key, place] of hungry) if (holds.isTaken(engine.board(), place)) hungry.delete(key);
    const idle = [...live].flatMap(([key, seat]) => {
      const since = seat.idleSince();
      return since === null ? [] : [{ key, seat, since }];
    });
    const missing = hungry.size - Math.max(0, mostProcesses - live.size);
    for (const { key, seat } of idle.toSorted((a, b) => a.since - b.since).slice(0, Math.max(0, missing))) {
      parked.set(key, { ...seat.place, events: [], reading: 'done', isDue: false });
      end(key, seat.close('others need its room'));
    }
    return missing <= idle.length;
  };

  /** Fills free room: seats with pending events first, by their sidebar's priority. */
  const fill = (): void => {
    const rankOf = ({ sidebarId }: SeatPlace): number => rankIn(engine.board(), sidebarId);
    for (const { agent, sidebarId } of [...hungry.values()].toSorted((a, b) => rankOf(a) - rankOf(b))) begin(engine.board(), agent, sidebarId);
    for (const { agent } of rowsOf(engine.board().equipment))
      for (const { sidebarId } of actingSeats(engine.board(), agent)) begin(engine.board(), agent, sidebarId);
  };

  /** RT-15: all seats of a runtime rest, and then start again one by one. */
  const rest = (runtime: string, until: number, why: string): void => {
    resting.set(runtime, Math.max(until, resting.get(runtime) ?? 0));
    [...live.values()].filter((seat) => seat.runtime === runtime).forEach((seat, i) => seat.rest(until + i * ONE_BY_ONE, why));
  };

  /** An agent with a runtime counts as present without a connection: busy while it rests, away after it failed. */
  const tellPresence = (board: Board, agent: string): void => {
    const known = board.agents.get(agent);
    const { runtime } = equipmentOf(board, agent);
    if (known === undefined || known.isRetired || runtime === null || !runtimes.has(runtime)) return;
    const status = isResting(board, agent) ? 'busy' : 'available';
    if (known.presence === status || failedSomewhere(board, agent)) return;
    engine.execute({ command: { type: 'agent.presence', agent, status }, actor: SYSTEM, messageId: options.newId() }).catch(onFault);
  };

  const stopListening = engine.onCommitted((events) => {
    if (!isOpen || engine.board().equipment.size() === 0) return;
    // A seat that starts only now has missed nothing.
    const before = new Set(live.values());
    for (const agent of agentsIn(engine.board(), events)) sync(agent);
    for (const event of events) deliver(engine.board(), event, before, events);
    // A seat that has just ended its turn may be idle now.
    if (hungry.size > 0) makeRoom();
  });

  const deliver = (board: Board, event: Recorded, before: ReadonlySet<LiveSeat>, together: readonly Recorded[]): void => {
    const sidebarId = sidebarIdOfContext(event.contextId);
    if (sidebarId === null) return;
    for (const agent of board.sidebars.get(sidebarId)?.participants ?? []) {
      const key = seatKey(agent, sidebarId);
      const seat = live.get(key);
      const away = parked.get(key);
      if (seat === undefined && away !== undefined) {
        const told = eventFrom(board, event, agent, together);
        if (holds.isTaken(board, away)) {
          // The server that has it tells it everything. If that server goes, the seat is wanted here again, as after a start.
          parked.set(key, { agent, sidebarId, events: [], reading: missesWords(board, away) ? 'needed' : 'done', isDue: true });
        } else if (told !== null) away.events.push(told);
        if (event.type === 'seat.called' && event.payload.agent === agent) away.isDue = true;
        begin(board, agent, sidebarId);
      }
      if (seat === undefined) continue;
      if (event.type === 'seat.called' && event.payload.agent === agent && before.has(seat)) seat.call(event.payload.wish, event.payload.reason);
      if (event.type === 'permission.decided' && event.payload.agent === agent && event.payload.decision !== 'withdrawn')
        seat.permit(event.payload.key, answerOf(event.payload.decision, event.payload));
      seat.fold();
      const told = eventFrom(board, event, agent, together);
      if (told !== null) seat.tell(told);
    }
  };

  const start = async (): Promise<void> => {
    if (runtimes.size === 0) {
      // Other servers may have runtimes.
      for (const place of rowsOf(engine.board().seatRuns)) holds.give(place);
      return;
    }
    sweepOrphans(options.homeMark);
    const board = engine.board();
    const open = rowsOf(board.seatRuns).filter(({ turn }) => turn !== null);
    for (const place of [...open, ...openPermissions(board)]) if (holds.isMine(board, place)) await closeLeft(place);
    isOpen = true;
    for (const { agent } of rowsOf(engine.board().equipment)) sync(agent);
  };

  return {
    start,
    live: (agent, sidebarId) => live.get(seatKey(agent, sidebarId)) ?? null,
    isHungry: (agent, sidebarId) => hungry.has(seatKey(agent, sidebarId)),
    count: (runtime) => [...live.values()].filter((seat) => seat.runtime === runtime).length,
    restingUntil: (runtime) => {
      const until = resting.get(runtime) ?? 0;
      return until > now() ? until : null;
    },
    programOf: (runtime) => programs.get(runtime) ?? null,
    keeps: (agent) => isOpen && runtimes.has(equipmentOf(engine.board(), agent).runtime ?? '') && !failedSomewhere(engine.board(), agent),
    look: () => {
      if (isOpen) fill();
    },
    settled: async () => {
      await Promise.all([...[...live.values()].map((seat) => seat.settled()), ...ending.values()]);
    },
    close: async () => {
      isOpen = false;
      stopListening();
      const seats = [...live.values()];
      live.clear();
      await Promise.all([...seats.map((seat) => seat.close().catch(onFault)), ...ending.values()]);
    },
  };
};

/** What a seat hasn't been told yet: notices of its sidebar, or that it joined. */
const pendingFor = (board: Board, agent: string, sidebarId: string): readonly SeatEvent[] => {
  const sidebar = board.sidebars.get(sidebarId);
  const run = seatRunOf(board, agent, sidebarId);
  const toldUpTo = run?.toldUpTo ?? 0;
  const notices = (board.notices.get(agent) ?? []).filter(
    ({ contextId, position, kind }) => contextId === sidebar?.contextId && position > toldUpTo && wakes(kind),
  );
  if (notices.length === 0 && (run === null || run.turns === 0) && sidebar !== undefined) {
    return [
      { seq: sidebar.lastPosition, kind: 'joined', from: 'AGENT-system', text: `You take part in ${sidebar.ref}. Begin.`, refs: [sidebar.ref] },
    ];
  }
  return notices.map(({ position, kind, from, text, refs }) => ({ seq: position, kind, from, text, refs }));
};

const answerOf = (decision: SeatAnswer['decision'], { message, input }: Pick<Payloads['permission.decided'], 'message' | 'input'>): SeatAnswer => ({
  decision,
  message,
  input: input === undefined ? null : (JSON.parse(input) as Readonly<Record<string, unknown>>), // an object that we wrote ourselves
});

/** The agents whose seats may be affected. */
const agentsIn = (board: Board, events: readonly Recorded[]): ReadonlySet<string> => {
  const agents = new Set<string>();
  for (const { type, contextId, payload } of events) {
    if (type === 'turn.told' || type === 'limit.told' || type === 'seat.told' || type.startsWith('permission.')) continue;
    if (type === 'agents.rested' && payload.agent === null) for (const { agent } of rowsOf(board.equipment)) agents.add(agent);
    if ('agent' in payload && typeof payload.agent === 'string') agents.add(payload.agent);
    const sidebar = board.sidebars.get(sidebarIdOfContext(contextId) ?? '');
    for (const agent of sidebar?.participants ?? []) agents.add(agent);
  }
  return new Set([...agents].filter((agent) => board.equipment.get(agent) !== undefined));
};

const failedSomewhere = (board: Board, agent: string): boolean =>
  (board.loads.get(agent)?.work ?? []).some((sidebarId) => seatRunOf(board, agent, sidebarId)?.state === 'failed');

const whyGone = (board: Board, agent: string, sidebarId: string): string => {
  if (isResting(board, agent)) return 'it rests';
  if (equipmentOf(board, agent).runtime === null) return 'its runtime was taken away';
  return seatRunOf(board, agent, sidebarId)?.why === STOPPED ? STOPPED : 'its seat is free again';
};

const rankIn = (board: Board, sidebarId: string): number => RANKS.indexOf(board.sidebars.get(sidebarId)?.priority ?? 'NORMAL');

/** Removes duplicates: a notice and its message share a position. */
const uniteBySeq = (events: readonly SeatEvent[]): readonly SeatEvent[] => [...new Map(events.map((event) => [event.seq, event])).values()];

const RANKS: readonly Priority[] = PRIORITIES;
const MOST_PROCESSES = 8;
const MOST_TURNS = 4;
const ONE_BY_ONE = 1000;
const READ_AGAIN = 1000;
