import { cutText, equipmentOf, requestFor, seatRunOf, type Board, type NoticeKind, type Recorded } from '@yarnboard/domain';
import type { SeatEvent } from '@yarnboard/protocol';
import { readMemory, type Memory } from '../engine/memory.ts';
import type { SeatPlace } from './port.ts';

/** RT-9: whether a notice starts a turn, which it does if it is meant for the seat or asks something of it. Mere information doesn't. */
export const wakes = (kind: NoticeKind): boolean => WAKING.has(kind);

/** What an event tells an agent if it should act on it; null if not. */
export const eventFrom = (board: Board, event: Recorded, agent: string, together: readonly Recorded[] = []): SeatEvent | null => {
  const notice = board.notices.get(agent)?.findLast(({ position }) => position === event.position);
  if (notice !== undefined && wakes(notice.kind)) {
    const text = (notice.kind === 'mention' ? saidIn(event, together) : null) ?? notice.text;
    return { seq: notice.position, kind: notice.kind, from: notice.from, text, refs: notice.refs };
  }
  // Agents that respond to everything hear what others say. Hearing themselves would loop forever.
  if (event.type !== 'chat.message' || event.by.id === agent || equipmentOf(board, agent).respondsTo !== 'all') return null;
  return { seq: event.position, kind: 'said', from: event.by.id, text: cutWords(event.payload.content), refs: event.refs };
};

/** RT-76: whether a seat may have missed words that no inbox keeps. A seat that never had a turn reads them in its briefing. */
export const missesWords = (board: Board, { agent, sidebarId }: SeatPlace): boolean =>
  equipmentOf(board, agent).respondsTo === 'all' && (seatRunOf(board, agent, sidebarId)?.turns ?? 0) > 0;

/** RT-76: what others said since this seat was last told anything, and since it joined; the latest of it. */
export const saidSince = async (memory: Memory, board: Board, { agent, sidebarId }: SeatPlace): Promise<readonly SeatEvent[]> => {
  const sidebar = board.sidebars.get(sidebarId);
  if (sidebar === undefined) return [];
  const since = Math.max(seatRunOf(board, agent, sidebarId)?.toldUpTo ?? 0, requestFor(board, agent, sidebarId)?.endedPosition ?? 0);
  const { items } = await readMemory(memory, board, sidebar, 'local', { limit: MOST_MISSED, isNewestFirst: true });
  return items
    .filter(({ kind, position, sender, senderType }) => kind === 'message' && position > since && sender !== agent && senderType !== 'system')
    .toReversed()
    .map(({ position, sender, text, ref }) => ({ seq: position, kind: 'said', from: sender, text: cutWords(text), refs: ref === null ? [] : [ref] }));
};

/** RT-71: a notice is an excerpt, but a seat that should act on a message needs all of it. The message is in the same commit. */
const saidIn = (event: Recorded, together: readonly Recorded[]): string | null => {
  const { payload } = event;
  if (!('about' in payload)) return null;
  const said = together.find(({ uuid }) => uuid === payload.about);
  return said?.type === 'chat.message' ? cutWords(said.payload.content) : null;
};

const cutWords = (words: string): string =>
  words.length <= MOST_WORDS ? words : `${cutText(words, MOST_WORDS)}… (the rest is behind its reference)`;

/** The rest is in its briefing, or can be asked for. */
const MOST_MISSED = 100;
/** The size of a briefing. */
const MOST_WORDS = 48_000;

const WAKING: ReadonlySet<NoticeKind> = new Set<NoticeKind>([
  'mention',
  'conflict',
  'dispute',
  'escalation',
  'merge',
  'package',
  'proposal',
  'recruited',
  'resumed',
  'review',
  'role',
]);
