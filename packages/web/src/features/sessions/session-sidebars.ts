import { branchedAt, rowsOf, type Board, type Context, type Merged, type Sidebar } from '@yarnboard/domain';

/** A sidebar of a session. */
export type SessionSidebar = {
  readonly sidebar: Sidebar;
  /** The session's record it branched off; null if unknown. */
  readonly at: string | null;
  /** What it merged into the session. */
  readonly merged: Merged | null;
};

/** The sidebars that branched off a session or merge into it, in the order of their creation. */
export const sidebarsOf = (board: Board, sessionId: string): readonly SessionSidebar[] =>
  rowsOf(board.sidebars)
    .filter(({ parent, mergedInto, mergeTarget }) => [parent, mergedInto ?? mergeTarget].some((context) => isSession(context, sessionId)))
    .toSorted((a, b) => a.position - b.position)
    .map((sidebar) => ({
      sidebar,
      at: branchedAt(board, sidebar, sessionId),
      merged: isSession(sidebar.mergedInto, sessionId) ? sidebar.mergedAs : null,
    }));

const isSession = (context: Context | null, sessionId: string): boolean => context?.kind === 'session' && context.sessionId === sessionId;

export type SidebarsByRecord = ReadonlyMap<string, readonly SessionSidebar[]>;

export const byRecord = (sidebars: readonly SessionSidebar[]): SidebarsByRecord =>
  sidebars.reduce(
    (index, one) => (one.at === null ? index : index.set(one.at, [...(index.get(one.at) ?? NONE), one])),
    new Map<string, readonly SessionSidebar[]>(),
  );

/** Those at any record of a step. */
export const sidebarsAt = (index: SidebarsByRecord, uuids: readonly string[]): readonly SessionSidebar[] =>
  index.size === 0 ? NONE : uuids.flatMap((uuid) => index.get(uuid) ?? NONE);

const NONE: readonly SessionSidebar[] = [];
