import { equipmentOf, type Board, type NoticeKind, type Recorded } from '@yarnboard/domain';
import type { SeatEvent } from '@yarnboard/protocol';

/** RT-9: whether a notice makes a seat act: something is meant for it, or asked of it. What it is only told goes without a turn. */
export const wakes = (kind: NoticeKind): boolean => WAKING.has(kind);

/** What an event says to an agent, as far as it makes it act; null when it does not. */
export const eventFrom = (board: Board, event: Recorded, agent: string): SeatEvent | null => {
  const notice = board.notices.get(agent)?.findLast(({ position }) => position === event.position);
  if (notice !== undefined && wakes(notice.kind)) {
    return { seq: notice.position, kind: notice.kind, from: notice.from, text: notice.text, refs: notice.refs };
  }
  // Whoever responds to everything hears what others say; its own words would go round for ever.
  if (event.type !== 'chat.message' || event.by.id === agent || equipmentOf(board, agent).respondsTo !== 'all') return null;
  return { seq: event.position, kind: 'said', from: event.by.id, text: event.payload.content, refs: event.refs };
};

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
