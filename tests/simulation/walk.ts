import {
  canMove,
  contextIdOf,
  contextIdOfSidebar,
  emptyBoard,
  evolve,
  findingOf,
  goldOf,
  isDecided,
  obstaclesNow,
  OPERATOR,
  rowsOf,
  type Actor,
  type Board,
  type ChainedEntry,
  type Recorded,
  type Sidebar,
  type Status,
  type Table,
} from '@yarnboard/domain';
import { createLanguage } from '@yarnboard/language';
import type { Store } from '@yarnboard/store';
import { storedEvent } from '../../packages/server/src/engine/stored-events.ts';
import { SESSION } from './wishes.ts';

/** Something that was said, as a copy of it would have it. */
export type Said = { readonly position: number; readonly text: string };

/** What the log says, read one entry after the other, with everything that must not be true of it. */
export type Walk = {
  readonly entries: readonly ChainedEntry[];
  readonly events: readonly Recorded[];
  readonly board: Board;
  /** By sidebar: what it would have inherited, had it been copied when it was spawned. */
  readonly inherited: ReadonlyMap<string, readonly Said[]>;
  readonly local: ReadonlyMap<string, readonly Said[]>;
  readonly complaints: readonly string[];
};

/** `before` is shown every event before it is folded. */
export const walkLog = async ({ log }: Store, before: (board: Board, event: Recorded) => string | null): Promise<Walk> => {
  const entries = await log.entriesAfter(0, 100_000);
  const payloads = await log.payloadsOf(entries.map(({ position }) => position));
  const board = emptyBoard();
  const events: Recorded[] = [];
  const inherited = new Map<string, readonly Said[]>();
  const local = new Map<string, Said[]>([[SESSION, []]]);
  const complaints: string[] = [...wrongNumbers(entries)];
  for (const entry of entries) {
    const bytes = payloads.get(entry.position);
    if (!isDecided(entry.type)) {
      if (entry.sessionId === SESSION && bytes !== undefined) local.get(SESSION)?.push({ position: entry.position, text: wordsOf(bytes) });
      continue;
    }
    if (bytes === undefined) {
      complaints.push(`entry ${entry.position} (${entry.type}) has no payload`);
      continue;
    }
    const event = recordedOf(entry, bytes);
    events.push(event);
    // While a batch is decided, guesses stand for numbers that are not given yet.
    if (/\d{12}/u.test(JSON.stringify(event.payload).replaceAll(UUIDS, '')))
      complaints.push(`entry ${event.position} (${event.type}) has a number that nobody gave`);
    const complaint = before(board, event);
    if (complaint !== null) complaints.push(complaint);
    complaints.push(...wrongMerge(board, event));
    if (event.type === 'sidebar.spawned') {
      inherited.set(event.uuid, copyFor(event, inherited, local));
      local.set(contextIdOfSidebar(event.uuid), []);
    }
    if (event.type === 'chat.message') local.get(event.contextId)?.push({ position: event.position, text: event.payload.content });
    if (event.type === 'memory.merged') local.get(event.contextId)?.push({ position: event.position, text: event.payload.text });
    const were = new Map(rowsOf(board.sidebars).map((sidebar) => [sidebar.id, sidebar]));
    evolve(board, event);
    for (const now of rowsOf(board.sidebars)) {
      const was = were.get(now.id);
      const what = `entry ${event.position} (${event.type} by ${event.by.id})`;
      if (isWrongMove(was?.status, now.status)) complaints.push(`${what} moves ${now.ref} from ${was?.status ?? 'nothing'} to ${now.status}`);
      if (was !== undefined && isEndedByAnother(was, now, event.by)) complaints.push(`${what} ends ${now.ref}, which is ${was.coordinator}'s to end`);
      if (was !== undefined && isBroughtByAnother(was, now, event.by)) complaints.push(`${what} brings somebody into ${now.ref} who was not let in`);
    }
  }
  return { entries, events, board, inherited, local, complaints };
};

const recordedOf = (entry: ChainedEntry, bytes: Uint8Array): Recorded => {
  const read = storedEvent(entry, bytes);
  if (!read.ok) throw new Error(`entry ${entry.position}: ${JSON.stringify(read.error)}`);
  return read.value;
};

/** What was said in a line of the session. */
const wordsOf = (bytes: Uint8Array): string => {
  const { message } = JSON.parse(Buffer.from(bytes).toString()) as { readonly message: { readonly content: Content } }; // as `lineOfSession` makes them
  return typeof message.content === 'string' ? message.content : message.content.map(({ text }) => text).join('');
};

type Content = string | readonly { readonly text: string }[];

