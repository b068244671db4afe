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

/** What is known of a reference in a command: where it was made, and as what. */
export type RefFact = { readonly contextId: string; readonly position: number };

/** A waypoint whose symptoms a text shows. */
export type Surfacing = { readonly gold: string; readonly score: number; readonly condition: string };

/** Everything outside the board: time, ids, the actor, and looked-up values. */
export type Facts = {
  readonly now: number;
  readonly actor: Actor;
  /** The first one is derived from the command's id: it shows that the command was executed already. */
  readonly newId: () => string;
  /** The command's printed references that exist beyond the board: messages and exchanges. */
  readonly refs: ReadonlyMap<string, RefFact>;
  /** Which of the command's exchanges, as written, a sidebar has inherited. */
  readonly isInherited: (sidebar: Sidebar, exchange: string) => boolean;
  /** The text of an inherited exchange that a command judges; null for every other one. */
  readonly exchange?: (sidebar: Sidebar, exchange: string) => ExchangeFact | null;
  /** The text of an exchange or message that a command wants to keep; null for every other one. */
  readonly said?: (ref: string) => ExchangeFact | null;
  readonly surfacings: (text: string) => readonly Surfacing[];
  readonly language: Language;
  /** The conversation in the command's sidebar, in order, if it may be summarized. */
  readonly talk?: (sidebar: Pick<Sidebar, 'id'>) => readonly Said[];
  /** AUTO-12: references to work that wrote files, in a sidebar whose merge is decided. */
  readonly writes?: (sidebar: Pick<Sidebar, 'id'>) => readonly string[];
  /** Set when Yarnboard itself reports staleness and deadlines. */
  readonly isStale?: boolean;
  /** With only part of the board, it is unknown who has seats, so nothing is decided about them. */
  readonly areSeatsUnknown?: boolean;
  /** The sender's claims about the state of things. */
  readonly claims?: Claims;
  /** Where the error in question is described; if it is a reference, it has to exist. */
  readonly errorRef?: string;
};

export type Decision = Result<readonly Happening[], Rejection>;

export type Decider<T extends CommandType> = (board: Board, facts: Facts, command: CommandOf<T>) => Decision;

/** The deciders of these commands; complete by its type. */
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

/** LIFE-4: only participants work in a sidebar. */
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

/** LIFE-12: whether somebody may act as coordinator or curator: the role's holder, or the human intervening, which is counted. */
export const standIn = (sidebar: Sidebar, facts: Facts, role: 'coordinator' | 'curator', what: string): Result<readonly Happening[], Rejection> => {
  const holder = sidebar[role];
  if (facts.actor.id === holder || facts.actor.type === 'system') return ok([]);
  if (isOperator(facts.actor)) return ok([happenIn(facts, sidebar, 'sidebar.intervened', { instead: holder, what, taskType: sidebar.taskType })]);
  const about = { sidebar: named(sidebar), what, actor: facts.actor.id };
  return role === 'curator' ? reject('not-curator', { curator: holder, ...about }) : reject('not-coordinator', { coordinator: holder, ...about });
};

/** BOARD-5: a text that must not be empty. */
export const worded = (field: string, text: string): Result<string, Rejection> => {
  if (text.trim() === '') return reject('empty', { field });
  return text.length > MOST_TEXT ? reject('too-long', { field, length: text.length, most: MOST_TEXT }) : ok(text);
};

/** An optional text; null if missing or empty. */
export const maybeWorded = (text: string | undefined): string | null => (text === undefined || text.trim() === '' ? null : text);

/** A number from 0 to 1. */
export const isShare = (share: number | undefined): boolean => share === undefined || (share >= 0 && share <= 1);
