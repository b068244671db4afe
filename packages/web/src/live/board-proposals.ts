import {
  BOARD_CONTEXT,
  decide,
  evolve,
  findRefs,
  formatRef,
  parseRef,
  sidebarOf,
  tryOn,
  type Actor,
  type Board,
  type Command,
  type Decision,
  type Facts,
  type Happening,
  type Language,
  type Recorded,
  type RefFact,
  type Rejection,
} from '@yarnboard/domain';
import { commandIds } from './board-ids.ts';

/** A command given here, shown before the server answers. `id` is its message id. */
export type Proposal = { readonly id: string; readonly command: Command; readonly actor: Actor; readonly now: number };

/** REC-57: a command that somebody sent while the log is away. `uuid` is that of its first entry, and the server derived the events. */
export type QueuedSaying = {
  readonly uuid: string;
  readonly messageId: string;
  readonly sender: string;
  /** As the server names it: SB-n. */
  readonly context: string | null;
  readonly events: readonly Recorded[];
};

export type Proposals = {
  readonly add: (proposal: Proposal) => void;
  /** It was executed with this as its last entry, or not at all (null). True if the display changes. */
  readonly settle: (id: string, seq: number | null, position: number) => boolean;
  /** A proposal from here waits for the log: it stays, as decided, until it is settled. */
  readonly hold: (id: string) => void;
  /** Somebody's command waits for the log: it is shown until it is settled or on the log. False if it was known, or is over. */
  readonly queue: (saying: QueuedSaying) => boolean;
  /** REC-69: the same as `settle`, by the id of its first entry. Returns the command, if it was still shown. */
  readonly settleQueued: (uuid: string, seq: number | null, position: number) => QueuedSaying | null;
  /** There is a new connection: waiting commands are announced again, and those missing at `dropUntold` have been settled in the meantime. */
  readonly doubt: () => void;
  readonly dropUntold: () => boolean;
  /** Whether an actor's event could be a proposal of ours. */
  readonly mayHave: (by: Actor) => boolean;
  /** The entry with this id is on the log. True if it was proposed here. */
  readonly arrive: (uuid: string) => boolean;
  /** Everything up to here is in the board. */
  readonly reach: (position: number) => void;
  /** A board with the pending proposals applied; the board itself if there are none. */
  readonly layOver: (board: Board, position: number) => Board;
  /** The events of proposals, in order: positions are guesses, and nothing has a reference. */
  readonly events: () => readonly Recorded[];
  /** Ids of those that wait for the log, and are durable. */
  readonly queued: () => ReadonlySet<string>;
  /** Why nothing of this one is shown. */
  readonly refusalOf: (id: string) => Rejection | null;
};

type Open = {
  readonly key: string;
  /** Null for commands from elsewhere. */
  readonly proposal: Proposal | null;
  /** One of its entries has this id, whatever was decided here. */
  readonly firstId: string;
  events: readonly Recorded[];
  readonly arrived: Set<string>;
  refusal: Rejection | null;
  /** The position of its last entry, once the server has reported it. */
  until: number | null;
  /** It waits for the log; its content no longer changes. */
  saying: QueuedSaying | null;
  /** It was not announced on this connection. */
  isDoubtful: boolean;
};

