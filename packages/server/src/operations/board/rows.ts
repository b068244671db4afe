import { setTimeout } from 'node:timers/promises';
import { ENTRY_TYPES, findingNamed, rowsOf, sidebarIdOfContext, sidebarOf, UNTOLD_HASH, type Agent, type Board } from '@yarnboard/domain';
import { foreign, type InputOf } from '@yarnboard/protocol';
import { noCursor, readCursor, writeCursor } from '../request/cursor.ts';
import { citationUnit, emptyTold, goldUnit, sidebarUnit, type Told, type ToldTable, type Unit } from './units.ts';
import type { Store } from '@yarnboard/store';
import type { Engine } from '../../engine/engine.ts';

export type RowsNeeds = { readonly store: Pick<Store, 'log'>; readonly engine: Pick<Engine, 'board' | 'follow' | 'position' | 'forgotten'> };

/** API-30: rows with everything attached to them, and the log position they reflect. */
export const showBoard = async (needs: RowsNeeds, input: InputOf<'board'>, actorId: string | null): Promise<object> => {
  const { engine, store } = needs;
  const forgotten = await everythingForgotten(needs);
  const { count } = await store.log.head();
  // Also catches up on what other servers decided.
  await engine.follow();
  // No awaits from here on, so everything is from the same moment.
  const board = engine.board();
  const seq = engine.position();
  const { tables, unknown, nextCursor } = partOf(board, { ...input, actorId });
  return { seq, through: Math.max(count, seq), forgotten, counts: foreign(countsOf(board)), tables: foreign(tables), unknown, nextCursor };
};

/** The log announces a forget before the payload is gone. A client that fetches rows because of it must not get that payload again, so wait. */
const everythingForgotten = async ({ engine, store }: RowsNeeds): Promise<number> => {
  for (let tries = 1; ; tries += 1) {
    await engine.follow();
    const [last] = (await store.log.positionsOfType(ENTRY_TYPES.forgotten, engine.forgotten())).slice(-1);
    // A forget whose server was killed completes when it is requested again; until then the text is still there.
    if (last === undefined || tries === MOST_TRIES) return last ?? engine.forgotten();
    await setTimeout(PAUSE);
  }
};

type Tables = Readonly<Record<string, readonly (readonly [string, unknown])[]>>;

/** Some of the board's rows, and a cursor to the rest. */
export type BoardPart = { readonly tables: Tables; readonly unknown: readonly string[]; readonly nextCursor: string | null };

export type PartWanted = {
  readonly sidebars?: string | undefined;
  readonly cursor?: string | undefined;
  /** The agent whose notices to include. */
  readonly actorId: string | null;
  readonly most?: number;
};

/** API-31: as many sidebars as fit into a part, each with everything attached to it. */
export const partOf = (board: Board, { sidebars, cursor, actorId, most = MOST_CHARACTERS }: PartWanted): BoardPart => {
  const part = createPart(most);
  if (cursor === undefined) tellEverybody(board, part.told);
  // Notices are few, and may refer to sidebars that the client doesn't have.
  if (actorId !== null) part.told.notices.set(actorId, board.notices.get(actorId) ?? []);
  const more = sidebars === undefined ? tellLatest(board, part, cursor) : tellNamed(board, part, sidebars, cursor);
  part.tellNeighbours(board);
  return { ...more, tables: Object.fromEntries(Object.entries(part.told).map(([name, rows]) => [name, [...rows]])) };
};

/** Each table's total number of rows, sent or not: a pausing sidebar records such totals, so the client's fold needs them. */
export const countsOf = (board: Board): Readonly<Record<string, number>> => Object.fromEntries(TOLD.map((name) => [name, board[name].size()]));

const tellEverybody = (board: Board, told: Told): void => {
  for (const [id, agent] of board.agents.entries()) told.agents.set(id, withoutHash(agent));
  for (const [taskType, count] of board.interventions.entries()) told.interventions.set(taskType, count);
};

const withoutHash = (agent: Agent): Agent => (agent.tokenHash === null ? agent : { ...agent, tokenHash: UNTOLD_HASH });

type Part = {
  readonly told: Told;
  /** Returns false if the unit doesn't fit; the first one always does. `share` caps the part of the room it may fill. */
  readonly tell: (unit: Unit, share?: number) => boolean;
  /** Adds the references of sidebars that the rows name, and their rows as well if they are small. */
  readonly tellNeighbours: (board: Board) => void;
};

