import { CornerLeftUp, GitBranch, GitMerge, PanelRightOpen } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Failure } from '../../ui/state.tsx';
import { counted } from '../../ui/wording.ts';
import { LISTED, useBeside } from '../../shared/beside.ts';
import { BesideLink } from '../../shared/beside-link.tsx';
import { inShort } from '../../shared/names.ts';
import { StatusBadge } from '../../shared/status-badge.tsx';
import { sessionPath } from './session-address.ts';
import { useFirstBeside } from './session-beside.tsx';
import './session-sidebars.css';
import { useSessionSidebars, useSoughtRef } from './session-sidebars-context.tsx';
import type { SessionSidebar } from './session-sidebars.ts';
import { SidebarMerged } from './sidebar-chips-merged.tsx';

/** PAGE-167: the number of a session's sidebars, with the full list on demand. */
export const SessionSidebarsButton = () => {
  const { all, error } = useSessionSidebars();
  const [isOpen, setIsOpen] = useState(false);
  const sought = useSoughtRef();
  // A sidebar merged from elsewhere belongs to no message, so it is listed here.
  const listed = all.some(({ at, merged }) => at === null && merged?.ref === sought) ? sought : null;
  const [openedFor, setOpenedFor] = useState<string | null>(null);
  if (openedFor !== listed) {
    setOpenedFor(listed);
    setIsOpen(listed !== null);
  }
  const beside = useBeside();
  useFirstBeside(all);
  if (all.length === 0) return null;
  return (
    <>
      <span className="session-sidebars-button">
        <Button variant="quiet" size="small" icon={GitBranch} aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
          {counted(all.length, 'sidebar')}
        </Button>
      </span>
      <Dialog
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        title="Sidebars in this session"
        description="Sidebars started from this session or merged into it."
      >
        {beside === null ? null : (
          <Button
            size="small"
            icon={PanelRightOpen}
            onClick={() => {
              setIsOpen(false);
              beside.open(LISTED);
            }}
          >
            Keep the list open beside the session
          </Button>
        )}
        {error === null ? null : <Failure title="Couldn’t load older sidebars" error={error} />}
        <ul className="session-sidebars" aria-label="Sidebars">
          {all.toReversed().map((one) => (
            <SidebarItem key={one.sidebar.id} of={one} onGo={() => setIsOpen(false)} />
          ))}
        </ul>
      </Dialog>
    </>
  );
};

const SidebarItem = ({ of, onGo }: { readonly of: SessionSidebar; readonly onGo: () => void }) => {
  const { sessionId } = useSessionSidebars();
  const { sidebar, at, merged } = of;
  const placeOf = (ref: string): string => sessionPath({ sessionId, at: ref, thread: null, through: null });
  return (
    <li className="session-sidebars-item">
      <div className="session-sidebars-head">
        <StatusBadge status={sidebar.status} />
        <BesideLink sidebar={sidebar} className="session-sidebars-link" onClick={onGo}>
          <span className="numbers">{sidebar.ref}</span> {inShort(sidebar.task)}
        </BesideLink>
      </div>
      <div className="session-sidebars-places">
        <Moment at={sidebar.createdAt} />
        {at === null ? null : (
          <Link href={placeOf(at)} onClick={onGo}>
            <CornerLeftUp aria-hidden />
            Go to parent message
          </Link>
        )}
        {at === null || merged === null || merged.ref === '' ? null : (
          <Link href={placeOf(merged.ref)} onClick={onGo}>
            <GitMerge aria-hidden />
            merged as {merged.ref}
          </Link>
        )}
      </div>
      {at === null && merged !== null ? <SidebarMerged of={of} merged={merged} isInFlow={false} /> : null}
    </li>
  );
};
