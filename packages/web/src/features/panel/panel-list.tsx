import { MessagesSquare } from 'lucide-react';
import { BesideLink } from '../../shared/beside-link.tsx';
import { inShort } from '../../shared/names.ts';
import { STATUS_LOOKS, StatusBadge } from '../../shared/status-badge.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Empty } from '../../ui/state.tsx';
import type { SessionSidebar } from '../sessions/session-sidebars.ts';
import { COLUMNS } from '../sidebars/board-groups.ts';

/** PAGE-602: the sidebars of a session, by status. */
export const PanelList = ({ sidebars }: { readonly sidebars: readonly SessionSidebar[] }) => {
  if (sidebars.length === 0) {
    return (
      <Empty icon={MessagesSquare} title="No sidebars yet">
        Start one from any message of the session.
      </Empty>
    );
  }
  const groups = COLUMNS.map((status) => ({ status, of: sidebars.filter(({ sidebar }) => sidebar.status === status) })).filter(
    ({ of }) => of.length > 0,
  );
  return groups.map(({ status, of }) => (
    <section key={status} className="panel-group" aria-label={STATUS_LOOKS[status].word}>
      <h3 className="panel-group-head">
        <StatusBadge status={status} />
        <span className="numbers faint">{of.length}</span>
      </h3>
      <ul className="panel-rows">
        {of.toReversed().map(({ sidebar }) => (
          <li key={sidebar.id}>
            <BesideLink sidebar={sidebar} className="panel-row">
              <span className="numbers panel-ref">{sidebar.ref}</span>
              <span className="panel-task">{inShort(sidebar.task)}</span>
              <span className="faint small">
                <Moment at={sidebar.lastActivity} />
              </span>
            </BesideLink>
          </li>
        ))}
      </ul>
    </section>
  ));
};