const wrongNumbers = (entries: readonly ChainedEntry[]): readonly string[] => {
  const last = new Map<string, number>();
  return entries.flatMap(({ position, refs }, i) => [
    ...(position === i + 1 ? [] : [`entry ${position} stands where ${i + 1} should`]),
    ...refs.flatMap((ref) => {
      const [type = '', number = ''] = ref.split('-');
      const wanted = (last.get(type) ?? 0) + 1;
      last.set(type, Number(number));
      return Number(number) === wanted ? [] : [`entry ${position} is ${ref}, not ${type}-${wanted}`];
    }),
  ]);
};

const isWrongMove = (from: Status | undefined, to: Status): boolean =>
  from === undefined ? to !== 'ACTIVE' && to !== 'TESTING' : from !== to && !canMove(from, to);

/** RIGHT-1, said once more and without its table: ending is the coordinator's or the human's, and Yarnboard's, which keeps the deadlines. */
const isEndedByAnother = (was: Sidebar, now: Sidebar, by: Actor): boolean =>
  was.status !== now.status && (now.status === 'FAILED' || now.status === 'ARCHIVED') && !isOfHouse(by) && by.id !== was.coordinator;

/** RIGHT-2: whoever takes part brings others; a stranger comes alone, and only where the door is open. */
const isBroughtByAnother = (was: Sidebar, now: Sidebar, by: Actor): boolean => {
  const team = [was.coordinator, was.curator, ...was.participants];
  const brought = now.participants.filter((agent) => !team.includes(agent));
  return brought.length > 0 && !isOfHouse(by) && !team.includes(by.id) && !(was.isOpen && brought.every((agent) => agent === by.id));
};

const isOfHouse = (by: Actor): boolean => by.id === OPERATOR.id || by.type === 'system';

/** Only what is confirmed and stands goes back, from a sidebar without children at work, into one that has not ended. */
const wrongMerge = (board: Board, event: Recorded): readonly string[] => {
  if (event.type !== 'sidebar.merged') return [];
  const sidebar = rowsOf(board.sidebars).find(({ contextId }) => contextId === event.contextId);
  if (sidebar === undefined) return [`entry ${event.position} merges nothing`];
  const findings = event.payload.package.keyFindings.filter((ref) => {
    const found = findingOf(sidebar.scratchpad, ref);
    return found === null || found.status !== 'confirmed' || found.supersededBy !== null;
  });
  const golds = event.payload.package.goldCandidates.filter((ref) => goldOf(board, ref)?.status !== 'confirmed');
  const wrong = [...findings, ...golds].map((ref) => `entry ${event.position} merges ${ref}, which is not confirmed`);
  const live = sidebar.children.filter((id) => !ENDS.has(board.sidebars.get(id)?.status ?? 'ACTIVE'));
  const isEnded = [...board.sidebars.entries()].some(
    ([, { contextId, status }]) => contextId === contextIdOf(event.payload.target) && ENDS.has(status),
  );
  // AUTO-3: Yarnboard approves what nothing is in the way of.
  const obstacles = event.by.type === 'system' ? obstaclesNow(board, sidebar, { now: event.at, language: LANGUAGE }) : [];
  return [
    ...wrong,
    ...obstacles.map(({ kind }) => `entry ${event.position} merges ${sidebar.ref} by itself, in spite of ${kind}`),
    ...(live.length > 0 ? [`entry ${event.position} merges ${sidebar.ref} while its children are at work`] : []),
    ...(isEnded ? [`entry ${event.position} merges into what has ended`] : []),
  ];
};

/** Inherited memory the dear way: everything that the origin had, copied. */
const copyFor = (
  { payload: { origin }, position }: Recorded<'sidebar.spawned'>,
  inherited: ReadonlyMap<string, readonly Said[]>,
  local: ReadonlyMap<string, readonly Said[]>,
): readonly Said[] => {
  if (origin.kind === 'none') return [];
  const all =
    origin.kind === 'session'
      ? local.get(origin.sessionId)
      : [...(inherited.get(origin.sidebarId) ?? []), ...(local.get(contextIdOfSidebar(origin.sidebarId)) ?? [])];
  return (all ?? []).filter((said) => said.position <= (origin.upTo ?? position));
};

/** A board as text, so that two can be compared. */
export const dumpOf = (board: Board): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(board).map(([name, table]) => [name, JSON.stringify([...(table as Table<unknown>).entries()])]));

const UUIDS = /[\da-f]{8}-[\da-f-]{27}|[\da-f]{64}|"deadline":\d+|"at":\d+|"pausedFor":\d+|\d\.\d+/gu;
const ENDS: ReadonlySet<Status> = new Set(['MERGED', 'FAILED', 'ARCHIVED']);

const LANGUAGE = createLanguage({ mask: (text) => text });
