import { cutText } from '../policies/cutting.ts';
import type { Board, Notice } from './state.ts';
import type { Recorded } from '../messages/catalogue.ts';

/** Puts something into somebody's inbox. What was read is gone from it; the log keeps it. */
export const tell = (
  board: Board,
  agent: string,
  event: Recorded,
  kind: Notice['kind'],
  text: string,
  refs: readonly string[] = event.refs,
): void => {
  noticesFor(board, [agent], event, kind, text, refs);
};

export const noticesFor = (
  board: Board,
  agents: readonly string[],
  event: Recorded,
  kind: Notice['kind'],
  text: string,
  refs: readonly string[] = event.refs,
): void => {
  const said = text.length <= MOST_SAID ? text : `${cutText(text, MOST_SAID)}…`;
  const notice: Notice = { position: event.position, at: event.at, kind, contextId: event.contextId, text: said, refs, from: event.by.id };
  for (const agent of new Set(agents)) board.notices.set(agent, [...(board.notices.get(agent) ?? []).slice(-(MOST_NOTICES - 1)), notice]);
};

// AGT-10: whoever never reads is told the latest, and in short; everything is on the log.
const MOST_NOTICES = 200;
const MOST_SAID = 1000;
