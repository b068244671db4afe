import { linked } from '../board/links.ts';
import { sidebarOf, type Board } from '../board/state.ts';
import { rowsOf } from '../board/tables.ts';
import { assertNever } from '../never.ts';
import type { Sidebar } from './state.ts';
import type { Context, Origin } from '../messages/values.ts';
import { isEnded } from './lifecycle.ts';

export const liveChildren = (board: Board, { children }: Sidebar): readonly Sidebar[] =>
  rowsAt(board, children).filter(({ status }) => !isEnded(status));

/** PAD-5: the active child in which conflicts are discussed, if there is one. */
export const resolutionAmong = (board: Board, children: readonly string[]): Sidebar | null =>
  rowsAt(board, children).find(({ resolves, status }) => resolves !== null && !isEnded(status)) ?? null;

/** Whether one branched off the other, at any depth. */
export const isBelow = (board: Board, sidebar: Sidebar, above: Sidebar): boolean => {
  // A log that was tampered with may have a cycle of parents.
  const seen = new Set<string>();
  for (let at: Sidebar | undefined = sidebar; at !== undefined && !seen.has(at.id);) {
    seen.add(at.id);
    const parent: Context | null = at.parent;
    if (parent === null || parent.kind === 'session') return false;
    if (parent.sidebarId === above.id) return true;
    at = board.sidebars.get(parent.sidebarId);
  }
  return false;
};

/** MEM-1: the session's record from which a sidebar branched off, directly or through its origin; null if unknown. */
export const branchedAt = (board: Board, sidebar: Sidebar, sessionId: string): string | null => {
  const seen = new Set<string>();
  for (let at: Sidebar | undefined = sidebar; at !== undefined && !seen.has(at.id);) {
    seen.add(at.id);
    const origin: Origin = at.origin;
    switch (origin.kind) {
      case 'none':
        return null;
      case 'session': {
        if (origin.sessionId !== sessionId) return null;
        if (origin.leafUuid !== null) return origin.leafUuid;
        // After a merge: that is placed where its own sidebar branched off.
        const upTo: number | null = origin.upTo;
        at = rowsOf(board.sidebars).find(({ mergedAs }) => mergedAs !== null && mergedAs.position === upTo);
        break;
      }
      case 'sidebar':
      case 'fork':
        at = board.sidebars.get(origin.sidebarId);
        break;
      default:
        return assertNever(origin);
    }
  }
  return null;
};

/** TEST-4: the other tests of its group, with which its results may be compared. */
export const comparedWith = (board: Board, { id, testGroup }: Pick<Sidebar, 'id' | 'testGroup'>): readonly Sidebar[] =>
  testGroup === null
    ? []
    : rowsAt(
        board,
        linked(board, 'group', testGroup).filter((one) => one !== id),
      );

/** The references that are sidebars, by their ids. */
export const sidebarsAmong = (board: Board, refs: readonly string[]): readonly string[] => [
  ...new Set(refs.flatMap((ref) => sidebarOf(board, ref)?.id ?? [])),
];

/** Whether one can't end before the other resumes: it waits for it, or has an active child that can't end, directly or indirectly. */
export const dependsOn = (board: Board, from: Sidebar, target: Sidebar): boolean => {
  const seen = new Set<string>();
  const next = [from];
  for (let at = next.pop(); at !== undefined; at = next.pop()) {
    if (at.id === target.id) return true;
    if (seen.has(at.id)) continue;
    seen.add(at.id);
    next.push(...rowsAt(board, sidebarsAmong(board, at.waiting?.dependencies ?? [])), ...liveChildren(board, at));
  }
  return false;
};

export const rowsAt = (board: Board, ids: readonly string[]): readonly Sidebar[] => ids.flatMap((id) => board.sidebars.get(id) ?? []);
