import {
  assertNever,
  BOARD_CONTEXT,
  findingNamed,
  formatRef,
  itemNamed,
  refOfContext,
  rowsOf,
  sidebarOf,
  type Board,
  type Item,
  type ItemRef,
  type Ref,
  type Sidebar,
} from '@yarnboard/domain';
import { fileRefOf } from '@yarnboard/protocol';
import { agentOf, positionOfAgent } from './agents.ts';
import { claimView } from './claim-views.ts';
import { checkpointView, conflictView, episodeView } from './item-views.ts';
import { findingName, liveSidebarsOf, sidebarName } from './names.ts';
import { agentView, citationView, findingView, goldView, mediaView, scratchpadView, sidebarView } from './views.ts';

/** What a board reference resolves to, with the entry that created it, by position or id. */
export type Thing = {
  readonly view: object;
  /** REF-12: where it was created, if that differs from its entry's context. */
  readonly createdIn?: string;
  /** The id of an agent that no entry created: the operator and Claude are never registered, and their first action doesn't define them. */
  readonly id?: string;
} & ({ readonly position: number } | { readonly uuid: string });

export const thingOf = (board: Board, ref: Ref, now: number): Thing | null => {
  switch (ref.kind) {
    case 'agent': {
      const agent = agentOf(board, formatRef(ref));
      if (agent === null) return null;
      const unmade = agent.position === 0 ? { id: agent.id } : {};
      return { position: positionOfAgent(board, agent), createdIn: BOARD_CONTEXT, ...unmade, view: agentView(board, agent, liveSidebarsOf(board)) };
    }
    case 'scratch': {
      if (ref.finding !== null) return findingThing(board, formatRef(ref));
      const sidebar = sidebarOf(board, `SB-${ref.sidebar}`);
      return sidebar === null ? null : { position: sidebar.position, view: scratchpadView(board, sidebar) };
    }
    case 'file': {
      // The first citation of the file.
      const cited = rowsOf(board.citations).find(({ source }) => source.kind === 'file' && (source.hash ?? '').startsWith(ref.hash));
      const attached = rowsOf(board.media).find(({ sha256 }) => sha256?.startsWith(ref.hash) === true);
      if (cited === undefined && attached !== undefined) return { position: attached.position, view: mediaView(board, attached, null) };
      return cited === undefined
        ? null
        : { position: cited.position, view: { ...citationView(board, cited), file: cited.source.kind === 'file' ? fileRefOf(cited.source) : null } };
    }
    case 'numbered':
      return ref.type === 'FRAG' ? findingThing(board, formatRef(ref)) : numbered(board, formatRef({ ...ref, part: null }));
    case 'item': {
      const item = itemNamed(board, ref);
      return item === null ? null : itemThing(board, item, ref, now);
    }
    default:
      return assertNever(ref);
  }
};

const itemThing = (board: Board, item: Item, { number }: ItemRef, now: number): Thing => {
  switch (item.type) {
    case 'CHECKPOINT': {
      const { sidebar, checkpoint } = item;
      const named = (id: string): string => findingName(board, id, sidebar.contextId);
      return { uuid: checkpoint.id, view: checkpointView(sidebar, { one: checkpoint, number }, named) };
    }
    case 'CLAIM':
      return { uuid: item.claim.id, view: claimView(board, item.sidebar, item.claim, now) };
    case 'CONFLICT':
      return { uuid: item.conflict.id, view: conflictView(board, item.sidebar, { one: item.conflict, number }) };
    case 'EPISODE':
      return { position: item.episode.position, view: episodeView(board, item.episode) };
    default:
      return assertNever(item);
  }
};

/** The conversation that a sidebar branched off from, the sidebar it was forked from, or the board. */
const madeIn = (board: Board, { parent, forkedFrom }: Sidebar): string =>
  refOfContext(board, parent) ?? (forkedFrom === null ? BOARD_CONTEXT : sidebarName(board, forkedFrom));

const findingThing = (board: Board, ref: string): Thing | null => {
  const named = findingNamed(board, ref);
  return named === null ? null : { position: named.finding.position, view: findingView(board, named.sidebar, named.finding) };
};

const numbered = (board: Board, ref: string): Thing | null => {
  const id = board.ids.get(ref) ?? '';
  const sidebar = board.sidebars.get(id);
  if (sidebar !== undefined) return { position: sidebar.position, createdIn: madeIn(board, sidebar), view: sidebarView(board, sidebar) };
  const gold = board.golds.get(id);
  if (gold !== undefined) return { position: gold.position, view: goldView(board, gold) };
  const citation = board.citations.get(id);
  if (citation !== undefined) return { position: citation.position, view: citationView(board, citation) };
  const media = board.media.get(id);
  return media === undefined ? null : { position: media.position, view: mediaView(board, media, null) };
};
