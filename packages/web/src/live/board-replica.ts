import { ENTRY_TYPES, findingNamed, isDecided, sidebarOf, type Board, type Recorded, type Rejection } from '@yarnboard/domain';
import { createProposals, type Proposal, type QueuedSaying } from './board-proposals.ts';
import { createHeldBoard, type BoardRows, type HeldBoard } from './board-tables.ts';
import { createLateLanguage, type LateLanguage } from './late-language.ts';

export type { BoardRows } from './board-tables.ts';

/** `reload`: it could not be applied; load the board again. */
export type Taken = 'taken' | 'reload';

/**
 * Rows of the board, live: loaded in parts, folded by the domain from what the socket tells, with what is proposed here on top of it.
 *
 * Exact: once nothing is wanted (`wants`), every row is what the fold of the whole log has. Parts must be asked for when the events of the board are told
 * already, and all of those must be given to `take`, in order; entries of the board that are no events to `pass`.
 */
export type BoardReplica = {
  /** `waits`: it is newer than the events received so far, and is applied once they have arrived; `reload`: it is too old, ask again. */
  readonly load: (rows: BoardRows) => Taken | 'waits';
  /** Resolves when no part waits. */
  readonly whenTaken: () => Promise<void>;
  readonly take: (event: Recorded) => Taken;
  /** An entry received without its record: a forgotten one can't be folded. */
  readonly pass: (entry: { readonly seq: number; readonly entryType: string }) => Taken;
  /** The current rows are unreliable; they are shown until the next part is loaded, which starts over. */
  readonly clear: () => void;
  /**
   * WIRE-41: the log was replaced: nothing received so far counts, and positions start over. The current rows are shown until the next part is
   * loaded.
   */
  readonly restart: () => void;
  /** Updated in place: `version` says when to look again. */
  readonly board: () => Board;
  /** Everything decided up to here is in the rows. */
  readonly position: () => number;
  /** By SB-n or id. */
  readonly has: (sidebar: string) => boolean;
  /** The SB-n of a sidebar, even of one that only others mention. */
  readonly refOf: (id: string) => string | null;
  /** Sidebars that changed, or that are needed for certainty: to be requested by these names. */
  readonly wants: () => readonly string[];
  readonly version: () => number;
  readonly subscribe: (listener: () => void) => () => void;
  /** Shows the effect of a command until it is settled or on the log. Returns why it would be refused here; the server may disagree. */
  readonly propose: (proposal: Proposal) => Rejection | null;
  /** It was executed with this as its last entry, or not at all. */
  readonly settle: (id: string, seq: number | null) => void;
  /** REC-64: a proposal from here waits for the log: it is shown until it is settled, however long that takes. */
  readonly hold: (id: string) => void;
  /** The same for others' commands, or one's own from another window. */
  readonly queue: (saying: QueuedSaying) => void;
  /** REC-69: its outcome: it is on the log with this as its last entry, or not there (null). Returns the command, if it was still shown. */
  readonly settleQueued: (uuid: string, seq: number | null) => QueuedSaying | null;
  /** There is a new connection: waiting commands are announced again on it, and those missing at `dropUntold` are over. */
  readonly doubtQueued: () => void;
  readonly dropUntold: () => void;
  /** Ids of proposals that are not on the log yet. */
  readonly pending: () => ReadonlySet<string>;
  /** Those of them that wait for the log, and are durable. */
  readonly queued: () => ReadonlySet<string>;
  /** The same as events, in order: messages aren't in any row. */
  readonly proposed: () => readonly Recorded[];
};

/** Both boards have the same rows: `base` as of `baseAt`, `head` with the events since, which are `recent`. */
type State = { base: HeldBoard; baseAt: number; head: HeldBoard; recent: Recorded[]; position: number };