export const createProposals = (language: Language): Proposals => {
  const open = new Map<string, Open>();
  /** Those that are decided again after every event. Ten thousand may wait for the log: only these are processed for every event. */
  const loose = new Set<Open>();
  const ending = new Set<Open>();
  /** By the ids of their entries. */
  const held = new Map<string, Open>();
  /** Ids of first entries that are settled or on the log: late announcements of them are ignored. */
  const over = createRecentIds(MOST_OVER);

  const drop = (one: Open): void => {
    open.delete(one.key);
    loose.delete(one);
    ending.delete(one);
    for (const uuid of [one.firstId, ...one.events.map((event) => event.uuid)]) if (held.get(uuid) === one) held.delete(uuid);
  };

  const keep = (one: Open): void => {
    loose.delete(one);
    for (const uuid of [one.firstId, ...one.events.map((event) => event.uuid)]) held.set(uuid, one);
  };

  const end = (one: Open, seq: number | null, position: number): boolean => {
    one.until = seq;
    over.add(one.firstId);
    if (seq !== null && seq > position) {
      ending.add(one);
      return false;
    }
    drop(one);
    return true;
  };

  /** Once part of it is on the log, the rest stays as decided then: on the present board it would be decided differently. */
  const eventsOf = (one: Open, board: Board, position: number): readonly Recorded[] => {
    const { proposal } = one;
    if (one.saying !== null || proposal === null) return leftOf(one).map((event, n) => ({ ...event, position: position + 1 + n }));
    if (one.arrived.size > 0) return leftOf(one);
    const decision = decisionOn(board, proposal, language);
    if (decision === null) return one.events;
    // A proposal stays visible until the server refuses it: somebody else's change may be half-way, after which it is valid again.
    if (decision.ok) one.events = decision.value.map((happening, n) => guessed(happening, position + 1 + n, proposal.now));
    one.refusal = decision.ok ? null : decision.error;
    return one.events;
  };

  const isAllThere = ({ events, arrived }: Open): boolean => events.length > 0 && events.every(({ uuid }) => arrived.has(uuid));

  const withEntry = (uuid: string): Open | null =>
    held.get(uuid) ?? [...loose].find((one) => uuid === one.firstId || one.events.some((event) => event.uuid === uuid)) ?? null;

  return {
    add: (proposal) => {
      const firstId = commandIds(proposal.actor.id, proposal.id)();
      const made = { events: [], arrived: new Set<string>(), refusal: null, until: null, saying: null, isDoubtful: false };
      const one: Open = { key: proposal.id, proposal, firstId, ...made };
      open.set(one.key, one);
      loose.add(one);
    },
    settle: (id, seq, position) => {
      const one = open.get(id);
      return one !== undefined && end(one, seq, position);
    },
    hold: (id) => {
      const one = open.get(id);
      if (one === undefined || one.proposal === null) return;
      const { actor } = one.proposal;
      one.saying = { uuid: one.firstId, messageId: id, sender: actor.id, context: null, events: one.events };
      keep(one);
    },
    queue: (saying) => {
      const known = held.get(saying.uuid) ?? [...loose].find(({ firstId }) => firstId === saying.uuid);
      if (known !== undefined) {
        known.isDoubtful = false;
        const wasKnown = known.saying !== null;
        known.saying ??= saying;
        keep(known);
        return !wasKnown;
      }
      if (over.has(saying.uuid)) return false;
      const made = { proposal: null, arrived: new Set<string>(), refusal: null, until: null, isDoubtful: false };
      const one: Open = { key: `queued ${saying.uuid}`, firstId: saying.uuid, events: saying.events, saying, ...made };
      open.set(one.key, one);
      keep(one);
      return true;
    },
    settleQueued: (uuid, seq, position) => {
      const one = held.get(uuid);
      over.add(uuid);
      if (one === undefined) return null;
      end(one, seq, position);
      return one.saying;
    },
    doubt: () => {
      for (const one of open.values()) if (one.saying !== null && one.proposal === null) one.isDoubtful = true;
    },
    dropUntold: () => {
      const untold = [...open.values()].filter(({ isDoubtful }) => isDoubtful);
      for (const one of untold) drop(one);
      return untold.length > 0;
    },
    mayHave: ({ id, type }) => loose.size > 0 && (type === 'system' || [...loose].some(({ proposal }) => proposal?.actor.id === id)),
    arrive: (uuid) => {
      const one = withEntry(uuid);
      // An entry may arrive before the announcement that it waited: then nothing more of it is shown.
      over.add(uuid);
      if (one === null) return false;
      one.arrived.add(uuid);
      if (isAllThere(one)) drop(one);
      return true;
    },
    reach: (position) => {
      for (const one of ending) if (one.until !== null && one.until <= position) drop(one);
    },
    layOver: (board, position) => {
      if (open.size === 0) return board;
      const layer = tryOn(board);
      let at = position;
      let hidden = [...open.values()].filter(({ proposal }) => proposal === null).length - MOST_LAID;
      for (const one of open.values()) {
        // All of them are applied again with every change: of thousands from others, only the latest are.
        if (one.proposal === null && hidden > 0) {
          hidden -= 1;
          continue;
        }
        const events = eventsOf(one, layer, at);
        for (const event of events) put(layer, event, one.saying !== null);
        at += events.length;
      }
      return layer;
    },
    events: () => [...open.values()].flatMap(leftOf),
    queued: () => new Set([...open.values()].flatMap((one) => (one.saying === null ? [] : leftOf(one).map(({ uuid }) => uuid)))),
    refusalOf: (id) => open.get(id)?.refusal ?? null,
  };
};

const leftOf = ({ events, arrived }: Open): readonly Recorded[] => (arrived.size === 0 ? events : events.filter(({ uuid }) => !arrived.has(uuid)));

/** A waiting command may concern rows that aren't loaded: it is shown once they are. */
const put = (layer: Board, event: Recorded, isQueued: boolean): void => {
  try {
    evolve(layer, event);
  } catch (cause) {
    if (!isQueued) throw cause;
  }
};

/** Recent ids, as many as may be useful. */
const createRecentIds = (most: number) => {
  const ids = new Set<string>();
  return {
    has: (id: string): boolean => ids.has(id),
    add: (id: string): void => {
      ids.add(id);
      if (ids.size <= most) return;
      const [oldest] = ids;
      if (oldest !== undefined) ids.delete(oldest);
    },
  };
};

/** How many waiting commands of others are applied to the rows they concern. Messages in a conversation are always shown. */
const MOST_LAID = 200;

/** The maximum number of commands that a server queues, which is also about the number of entries. */
const MOST_OVER = 20_000;

/** Null for a command that the domain can't read: one kept across a reload may be of another version. The server has the last word anyway. */
const decisionOn = (board: Board, proposal: Proposal, language: Language): Decision | null => {
  try {
    return decide(board, proposal.command, factsFor(board, proposal, language));
  } catch {
    return null;
  }
};

const guessed = (happening: Happening, position: number, at: number): Recorded => ({ ...happening, position, at, refs: [] });

/** Facts that only the server can look up are assumed to be right: it has the last word. */
const factsFor = (board: Board, { id, command, actor, now }: Proposal, language: Language): Facts => ({
  now,
  actor,
  newId: commandIds(actor.id, id),
  refs: refsIn(board, command),
  isInherited: () => true,
  surfacings: () => [],
  language,
  areSeatsUnknown: true,
});

const refsIn = (board: Board, command: Command): ReadonlyMap<string, RefFact> => {
  const sidebar = 'sidebar' in command && command.sidebar !== undefined ? sidebarOf(board, command.sidebar) : null;
  const fact: RefFact = { contextId: sidebar?.contextId ?? BOARD_CONTEXT, position: 0 };
  const named = leavesOf(command).flatMap((text) => {
    const ref = text.length > LONGEST_REF ? null : parseRef(text);
    return ref?.ok === true ? [formatRef(ref.value)] : [];
  });
  const written = command.type === 'chat.say' ? findRefs(command.content).map(({ ref }) => formatRef(ref)) : [];
  return new Map([...named, ...written].map((ref) => [ref, fact]));
};

const leavesOf = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [];
};

const LONGEST_REF = 64;