const createPart = (most: number): Part => {
  const told = emptyTold();
  const near = new Set<string>();
  let used = 0;
  const add = ({ rows, near: more }: Unit): void => {
    for (const name of TOLD) for (const [key, row] of rows[name]) told[name].set(key, row);
    for (const id of more) near.add(id);
  };
  return {
    told,
    tell: (unit, share = 1) => {
      if (used > 0 && used + unit.characters > most * share) return false;
      used += unit.characters;
      add(unit);
      return true;
    },
    tellNeighbours: (board) => {
      let room = most * SHARE_OF_NEIGHBOURS;
      const direct = [...near]; // only direct neighbours, not theirs in turn
      for (const id of direct) {
        const sidebar = told.sidebars.has(id) ? undefined : board.sidebars.get(id);
        const unit = sidebar === undefined ? null : sidebarUnit(board, sidebar);
        if (unit === null || unit.characters > Math.min(room, MOST_OF_NEIGHBOUR)) continue;
        room -= unit.characters;
        add(unit);
      }
      for (const id of near) {
        const ref = board.sidebars.get(id)?.ref ?? '';
        if (ref !== '') told.ids.set(ref, id);
      }
    },
  };
};

type More = Pick<BoardPart, 'unknown' | 'nextCursor'>;

const tellNamed = (board: Board, part: Part, sidebars: string, cursor: string | undefined): More => {
  const names = sidebars.split(',').map((name) => name.trim());
  const from = readCursor<{ from: number }>(cursor, (value) => Number.isSafeInteger(value.from))?.from ?? 0;
  const unknown: string[] = [];
  for (const [i, name] of names.entries()) {
    if (i < from) continue;
    const sidebar = sidebarOf(board, name) ?? findingNamed(board, name)?.sidebar ?? null;
    if (sidebar === null) unknown.push(name);
    else if (!part.tell(sidebarUnit(board, sidebar))) return { unknown, nextCursor: writeCursor({ from: i }) };
  }
  return { unknown, nextCursor: null };
};

/** How far a latest-first list was sent; null when complete. */
type Mark = { readonly before: number; readonly id: string } | null;
type Marks = { readonly sidebars: Mark; readonly loose: Mark };
type Listed = { readonly id: string; readonly position: number; readonly unit: () => Unit };

/** Items outside sidebars are few on most boards and come first; any that don't fit come after all the sidebars. */
const tellLatest = (board: Board, part: Part, cursor: string | undefined): More => {
  const marks = marksIn(cursor);
  const isFirst = cursor === undefined;
  const first = isFirst ? tellList(part, looseIn(board), marks.loose, SHARE_OF_LOOSE) : marks.loose;
  const sidebars = tellList(part, sidebarsIn(board), marks.sidebars);
  const loose = isFirst || sidebars !== null ? first : tellList(part, looseIn(board), first);
  return { unknown: [], nextCursor: sidebars === null && loose === null ? null : writeCursor({ sidebars, loose }) };
};

const marksIn = (cursor: string | undefined): Marks => {
  const read = readCursor<Marks>(cursor, ({ sidebars, loose }) => isMark(sidebars) && isMark(loose));
  if (read === null) return { sidebars: START, loose: START };
  if (read.sidebars === null && read.loose === null) throw noCursor(cursor ?? '');
  return read;
};

const isMark = (mark: Mark | undefined): boolean =>
  mark === null || (typeof mark === 'object' && Number.isSafeInteger(mark.before) && typeof mark.id === 'string');

const sidebarsIn = (board: Board): readonly Listed[] =>
  rowsOf(board.sidebars).map((sidebar) => ({ id: sidebar.id, position: sidebar.lastPosition, unit: () => sidebarUnit(board, sidebar) }));

/** Items created on the board itself or in a session. */
const looseIn = (board: Board): readonly Listed[] => [
  ...rowsOf(board.golds)
    .filter(({ createdIn }) => sidebarIdOfContext(createdIn) === null)
    .map((gold) => ({ ...gold, unit: () => goldUnit(board, gold) })),
  ...rowsOf(board.citations)
    .filter(({ contextId }) => sidebarIdOfContext(contextId) === null)
    .map((citation) => ({ ...citation, unit: () => citationUnit(board, citation.id) })),
];

/** Adds items after the mark until the room is used up; returns where it stopped. */
const tellList = (part: Part, all: readonly Listed[], mark: Mark, share = 1): Mark => {
  if (mark === null) return null;
  const ahead = all
    .filter(({ id, position }) => position < mark.before || (position === mark.before && id > mark.id))
    .toSorted((a, b) => b.position - a.position || (a.id < b.id ? -1 : 1));
  let at: NonNullable<Mark> = mark;
  for (const { id, position, unit } of ahead) {
    if (!part.tell(unit(), share)) return at;
    at = { before: position, id };
  }
  return null;
};

const TOLD: readonly ToldTable[] = Object.keys(emptyTold()) as ToldTable[]; // a `Told` has a key for every table
const START: NonNullable<Mark> = { before: Number.MAX_SAFE_INTEGER, id: '' };
const MOST_CHARACTERS = 2_000_000;
const SHARE_OF_LOOSE = 0.5;
const SHARE_OF_NEIGHBOURS = 0.1;
const MOST_OF_NEIGHBOUR = 20_000;
// Forgetting takes a moment: first the log announces it, then the bytes go.
const MOST_TRIES = 40;
const PAUSE = 50;
