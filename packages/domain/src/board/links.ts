import type { Board } from './state.ts';

/**
 * Look-ups other than by id, so that no decision has to scan the whole board: the episodes of a sidebar or a waypoint, who waits for a sidebar, the
 * waypoints shown in a context, the waypoints with evidence in a sidebar, the sidebar of a finding, the tests of a group, the files whose hashes
 * share a prefix, the sidebars in which an exchange was judged, the sidebars that were merged into a context, as a message or with a waypoint.
 */
export type LinkKind = 'episodes' | 'waiting' | 'surfaced' | 'evidence' | 'finding' | 'group' | 'file' | 'marked' | 'merged';

export const linked = ({ links }: Board, kind: LinkKind, of: string): readonly string[] => links.get(linkKey(kind, of)) ?? [];

export const linkKey = (kind: LinkKind, of: string): string => `${kind}/${of}`;

export const link = (board: Board, kind: LinkKind, of: string, id: string): void => {
  const before = linked(board, kind, of);
  if (!before.includes(id)) board.links.set(linkKey(kind, of), [...before, id]);
};

export const unlink = (board: Board, kind: LinkKind, of: string, id: string): void => {
  const before = linked(board, kind, of);
  if (before.includes(id)) {
    board.links.set(
      linkKey(kind, of),
      before.filter((one) => one !== id),
    );
  }
};

/** CITE-9: a file is known once somebody cited it with its hash, or attached it. */
export const linkFile = (board: Board, hash: string): void => {
  if (hash.length >= SHORTEST_HASH) link(board, 'file', fileKey(hash), hash);
};

export const isKnownFile = (board: Board, hash: string): boolean =>
  linked(board, 'file', fileKey(hash)).some((known) => known.startsWith(hash) || hash.startsWith(known));

/** What all spellings of a hash have in common. */
export const fileKey = (hash: string): string => hash.slice(0, SHORTEST_HASH);

/** The minimum number of digits in a reference. */
const SHORTEST_HASH = 4;
