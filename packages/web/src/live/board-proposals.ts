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

/** What somebody does here, shown before the server has answered. `id` is the message id that the command is sent under. */
export type Proposal = { readonly id: string; readonly command: Command; readonly actor: Actor; readonly now: number };

export type Proposals = {
  readonly add: (proposal: Proposal) => void;
  /** It was done with this as its last entry, or not at all (null). True when something is shown differently. */
  readonly settle: (id: string, seq: number | null, position: number) => boolean;
  /** Whether what somebody has done could be something that was proposed. */
  readonly mayHave: (by: Actor) => boolean;
  /** An entry of this id is on the log. True when it was proposed. */
  readonly arrive: (uuid: string) => boolean;
  /** Everything up to here is in the board. */
  readonly reach: (position: number) => void;
  /** A board that shows what is proposed and not there yet; the board itself when that is nothing. */
  readonly layOver: (board: Board, position: number) => Board;
  /** What is shown of proposals, in order: positions are guessed, and nothing has a reference. */
  readonly events: () => readonly Recorded[];
  /** Why nothing of this one is shown. */
  readonly refusalOf: (id: string) => Rejection | null;
};

type Open = {
  readonly proposal: Proposal;
  /** One of its entries has this id, whatever was decided here. */
  readonly firstId: string;
  events: readonly Recorded[];
  readonly arrived: Set<string>;
  refusal: Rejection | null;
  /** Where the last of its entries stands, once the server has said so. */
  until: number | null;
};

export const createProposals = (language: Language): Proposals => {
  const open = new Map<string, Open>();

  /** Once something of it is on the log, the rest is as it was decided then: on the board as it is now it would be decided differently. */
  const eventsOf = (one: Open, board: Board, position: number): readonly Recorded[] => {
    if (one.arrived.size > 0) return one.events.filter(({ uuid }) => !one.arrived.has(uuid));
    const { now } = one.proposal;
    const decision = decisionOn(board, one.proposal, language);
    if (decision === null) return one.events;
    // What is shown stays until the server refuses it: others may be in the middle of something, after which it is right again.
    if (decision.ok) one.events = decision.value.map((happening, n) => guessed(happening, position + 1 + n, now));
    one.refusal = decision.ok ? null : decision.error;
    return one.events;
  };

  const isAllThere = ({ events, arrived }: Open): boolean => events.length > 0 && events.every(({ uuid }) => arrived.has(uuid));

  return {
    add: (proposal) => {
      const firstId = commandIds(proposal.actor.id, proposal.id)();
      open.set(proposal.id, { proposal, firstId, events: [], arrived: new Set(), refusal: null, until: null });
    },
    settle: (id, seq, position) => {
      const one = open.get(id);
      if (one === undefined) return false;
      one.until = seq;
      return (seq === null || seq <= position) && open.delete(id);
    },
    mayHave: ({ id, type }) => open.size > 0 && (type === 'system' || [...open.values()].some(({ proposal }) => proposal.actor.id === id)),
    arrive: (uuid) => {
      for (const [id, one] of open) {
        if (uuid !== one.firstId && !one.events.some((event) => event.uuid === uuid)) continue;
        one.arrived.add(uuid);
        if (isAllThere(one)) open.delete(id);
        return true;
      }
      return false;
    },
    reach: (position) => {
      for (const [id, { until }] of open) if (until !== null && until <= position) open.delete(id);
    },
    layOver: (board, position) => {
      if (open.size === 0) return board;
      const layer = tryOn(board);
      let at = position;
      for (const one of open.values()) {
        const events = eventsOf(one, layer, at);
        for (const event of events) evolve(layer, event);
        at += events.length;
      }
      return layer;
    },
    events: () => [...open.values()].flatMap(({ events, arrived }) => events.filter(({ uuid }) => !arrived.has(uuid))),
    refusalOf: (id) => open.get(id)?.refusal ?? null,
  };
};

/** Null for a command that the domain cannot read: one that was kept over a reload may be of another version. Its server has the last word as well. */
const decisionOn = (board: Board, proposal: Proposal, language: Language): Decision | null => {
  try {
    return decide(board, proposal.command, factsFor(board, proposal, language));
  } catch {
    return null;
  }
};

const guessed = (happening: Happening, position: number, at: number): Recorded => ({ ...happening, position, at, refs: [] });

/** What only the server can look up is taken to be right: it has the last word. */
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