/** `soon` runs the work a little later: views need not react to each of a hundred simultaneous events. */
export const createBoardReplica = (
  mostRecent = MOST_RECENT,
  soon: (work: () => void) => void = (work) => work(),
  language: LateLanguage = createLateLanguage(),
): BoardReplica => {
  const state: State = { base: createHeldBoard(), baseAt: 0, head: createHeldBoard(), recent: [], position: 0 };
  const proposals = createProposals(language);
  const listeners = new Set<() => void>();
  const wanted = new Set<string>();
  const strange = new Set<string>();
  let waiting: BoardRows[] = [];
  let onTaken: (() => void)[] = [];
  let isNew = true;
  let hasRows = false;
  /** The latest forgetting announced, and the one that all rows reflect. */
  let forgotten = 0;
  let cleanTo = 0;
  /** Null until somebody looks: a hundred simultaneous events are no reason to decide proposals a hundred times. */
  let shown: Board | null = null;
  let version = 0;
  let isTelling = false;
  let names: { readonly version: number; readonly refs: ReadonlyMap<string, string> } | null = null;

  const tell = (): void => {
    proposals.reach(state.position);
    shown = null;
    version += 1;
    if (waiting.length === 0) for (const resolve of onTaken.splice(0)) resolve();
    if (isTelling) return;
    isTelling = true;
    soon(() => {
      if (isTelling) tellNow();
    });
  };

  const look = (): Board => {
    shown ??= hasRows ? proposals.layOver(state.head.board, state.position) : state.head.board;
    return shown;
  };

  /** The user's own actions show at once. */
  const tellNow = (): void => {
    isTelling = false;
    for (const listener of listeners) listener();
  };

  language.onLoaded(tell);

  /** False if it can't be folded: whatever the server made of it, it has rows. */
  const follow = (event: Recorded): boolean => {
    const names = state.head.fold(event);
    for (const name of names ?? []) if (!strange.has(name)) wanted.add(name);
    return names !== null;
  };

  const begin = (rows: BoardRows): Taken => {
    if (rows.through < state.baseAt) return 'reload';
    isNew = false;
    hasRows = true;
    cleanTo = rows.forgotten;
    state.base = createHeldBoard();
    state.recent = state.recent.filter(({ position }) => position > rows.through);
    wanted.clear();
    strange.clear();
    putAt(rows);
    return 'taken';
  };

  const add = (rows: BoardRows): Taken => {
    if (rows.through < state.baseAt) return 'reload';
    cleanTo = Math.min(cleanTo, rows.forgotten);
    putAt(rows);
    return 'taken';
  };

  /** Advances the base to the position of the rows, puts them in, and folds on from there. */
  const putAt = (rows: BoardRows): void => {
    const later = state.recent.findIndex(({ position }) => position > rows.through);
    const earlier = state.recent.splice(0, later < 0 ? state.recent.length : later);
    for (const event of earlier) state.base.fold(event);
    state.base.put(rows);
    state.baseAt = Math.max(state.baseAt, rows.seq);
    state.position = Math.max(state.position, rows.through);
    for (const name of rows.unknown) strange.add(name);
    for (const name of wanted) if (strange.has(name) || isAmong(rows, state.base.board, name)) wanted.delete(name);
    state.head = state.base.copy();
    for (const event of state.recent) follow(event);
  };

  /** Applies what was waiting for the events up to here. */
  const admit = (upTo: number): void => {
    const ready = waiting.filter(({ seq }) => seq <= upTo);
    if (ready.length === 0) return;
    waiting = waiting.filter(({ seq }) => seq > upTo);
    for (const rows of ready) add(rows);
  };

  /** Reported once: a second report is useless until the board has been reloaded. */
  const distrust = (): Taken => {
    const wasNew = isNew;
    isNew = true;
    waiting = [];
    wanted.clear();
    return wasNew ? 'taken' : 'reload';
  };

  const keep = (event: Recorded): void => {
    state.recent.push(event);
    if (state.recent.length <= mostRecent) return;
    const [oldest] = state.recent.splice(0, 1);
    if (oldest === undefined) return;
    state.base.fold(oldest);
    state.baseAt = oldest.position;
  };

  return {
    load: (rows) => {
      if (rows.forgotten < forgotten) return 'reload';
      if (!isNew && rows.seq > state.position) {
        waiting.push(rows);
        return 'waits';
      }
      const taken = isNew ? begin(rows) : add(rows);
      tell();
      return taken;
    },
    whenTaken: () =>
      waiting.length === 0
        ? Promise.resolve()
        : new Promise((resolve) => {
            onTaken.push(resolve);
          }),
    take: (event) => {
      // A proposal's arrival is judged by what was decided before it.
      if (proposals.mayHave(event.by)) look();
      const isProposed = proposals.arrive(event.uuid);
      if (event.position <= state.position) {
        if (isProposed) tell();
        return 'taken';
      }
      admit(event.position - 1);
      keep(event);
      state.position = event.position;
      const taken = !hasRows || follow(event) ? 'taken' : distrust();
      admit(event.position);
      tell();
      return taken;
    },
    pass: ({ seq, entryType }) => {
      const isForgetting = entryType === ENTRY_TYPES.forgotten && seq > cleanTo;
      const isGap = isDecided(entryType) && seq > state.position;
      if (!isForgetting && !isGap) return 'taken';
      if (isForgetting) forgotten = Math.max(forgotten, seq);
      const taken = distrust();
      // Earlier events may contain what was forgotten, and from here on there is a gap in them.
      state.recent = [];
      state.baseAt = Math.max(state.position, seq);
      state.position = state.baseAt;
      tell();
      return taken;
    },
    clear: () => {
      distrust();
      tell();
    },
    restart: () => {
      distrust();
      state.recent = [];
      [state.baseAt, state.position, forgotten, cleanTo] = [0, 0, 0, 0];
      strange.clear();
      tell();
    },
    board: look,
    position: () => state.position,
    has: (sidebar) => sidebarOf(state.head.board, sidebar) !== null,
    refOf: (id) => {
      if (names?.version !== version) names = { version, refs: refsBy(state.head.board) };
      return names.refs.get(id) ?? null;
    },
    wants: () => [...wanted],
    version: () => version,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    propose: (proposal) => {
      proposals.add(proposal);
      tell();
      look();
      tellNow();
      return proposals.refusalOf(proposal.id);
    },
    settle: (id, seq) => {
      if (!proposals.settle(id, seq, state.position)) return;
      tell();
      tellNow();
    },
    hold: (id) => {
      look(); // it stays as it is decided now
      proposals.hold(id);
      tell();
      tellNow();
    },
    queue: (saying) => {
      if (proposals.queue(saying)) tell();
    },
    settleQueued: (uuid, seq) => {
      const was = proposals.settleQueued(uuid, seq, state.position);
      if (was !== null) tell();
      return was;
    },
    doubtQueued: proposals.doubt,
    dropUntold: () => {
      if (proposals.dropUntold()) tell();
    },
    queued: () => {
      look();
      return proposals.queued();
    },
    pending: () => {
      look();
      return new Set(proposals.events().map(({ uuid }) => uuid));
    },
    proposed: () => {
      look();
      return proposals.events();
    },
  };
};

const isAmong = ({ tables }: BoardRows, board: Board, name: string): boolean => {
  const id = (sidebarOf(board, name) ?? findingNamed(board, name)?.sidebar)?.id;
  return id !== undefined && (tables['sidebars'] ?? []).some(([key]) => key === id);
};

const refsBy = ({ ids }: Board): ReadonlyMap<string, string> =>
  new Map([...ids.entries()].filter(([ref]) => ref.startsWith('SB-')).map(([ref, id]) => [id, ref]));

/** How many events are kept to update older parts: as many as may arrive while an answer is on its way. */
const MOST_RECENT = 500;
