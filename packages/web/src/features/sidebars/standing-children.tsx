import { isEnded, openConflicts, type Board, type Sidebar } from '@yarnboard/domain';
import { GitBranch } from 'lucide-react';
import { useBoard } from '../../live/hooks.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SidebarLink } from '../../shared/context-link.tsx';
import './standing-children.css';
import { StatusBadge } from '../../shared/status-badge.tsx';

type Standing = Pick<Sidebar, 'id' | 'status'> & {
  /** It was opened to discuss conflicts, and each of them is settled or has lost a side. */
  readonly isMoot: boolean;
};

/** LIFE-6: the open children; each of them keeps the sidebar from ending. */
const standingIn = (board: Board, { children, scratchpad }: Sidebar): readonly Standing[] => {
  const open = openConflicts(scratchpad);
  return children.flatMap((id): readonly Standing[] => {
    const child = board.sidebars.get(id);
    if (child === undefined || isEnded(child.status)) return [];
    const { resolves, status } = child;
    return [{ id, status, isMoot: resolves !== null && !open.some((conflict) => conflict.id === resolves || conflict.resolution === id) }];
  });
};

/** PAGE-180: open children block a merge; this warns before anyone starts preparing one. */
export const StandingChildren = ({ sidebar }: { readonly sidebar: Sidebar }) => {
  const standing = useBoard((board) => standingIn(board, sidebar), [sidebar]);
  if (standing.length === 0) return null;
  const isOne = standing.length === 1;
  return (
    <Notice tone={standing.some(({ isMoot }) => isMoot) ? 'warn' : 'info'} icon={GitBranch}>
      {isOne ? 'A child sidebar is' : 'Child sidebars are'} still open. Merge, archive or fail {isOne ? 'it' : 'them'} before you merge or archive{' '}
      {sidebar.ref}:
      <ul className="standing-children">
        {standing.slice(0, MOST_SHOWN).map(({ id, status, isMoot }) => (
          <li key={id}>
            <SidebarLink id={id} /> <StatusBadge status={status} />
            {isMoot ? <span className="soft">Nothing left to resolve – you can archive it.</span> : null}
          </li>
        ))}
      </ul>
      {standing.length > MOST_SHOWN ? <p className="soft">And {standing.length - MOST_SHOWN} more.</p> : null}
    </Notice>
  );
};

const MOST_SHOWN = 5;
