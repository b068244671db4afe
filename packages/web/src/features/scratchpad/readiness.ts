import { isEnded, openConflicts, pendingFindings, refOfFinding, standingFindings, type Board, type Sidebar } from '@yarnboard/domain';
import { counted } from '../../ui/wording.ts';

/** A condition for consolidating and merging a scratchpad, met or not. */
export type Step = {
  readonly id: 'judged' | 'settled' | 'found' | 'gold' | 'children';
  readonly isDone: boolean;
  readonly text: string;
  /** The things it is about. */
  readonly refs: readonly string[];
};

/** PAGE-106: the conditions, in the order in which people deal with them. Leaves out those that don't apply. */
export const stepsOf = (board: Board, sidebar: Sidebar): readonly Step[] => {
  const { scratchpad } = sidebar;
  const pending = pendingFindings(scratchpad);
  const conflicts = openConflicts(scratchpad);
  const standing = standingFindings(scratchpad);
  const golds = sidebar.golds.flatMap((id) => board.golds.get(id) ?? []).filter(({ superseded }) => superseded === null);
  const unjudged = golds.filter(({ status }) => status === 'pending');
  const working = sidebar.children.flatMap((id) => board.sidebars.get(id) ?? []).filter(({ status }) => !isEnded(status));
  return [
    {
      id: 'found',
      isDone: standing.length > 0,
      text: standing.length === 0 ? 'No confirmed findings yet' : `${counted(standing.length, 'finding')} confirmed`,
      refs: [],
    },
    {
      id: 'judged',
      isDone: pending.length === 0,
      text: pending.length === 0 ? 'All findings reviewed' : `${counted(pending.length, 'finding')} to review`,
      refs: pending.map((finding) => refOfFinding(sidebar.ref, finding)),
    },
    {
      id: 'settled',
      isDone: conflicts.length === 0,
      text: conflicts.length === 0 ? 'No open conflicts' : `${counted(conflicts.length, 'conflict')} to resolve`,
      refs: [],
    },
    ...(golds.length === 0
      ? []
      : [
          {
            id: 'gold' as const,
            isDone: unjudged.length === 0,
            text: unjudged.length === 0 ? 'All GOLD reviewed' : `${counted(unjudged.length, 'GOLD', 'GOLD')} to review (excluded until then)`,
            refs: unjudged.map(({ ref }) => ref),
          },
        ]),
    ...(sidebar.children.length === 0
      ? []
      : [
          {
            id: 'children' as const,
            isDone: working.length === 0,
            text: working.length === 0 ? 'All child sidebars ended' : `${counted(working.length, 'child sidebar')} still open`,
            refs: working.map(({ ref }) => ref),
          },
        ]),
  ];
};
