import type { Recorded } from './events.ts';
import type { Board, Notice } from './state.ts';

/** Puts something into somebody's inbox. What was read is gone from it; the log keeps it. */
export const tell = (
  board: Board,
  agent: string,
  event: Recorded,
  kind: Notice['kind'],
  text: string,
  refs: readonly string[] = event.refs,
): void => {
  const before = board.notices.get(agent) ?? [];
  const notice: Notice = { position: event.position, at: event.at, kind, contextId: event.contextId, text: shortened(text), refs, from: event.by.id };
  board.notices.set(agent, [...before.slice(-(MOST_NOTICES - 1)), notice]);
};

export const noticesFor = (
  board: Board,
  agents: readonly string[],
  event: Recorded,
  kind: Notice['kind'],
  text: string,
  refs?: readonly string[],
): void => {
  for (const agent of new Set(agents)) tell(board, agent, event, kind, text, refs);
};

const shortened = (text: string): string => (text.length <= MOST_SAID ? text : `${text.slice(0, MOST_SAID)}…`);

// AGT-10: whoever never reads is told the latest, and in short; everything is on the log.
const MOST_NOTICES = 200;
const MOST_SAID = 1000;
