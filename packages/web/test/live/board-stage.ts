import { maskSecrets, OPERATOR, rowsOf, type Actor, type Board, type Command, type Recorded } from '@yarnboard/domain';
import { createLanguage } from '@yarnboard/language';
import { encodeRecord, recordedIn } from '@yarnboard/protocol';
import { anyCommand, beginning, randomFrom } from '../../../domain/test/board/histories.ts';
import { createWorld, type World } from '../../../domain/test/board/world.ts';
import { countsOf, partOf, type PartWanted } from '../../../server/src/operations/board/rows.ts';
import { emptyTold, sidebarUnit, type Told } from '../../../server/src/operations/board/units.ts';
import { commandIds } from '../../src/live/board-ids.ts';
import { createBoardReplica, type BoardReplica, type BoardRows } from '../../src/live/board-replica.ts';

/** As if it had been on the wire. */
const wired = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T; // what it was, but for what JSON leaves out

export const toldOf = (event: Recorded): Recorded => {
  const told = recordedIn(wired({ record: encodeRecord(event) })); // of an event only its record is read
  if (told?.ok !== true) throw new Error(`${event.type} has no record`);
  return told.value;
};

export const rowsFrom = (world: World, wanted: Omit<PartWanted, 'actorId'>, actorId: string | null): BoardRows => {
  const seq = world.log.at(-1)?.position ?? 0;
  const { tables, unknown, nextCursor } = partOf(world.board, { ...wanted, actorId });
  return wired({ seq, through: seq, forgotten: 0, counts: countsOf(world.board), tables, unknown, nextCursor });
};

/** A world in which something happens by chance, the same for the same seed. */
export type Play = { readonly world: World; readonly random: () => number; readonly step: () => void };

export const playFrom = (seed: number, steps: number): Play => {
  const random = randomFrom(seed);
  const world = createWorld();
  world.hear('session-1');
  for (const { command, actor } of beginning()) world.perform(command, actor);
  const step = (): void => {
    if (random() < 0.1) world.hear('session-2');
    const { command, actor } = wishIn(world, random);
    world.perform(command, actor);
  };
  for (let n = 0; n < steps; n += 1) step();
  return { world, random, step };
};

export const wishIn = (world: World, random: () => number): { readonly command: Command; readonly actor: Actor } => {
  const said = (type: string): readonly string[] => [...world.refs.keys()].filter((ref) => ref.startsWith(type));
  return anyCommand({ board: world.board, random, messages: said('MSG-'), exchanges: said('EXCH-'), sessions: ['session-1', 'session-2'] });
};

/** Does a command as the engine does: its ids are made of who sends it and its message id. */
export const performAs = (world: World, command: Command, actor: Actor, messageId: string): boolean =>
  world.perform(command, actor, { newId: commandIds(actor.id, messageId) }).ok;

type Rows = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const shownRows = (told: Told): Rows => wired(Object.fromEntries(Object.entries(told).map(([name, rows]) => [name, Object.fromEntries(rows)])));

/** What the board says of the sidebars that a replica has, and of everything that hangs on them. */
export const expectedOf = (board: Board, replica: BoardReplica, actorId: string): Rows => {
  const told = emptyTold();
  const held = [...replica.board().sidebars.entries()].flatMap(([id]) => board.sidebars.get(id) ?? []);
  for (const sidebar of held) add(told, sidebarUnit(board, sidebar).rows);
  for (const [id, agent] of board.agents.entries()) told.agents.set(id, { ...agent, tokenHash: agent.tokenHash === null ? null : '' });
  for (const [taskType, count] of board.interventions.entries()) told.interventions.set(taskType, count);
  told.notices.set(actorId, board.notices.get(actorId) ?? []);
  for (const name of LOOSE) for (const [id] of replica.board()[name].entries()) told[name].set(id, board[name].get(id));
  // A list that is empty again is as good as none.
  for (const [key, ids] of told.links) if (Array.isArray(ids) && ids.length === 0) told.links.delete(key);
  return shownRows(told);
};

/** What the replica says of the same. */
export const foundIn = (replica: BoardReplica, expected: Rows): Rows => {
  const board = replica.board();
  return wired(
    Object.fromEntries(
      Object.entries(expected).map(([name, rows]) => [
        name,
        Object.fromEntries(Object.keys(rows).map((key) => [key, board[name as keyof Board].get(key)])), // a name of a table
      ]),
    ),
  );
};

const add = (told: Told, rows: Told): void => {
  for (const [name, table] of Object.entries(rows)) for (const [key, row] of table) told[name as keyof Told].set(key, row); // a name of a table
};

