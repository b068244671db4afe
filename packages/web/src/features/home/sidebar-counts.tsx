import { rowsOf, STATUSES, type Board, type Status } from '@yarnboard/domain';
import { MessagesSquare } from 'lucide-react';
import { Link } from 'wouter';
import { useBoard, useBoardReach, useLive } from '../../live/hooks.tsx';
import { Failure, Skeleton } from '../../ui/state.tsx';
import { countOf } from '../../ui/wording.ts';
import { STATUS_LOOKS } from '../../shared/status-badge.tsx';
import { Section } from '../../shared/section.tsx';
import './sidebar-counts.css';

/** PAGE-43: the number of sidebars by status. */
export const SidebarCounts = () => {
  const reach = useBoardReach();
  const counts = useBoard(countByStatus);
  return (
    <Section title="Sidebars" actions={<Link href="/sidebars">All sidebars</Link>}>
      {reach.kind === 'loading' ? <Skeleton lines={2} label="Loading sidebars" /> : null}
      {reach.kind === 'failed' ? <BoardFailure error={reach.error} /> : null}
      {reach.kind === 'loaded' ? <Counts counts={counts} isPart={reach.olderCursor !== null} /> : null}
    </Section>
  );
};

const BoardFailure = ({ error }: { readonly error: unknown }) => {
  const { queries } = useLive();
  return <Failure title="Couldn’t load sidebars" error={error} onRetry={() => void queries.invalidateQueries()} />;
};

const Counts = ({ counts, isPart }: { readonly counts: ReadonlyMap<Status, number>; readonly isPart: boolean }) => {
  const there = STATUSES.filter((status) => counts.has(status));
  if (there.length === 0) {
    return (
      <p className="section-quiet">
        <MessagesSquare aria-hidden />
        <span>No sidebars yet</span>
        <span className="faint">Start one from any message in a session.</span>
      </p>
    );
  }
  return (
    <>
      <ul className="sidebar-counts card">
        {there.map((status) => {
          const { word, icon: Icon, tone, says } = STATUS_LOOKS[status];
          return (
            <li key={status} title={says}>
              <Link href={`/sidebars?status=${status.toLowerCase()}`} className={`sidebar-count sidebar-count-${tone}`}>
                <Icon aria-hidden />
                <span className="sidebar-count-number numbers">{countOf(counts.get(status) ?? 0)}</span>
                <span className="sidebar-count-word">{word}</span>
              </Link>
            </li>
          );
        })}
      </ul>
      {isPart ? <p className="small soft">Latest sidebars only.</p> : null}
    </>
  );
};

const countByStatus = (board: Board): ReadonlyMap<Status, number> => {
  const counts = new Map<Status, number>();
  for (const { status } of rowsOf(board.sidebars)) counts.set(status, (counts.get(status) ?? 0) + 1);
  return counts;
};
