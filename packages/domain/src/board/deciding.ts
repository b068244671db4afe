import { isOperator, type Actor } from '../actors.ts';
import { cutText } from '../policies/cutting.ts';
import { ok, type Result } from '../result.ts';
import type { ExchangeFact } from '../claims/said.ts';
import type { Sidebar } from '../sidebar/state.ts';
import type { Language, Said } from './language.ts';
import { MOST_TEXT } from './limits.ts';
import { reject, type Rejection } from './rejection.ts';
import { sidebarOf, type Board } from './state.ts';
import { canMove, movesFrom } from '../sidebar/lifecycle.ts';
import { rightTo, type Action } from '../sidebar/rights.ts';
import type { Claims } from '../messages/claims.ts';
import { type Status, contextIdOfSidebar } from '../messages/values.ts';
import { definitionOf, type CommandOf, type CommandType, type EventType, type Happening, type Payloads } from '../messages/catalogue.ts';

/** What is known of a reference that a command uses: where it was made, and as what. */
export type RefFact = { readonly contextId: string; readonly position: number };

/** A waypoint whose symptoms a text shows. */
export type Surfacing = { readonly gold: string; readonly score: number; readonly condition: string };

/** Everything that is not in the board: time, ids, who it is, what was looked up. */
export type Facts = {
  readonly now: number;
  readonly actor: Actor;
  /** The first one is derived from the id of the command: that it was done once is seen by it. */
  readonly newId: () => string;
  /** The references of the command, as they are printed, that exist beyond the board: messages and exchanges. */
  readonly refs: ReadonlyMap<string, RefFact>;
  /** Which exchanges of those in the command, as they are written there, a sidebar has inherited. */
  readonly isInherited: (sidebar: Sidebar, exchange: string) => boolean;
  /** What was said in an exchange that a sidebar inherited, where a command judges it; null for every other one. */
  readonly exchange?: (sidebar: Sidebar, exchange: string) => ExchangeFact | null;
  /** What was said under an exchange or a message that a command wants to keep; null for every other one. */
  readonly said?: (ref: string) => ExchangeFact | null;
  readonly surfacings: (text: string) => readonly Surfacing[];
  readonly language: Language;
  /** What was said in the sidebar of the command, in its order, where a summary may be made of it. */
  readonly talk?: (sidebar: Pick<Sidebar, 'id'>) => readonly Said[];
  /** AUTO-12: references that stand for work which wrote files, in a sidebar whose merge is decided. */
  readonly writes?: (sidebar: Pick<Sidebar, 'id'>) => readonly string[];
  /** Staleness and deadlines are told by Yarnboard itself. */
  readonly isStale?: boolean;
  /** Whoever has only part of the board does not know who has seats, and decides nothing about them. */
  readonly areSeatsUnknown?: boolean;
  /** What whoever sends it says of how things stand. */
  readonly claims?: Claims;
  /** Where the error is told that it is about; as far as it is a reference, it has to exist. */
  readonly errorRef?: string;
};

export type Decision = Result<readonly Happening[], Rejection>;

export type Decider<T extends CommandType> = (board: Board, facts: Facts, command: CommandOf<T>) => Decision;

/** What decides these commands; complete by its type. */
export type Deciders<T extends CommandType> = { readonly [K in T]: Decider<K> };

export const happen = <T extends EventType>(
  facts: Pick<Facts, 'actor' | 'newId'>,
  type: T,
  contextId: string,
  payload: Payloads[T],
  { uuid = facts.newId(), by = facts.actor }: { readonly uuid?: string; readonly by?: Actor } = {},
): Happening => ({ type, uuid, contextId, numbers: definitionOf(type).numbers(payload), payload, by }) as Happening; // payload and type belong together by T

/** The same in the context of a sidebar. */
export const happenIn = <T extends EventType>(
  facts: Pick<Facts, 'actor' | 'newId'>,
  sidebar: Pick<Sidebar, 'id'>,
  type: T,
  payload: Payloads[T],
  more: Parameters<typeof happen>[4] = {},
): Happening => happen(facts, type, contextIdOfSidebar(sidebar.id), payload, more);

export const named = ({ ref, id }: Pick<Sidebar, 'ref' | 'id'>): string => (ref === '' ? id : ref);

export const foundSidebar = (board: Board, text: string): Result<Sidebar, Rejection> => {
  const sidebar = sidebarOf(board, text);
  return sidebar === null ? reject('unknown-sidebar', { asked: cutText(text, 100) }) : ok(sidebar);
};

export const takesPart = (sidebar: Sidebar, actor: Actor): boolean => rightTo('work', sidebar, actor) === 'yes';

/** LIFE-4: whoever works in a sidebar takes part in it. */
export const asParticipant = (board: Board, text: string, actor: Actor, action: Action = 'work'): Result<Sidebar, Rejection> => {
  const found = foundSidebar(board, text);
  if (!found.ok || rightTo(action, found.value, actor) === 'yes') return found;
  const { participants } = found.value;
  return reject('not-participant', { actor: actor.id, sidebar: named(found.value), to: 'work', ask: participants.slice(0, 5) });
};

/** A sidebar that can still be worked in. */
export const atWork = (sidebar: Sidebar): Result<Sidebar, Rejection> => {
  const { status } = sidebar;
  if (status !== 'ARCHIVED' && status !== 'MERGED' && status !== 'FAILED') return ok(sidebar);
  return reject('sidebar-ended', { sidebar: named(sidebar), status });
};

export const working = (board: Board, text: string, actor: Actor): Result<Sidebar, Rejection> => {
  const found = asParticipant(board, text, actor);
  return found.ok ? atWork(found.value) : found;
};

/** LIFE-2: refused unless the table has this move. */
export const moving = (sidebar: Sidebar, to: Status): Result<Sidebar, Rejection> =>
  canMove(sidebar.status, to)
    ? ok(sidebar)
    : reject('no-such-move', { sidebar: named(sidebar), status: sidebar.status, to, moves: movesFrom(sidebar.status) });

/** LIFE-12: whether somebody may do what a coordinator or curator is there for: it does it itself, or the human steps in, which is counted. */
export const standIn = (sidebar: Sidebar, facts: Facts, role: 'coordinator' | 'curator', what: string): Result<readonly Happening[], Rejection> => {
  const holder = sidebar[role];
  if (facts.actor.id === holder || facts.actor.type === 'system') return ok([]);
  if (isOperator(facts.actor)) return ok([happenIn(facts, sidebar, 'sidebar.intervened', { instead: holder, what, taskType: sidebar.taskType })]);
  const about = { sidebar: named(sidebar), what, actor: facts.actor.id };
  return role === 'curator' ? reject('not-curator', { curator: holder, ...about }) : reject('not-coordinator', { coordinator: holder, ...about });
};

/** BOARD-5: a text that has to say something. */
export const worded = (field: string, text: string): Result<string, Rejection> => {
  if (text.trim() === '') return reject('empty', { field });
  return text.length > MOST_TEXT ? reject('too-long', { field, length: text.length, most: MOST_TEXT }) : ok(text);
};

/** A text that may be left out, and then says nothing. */
export const maybeWorded = (text: string | undefined): string | null => (text === undefined || text.trim() === '' ? null : text);

/** Something that goes from 0 to 1. */
export const isShare = (share: number | undefined): boolean => share === undefined || (share >= 0 && share <= 1);
