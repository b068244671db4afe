import { cutText, equipmentOf, type Board, type NoticeKind, type Recorded } from '@yarnboard/domain';
import type { SeatEvent } from '@yarnboard/protocol';

/** RT-9: whether a notice makes a seat act: something is meant for it, or asked of it. What it is only told goes without a turn. */
export const wakes = (kind: NoticeKind): boolean => WAKING.has(kind);

/** What an event says to an agent, as far as it makes it act; null when it does not. */
export const eventFrom = (board: Board, event: Recorded, agent: string, together: readonly Recorded[] = []): SeatEvent | null => {
  const notice = board.notices.get(agent)?.findLast(({ position }) => position === event.position);
  if (notice !== undefined && wakes(notice.kind)) {
    const text = (notice.kind === 'mention' ? saidIn(event, together) : null) ?? notice.text;
    return { seq: notice.position, kind: notice.kind, from: notice.from, text, refs: notice.refs };
  }
  // Whoever responds to everything hears what others say; its own words would go round for ever.
  if (event.type !== 'chat.message' || event.by.id === agent || equipmentOf(board, agent).respondsTo !== 'all') return null;
  return { seq: event.position, kind: 'said', from: event.by.id, text: cutWords(event.payload.content), refs: event.refs };
};

/** RT-71: a notice tells in short; whoever is to act on what was said hears all of it. It is in the same commit. */
const saidIn = (event: Recorded, together: readonly Recorded[]): string | null => {
  const { payload } = event;
  if (!('about' in payload)) return null;
  const said = together.find(({ uuid }) => uuid === payload.about);
  return said?.type === 'chat.message' ? cutWords(said.payload.content) : null;
};

const cutWords = (words: string): string =>
  words.length <= MOST_WORDS ? words : `${cutText(words, MOST_WORDS)}… (the rest is behind its reference)`;

/** As much as a briefing holds. */
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