// Whatever is there must be right, whether it belongs to a sidebar that is there or not.
const LOOSE = ['sidebars', 'golds', 'citations', 'media', 'episodes', 'ids'] as const;

/** A page and its connection: what the server says is on its way for a while, answers and events each in their order or not. */
export type Page = {
  readonly replica: BoardReplica;
  /** Hears some of what was told; up to everything. */
  readonly hear: (most: number) => void;
  readonly ask: (...sidebars: readonly string[]) => void;
  /** For older ones, or from the start. */
  readonly askNext: () => void;
  /** Takes an answer that has come. */
  readonly answer: (which: number) => void;
  readonly answers: () => number;
  /** The connection is lost, and everything since a place is told again. */
  readonly comeBack: (events: number) => void;
  /** Hears everything, and asks for what it wants until there is nothing. */
  readonly settleDown: () => void;
};

type Wanted = { readonly sidebars?: string; readonly cursor?: string };
type Asked = { readonly wanted: Wanted; readonly rows: BoardRows };

export const openPage = ({ world }: Play, most: number, mostRecent?: number): Page => {
  // As in a page that has loaded them: the server and the page find the same.
  const language = { ...createLanguage({ mask: (text) => maskSecrets(text).text }), onLoaded: () => {} };
  const replica = createBoardReplica(mostRecent, (work) => work(), language);
  const answers: Asked[] = [];
  let heard = world.log.length;
  let cursor: string | null = null;
  const ask = (wanted: Wanted): void => void answers.push({ wanted, rows: rowsFrom(world, { ...wanted, most }, OPERATOR.id) });
  const begin = (): void => {
    replica.clear();
    ask({});
  };
  const take = (event: Recorded | undefined): void => {
    if (event !== undefined && replica.take(toldOf(event)) === 'reload') begin();
  };
  const hear = (count: number): void => {
    for (const end = Math.min(world.log.length, heard + count); heard < end; heard += 1) take(world.log[heard]);
  };
  const answer = (which: number): void => {
    const [asked] = answers.splice(which, 1);
    if (asked === undefined) return;
    const { wanted, rows } = asked;
    if (replica.load(rows) === 'reload') ask(wanted);
    else if (wanted.sidebars === undefined) cursor = rows.nextCursor;
  };
  begin();
  return {
    replica,
    hear,
    ask: (...sidebars) => ask({ sidebars: sidebars.join(',') }),
    askNext: () => ask(cursor === null ? {} : { cursor }),
    answer,
    answers: () => answers.length,
    comeBack: (events) => {
      for (const event of world.log.slice(Math.max(0, heard - events), heard)) take(event);
    },
    settleDown: () => {
      for (let rounds = 0; rounds < 20; rounds += 1) {
        hear(Number.POSITIVE_INFINITY);
        while (answers.length > 0) answer(0);
        const wants = replica.wants();
        if (wants.length === 0) return;
        ask({ sidebars: wants.join(',') });
      }
      throw new Error(`there is no end to what it wants: ${replica.wants().join(', ')}`);
    },
  };
};

/** What the replica has, and what it should have, which is the same. */
export const compared = ({ world }: Play, { replica }: Page): { readonly found: Rows; readonly expected: Rows } => {
  const sizes = ({ golds, citations, sidebars }: Board): Readonly<Record<string, number>> => ({
    golds: golds.size(),
    citations: citations.size(),
    sidebars: sidebars.size(),
    tokens: replica.board().tokens.size(),
  });
  const expected = expectedOf(world.board, replica, OPERATOR.id);
  return {
    found: { ...foundIn(replica, expected), sizes: sizes(replica.board()) },
    expected: { ...expected, sizes: { ...sizes(world.board), tokens: 0 } },
  };
};

/** Something happens: in the world, on the way, or in the page. */
export const live = (play: Play, page: Page): void => {
  const { world, random, step } = play;
  const below = (count: number): number => Math.floor(random() * count);
  const dice = random();
  if (dice < 0.35) step();
  else if (dice < 0.65) page.hear(1 + below(6));
  else if (dice < 0.8) page.answer(below(page.answers()));
  else if (dice < 0.82) page.askNext();
  else if (dice < 0.84) page.ask(rowsOf(world.board.sidebars)[below(world.board.sidebars.size())]?.ref ?? '');
  else if (dice < 0.97) page.ask(...page.replica.wants(), 'SB-9999');
  else page.comeBack(below(30));
};
