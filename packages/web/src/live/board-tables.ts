import { emptyBoard, evolve, linkKey, parseRef, type Board, type Recorded, type Table } from '@yarnboard/domain';
import type { InsideOutput } from '@yarnboard/protocol';

/** The rows in the answer of the operation `board`. */
export type BoardRows = InsideOutput<'board'>;

/** Some rows of a board, and the fold over them. */
export type HeldBoard = {
  readonly board: Board;
  /** Adds rows that are valid at this board's position. */
  readonly put: (rows: Pick<BoardRows, 'tables' | 'counts'>) => void;
  /** Folds an event. Returns the names of sidebars missing for a complete result, and of those left uncertain; null if it can't be folded. */
  readonly fold: (event: Recorded) => readonly string[] | null;
  readonly copy: () => HeldBoard;
};

type TableName = keyof Board;
type Rows = Map<string, unknown>;
type Shelf = { readonly rows: Rows; total: number | null };
type Shelves = ReadonlyMap<TableName, Shelf>;

/** What the fold looked up in vain, and which sidebars it wrote. */
type Watch = { readonly missed: Set<string>; readonly written: Set<string>; isUnsure: boolean };

const NAMES = Object.keys(emptyBoard()) as readonly TableName[]; // a board has its tables and nothing else

export const createHeldBoard = (shelves: Shelves = new Map(NAMES.map((name) => [name, { rows: new Map(), total: null }]))): HeldBoard => {
  let watch: Watch | null = null;

  const tableOf = (name: TableName): Table<unknown> => {
    const shelf = shelves.get(name) ?? { rows: new Map<string, unknown>(), total: null };
    const { rows } = shelf;
    return {
      get: (key) => {
        const row = rows.get(key);
        if (row === undefined && watch !== null && key !== '') {
          if (name === 'sidebars' || (name === 'ids' && /^FRAG-/iu.test(key))) watch.missed.add(key);
          // A test may belong to a group whose other tests aren't loaded.
          if (name === 'links' && key.startsWith(GROUPS)) watch.isUnsure = true;
        }
        return row;
      },
      set: (key, row) => {
        // Tokens are never sent, notices only to their recipient, and loads depend on sidebars that may not be here: rows derived from events would
        // be incomplete.
        if (UNTOLD.has(name) || (name === 'notices' && !rows.has(key))) return;
        if (shelf.total !== null && !rows.has(key)) shelf.total += 1;
        rows.set(key, row);
        if (name === 'sidebars') watch?.written.add(key);
      },
      entries: () => rows.entries(),
      size: () => shelf.total ?? rows.size,
    };
  };
  const board = Object.fromEntries(NAMES.map((name) => [name, tableOf(name)])) as unknown as Board; // a table for every name

  return {
    board,
    put: ({ tables, counts }) => {
      for (const [name, shelf] of shelves) {
        for (const [key, row] of tables[name] ?? []) shelf.rows.set(String(key), row);
        if (COUNTED.has(name)) shelf.total = counts[name] ?? shelf.total;
      }
    },
    fold: (event) => {
      const seen: Watch = { missed: new Set(), written: new Set(), isUnsure: false };
      watch = seen;
      try {
        evolve(board, event);
      } catch {
        return null; // reported to the caller
      } finally {
        watch = null;
      }
      const missed = [...seen.missed].filter((key) => mayBeSidebar(board, key));
      return missed.length === 0 && !seen.isUnsure ? [] : [...missed, ...seen.written, ...awaiting(board, missed)];
    },
    copy: () => createHeldBoard(new Map([...shelves].map(([name, { rows, total }]) => [name, { rows: new Map(rows), total }]))),
  };
};

/** A sidebar may wait for anything with a reference or an id. */
const mayBeSidebar = ({ golds, citations, media, links }: Board, key: string): boolean => {
  const ref = parseRef(key);
  if (ref.ok) return ref.value.kind === 'numbered' && (ref.value.type === 'SB' || ref.value.type === 'FRAG');
  return ![golds, citations, media].some((table) => table.get(key) !== undefined) && links.get(linkKey('finding', key)) === undefined;
};

/** The sidebars that wait for one of these: their resumption is recorded there. */
const awaiting = ({ links }: Board, ids: readonly string[]): readonly string[] =>
  [...links.entries()]
    .filter(([key, waiting]) => key.startsWith(WAITING) && waiting.some((id) => ids.includes(id)))
    .map(([key]) => key.slice(WAITING.length));

const WAITING = linkKey('waiting', '');
const GROUPS = linkKey('group', '');

const UNTOLD: ReadonlySet<TableName> = new Set<TableName>([
  'tokens',
  'loads',
  'rosters',
  'requests',
  'asked',
  'equipment',
  'seatRuns',
  'turnRows',
  'validations',
  'validationConfig',
  'permissions',
  'permissionRules',
  'confidences',
  'sessionLabels',
]);
const COUNTED: ReadonlySet<TableName> = new Set<TableName>(['sidebars', 'agents', 'golds', 'citations', 'media', 'episodes']);
