import { fileKey, linked } from '../board/links.ts';
import { findingNamed } from '../board/references.ts';
import type { Board } from '../board/state.ts';
import type { EventType, Recorded } from '../messages/catalogue.ts';
import { BOARD_CONTEXT, sidebarIdOfContext } from '../messages/values.ts';
import { formatRef, parseRef } from '../refs.ts';
import { refOfEpisode, refOfItem } from '../scratchpad/items.ts';
import { refOfFinding } from '../scratchpad/state.ts';
import { nameOfContext } from '../sidebar/evolve.ts';
import { assertNever } from '../never.ts';
import type { HowKnown, StringKind } from './kinds.ts';
import type { Tie } from './ties.ts';

/** What only the log knows: the reference of the record or message with a uuid, or of the entry at a position. */
export type Places = { readonly ofUuid: (uuid: string) => string | null; readonly at: (position: number) => string | null };

/** The context of an event: today's board, since names never change. */
export type Around<T extends EventType = EventType> = { readonly board: Board; readonly event: Recorded<T>; readonly places: Places };

/** TRACE-5: the unique name of a reference's target, however it is spelled: FRAG-n is a finding, and lines of a file belong to its content. */
export const nodeOf = (board: Board, text: string): string => {
  const read = parseRef(text);
  if (!read.ok) return text;
  const ref = read.value;
  switch (ref.kind) {
    case 'file':
      return contentNode(board, ref.hash);
    case 'scratch': {
      const named = ref.finding === null ? null : findingNamed(board, formatRef(ref));
      return named === null ? formatRef(ref) : refOfFinding(named.sidebar.ref, named.finding);
    }
    case 'numbered': {
      const named = ref.type === 'FRAG' ? findingNamed(board, formatRef(ref)) : null;
      return named === null ? formatRef(ref) : refOfFinding(named.sidebar.ref, named.finding);
    }
    case 'agent':
    case 'item':
      return formatRef(ref);
    default:
      return assertNever(ref);
  }
};

/** A content is identified by its hash; a prefix means the first one that matches. */
export const contentNode = (board: Board, hash: string): string => {
  const known = linked(board, 'file', fileKey(hash)).find((one) => one.startsWith(hash) || hash.startsWith(one)) ?? hash;
  return `FILE-${known.slice(0, SHOWN_HASH)}`;
};

/** The conversation of an event; null if it belongs to none. */
export const contextNode = (board: Board, contextId: string): string | null =>
  contextId === BOARD_CONTEXT || contextId === '' ? null : nameOfContext(board, contextId);

export const sidebarNode = (board: Board, id: string): string => board.sidebars.get(id)?.ref || id;

export const findingNode = (board: Board, contextId: string, id: string): string => {
  const sidebar = board.sidebars.get(sidebarIdOfContext(contextId) ?? '') ?? board.sidebars.get(linked(board, 'finding', id)[0] ?? '');
  const finding = sidebar?.scratchpad.findings.find((one) => one.id === id);
  return sidebar === undefined || finding === undefined ? nodeOf(board, id) : refOfFinding(sidebar.ref, finding);
};

export const goldNode = (board: Board, id: string): string => board.golds.get(id)?.ref || id;

export const mediaNode = (board: Board, id: string): string => board.media.get(id)?.ref || id;

export const episodeNode = (board: Board, id: string): string => refOfEpisode(board, id);

export const itemNode = (board: Board, contextId: string, type: 'CHECKPOINT' | 'CLAIM' | 'CONFLICT', id: string): string => {
  const sidebar = board.sidebars.get(sidebarIdOfContext(contextId) ?? '');
  return sidebar === undefined ? id : refOfItem(sidebar, type, id);
};

/** The conflict with this id, in whichever of these sidebars. */
export const conflictNode = (board: Board, sidebarId: string | null, id: string): string => {
  const sidebar = board.sidebars.get(sidebarId ?? '');
  return sidebar === undefined ? id : refOfItem(sidebar, 'CONFLICT', id);
};

/** Makes the ties of one event; ties without an end are dropped. */
export const tier =
  ({ event }: { readonly event: Pick<Recorded, 'at' | 'by' | 'position'> }) =>
  (from: string | null, kind: StringKind, to: string | null, how: HowKnown = 'said', note: string | null = null): readonly Tie[] =>
    from === null || to === null || from === '' || to === ''
      ? []
      : [{ from, to, kind, at: event.at, by: event.by.id, entry: event.position, how, note }];

/** A person or an agent; null for Yarnboard itself. */
export const somebody = (id: string): string | null => (id.startsWith('AGENT-') ? id : null);

const SHOWN_HASH = 12;
