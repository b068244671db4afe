import type { Claim } from '../claims/state.ts';
import { linked } from '../board/links.ts';
import { goldOf, sidebarOf, type Board } from '../board/state.ts';
import { parseRef, type ItemRef, type ItemType } from '../refs.ts';
import type { Sidebar } from '../sidebar/state.ts';
import type { Episode } from './episodes.ts';
import type { Checkpoint, Conflict } from './state.ts';

/** REF-11: what is numbered within a sidebar or a GOLD. */
export type Item =
  | { readonly type: 'CHECKPOINT'; readonly sidebar: Sidebar; readonly checkpoint: Checkpoint }
  | { readonly type: 'CLAIM'; readonly sidebar: Sidebar; readonly claim: Claim }
  | { readonly type: 'CONFLICT'; readonly sidebar: Sidebar; readonly conflict: Conflict }
  | { readonly type: 'EPISODE'; readonly episode: Episode };

export const itemNamed = (board: Board, { of, owner, type, number }: ItemRef): Item | null => {
  const sidebar = of === 'SB' ? sidebarOf(board, `SB-${owner}`) : null;
  const [checkpoint, conflict] = [sidebar?.scratchpad.checkpoints[number - 1], sidebar?.scratchpad.conflicts[number - 1]];
  if (type === 'CHECKPOINT') return sidebar === null || checkpoint === undefined ? null : { type, sidebar, checkpoint };
  const claim = sidebar?.claims[number - 1];
  if (type === 'CLAIM') return sidebar === null || claim === undefined ? null : { type, sidebar, claim };
  if (type === 'CONFLICT') return sidebar === null || conflict === undefined ? null : { type, sidebar, conflict };
  const keeper = of === 'SB' ? sidebar?.id : of === 'GOLD' ? goldOf(board, `GOLD-${owner}`)?.id : `${of}-${owner}`;
  const episode = board.episodes.get(keeper === undefined ? '' : (linked(board, 'episodes', keeper)[number - 1] ?? ''));
  return episode === undefined ? null : { type, episode };
};

/** A conflict or checkpoint of this sidebar by its CONFLICT-n, n, SB-n:CONFLICT-m or id. */
export const itemIn = <T extends { readonly id: string }>(all: readonly T[], sidebar: Sidebar, type: ItemType, text: string): T | undefined => {
  const asked = text.trim();
  const read = parseRef(asked);
  const isItem = read.ok && read.value.kind === 'item' && read.value.type === type;
  if (isItem) return `${read.value.of}-${read.value.owner}` === sidebar.ref ? all[read.value.number - 1] : undefined;
  const [, digits = ''] = new RegExp(`^(?:${type}-)?([1-9]\\d*)$`, 'iu').exec(asked) ?? [];
  return digits === '' ? all.find(({ id }) => id === asked) : all[Number(digits) - 1];
};

/** The reference of a checkpoint, claim or conflict; its id if it, or its sidebar, has no number yet. */
export const refOfItem = ({ ref, scratchpad, claims }: Sidebar, type: 'CHECKPOINT' | 'CLAIM' | 'CONFLICT', id: string): string => {
  const at = (type === 'CHECKPOINT' ? scratchpad.checkpoints : type === 'CLAIM' ? claims : scratchpad.conflicts).findIndex((one) => one.id === id);
  return at < 0 || ref === '' ? id : `${ref}:${type}-${at + 1}`;
};

/** An episode is numbered by its sidebar; without one, by its GOLD, or by the exchange or message it keeps. */
export const refOfEpisode = (board: Board, id: string): string => {
  const keeper = keeperOf(board, board.episodes.get(id));
  const at = keeper === null ? -1 : linked(board, 'episodes', keeper.id).indexOf(id);
  return keeper === null || keeper.ref === '' || at < 0 ? id : `${keeper.ref}:EPISODE-${at + 1}`;
};

const keeperOf = (board: Board, episode: Episode | undefined): { readonly id: string; readonly ref: string } | null => {
  if (episode === undefined) return null;
  const { sourceSidebar, gold, about } = episode;
  if (sourceSidebar !== null) return board.sidebars.get(sourceSidebar) ?? null;
  if (gold !== null) return board.golds.get(gold) ?? null;
  return about === null ? null : { id: about, ref: about };
};
