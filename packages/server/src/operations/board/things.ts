import { assertNever, findingNamed, formatRef, rowsOf, sidebarOf, type Board, type Ref } from '@yarnboard/domain';
import { fileRefOf } from '@yarnboard/protocol';
import { agentOf, positionOfAgent } from './agents.ts';
import { liveSidebarsOf } from './names.ts';
import { agentView, citationView, findingView, goldView, mediaView, scratchpadView, sidebarView } from './views.ts';

/** What a reference of the board stands for, and where on the log it was made. */
export type Thing = { readonly position: number; readonly view: object };

export const thingOf = (board: Board, ref: Ref): Thing | null => {
  switch (ref.kind) {
    case 'agent': {
      const agent = agentOf(board, formatRef(ref));
      return agent === null ? null : { position: positionOfAgent(board, agent), view: agentView(agent, liveSidebarsOf(board)) };
    }
    case 'scratch': {
      if (ref.finding !== null) return findingThing(board, formatRef(ref));
      const sidebar = sidebarOf(board, `SB-${ref.sidebar}`);
      return sidebar === null ? null : { position: sidebar.position, view: scratchpadView(board, sidebar) };
    }
    case 'file': {
      // Whoever cited lines of it: the first who did.
      const cited = rowsOf(board.citations).find(({ source }) => source.kind === 'file' && (source.hash ?? '').startsWith(ref.hash));
      const attached = rowsOf(board.media).find(({ sha256 }) => sha256?.startsWith(ref.hash) === true);
      if (cited === undefined && attached !== undefined) return { position: attached.position, view: mediaView(board, attached, null) };
      return cited === undefined
        ? null
        : { position: cited.position, view: { ...citationView(board, cited), file: cited.source.kind === 'file' ? fileRefOf(cited.source) : null } };
    }
    case 'numbered':
      return ref.type === 'FRAG' ? findingThing(board, formatRef(ref)) : numbered(board, formatRef({ ...ref, part: null }));
    default:
      return assertNever(ref);
  }
};

const findingThing = (board: Board, ref: string): Thing | null => {
  const named = findingNamed(board, ref);
  return named === null ? null : { position: named.finding.position, view: findingView(board, named.sidebar, named.finding) };
};

const numbered = (board: Board, ref: string): Thing | null => {
  const id = board.ids.get(ref) ?? '';
  const sidebar = board.sidebars.get(id);
  if (sidebar !== undefined) return { position: sidebar.position, view: sidebarView(board, sidebar) };
  const gold = board.golds.get(id);
  if (gold !== undefined) return { position: gold.position, view: goldView(board, gold) };
  const citation = board.citations.get(id);
  if (citation !== undefined) return { position: citation.position, view: citationView(board, citation) };
  const media = board.media.get(id);
  return media === undefined ? null : { position: media.position, view: mediaView(board, media, null) };
};
