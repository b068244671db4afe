import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { BesideLink } from '../../shared/beside-link.tsx';
import { inShort } from '../../shared/names.ts';
import { StatusBadge } from '../../shared/status-badge.tsx';
import type { Step } from './flow-pages.ts';
import { useSidebarsAt } from './session-sidebars-context.tsx';
import type { SessionSidebar } from './session-sidebars.ts';
import { SidebarMerged } from './sidebar-chips-merged.tsx';
import './sidebar-chips.css';

/** PAGE-165, PAGE-166: the sidebars that branched off a step, and what they merged back. */
export const SidebarChips = ({ step }: { readonly step: Step }) => {
  const sidebars = useSidebarsAt(step.uuids);
  const [isOpen, setIsOpen] = useState(false);
  if (sidebars.length === 0) return null;
  const chips = sidebars.filter(({ merged }) => merged === null);
  const shown = isOpen || chips.length <= MOST_CHIPS + 1 ? chips : chips.slice(0, MOST_CHIPS);
  return (
    <div className="sidebar-chips">
      {chips.length === 0 ? null : (
        <ul className="sidebar-chips-list" aria-label="Sidebars from this message">
          {shown.map(({ sidebar }) => (
            <li key={sidebar.id}>
              <SidebarChip sidebar={sidebar} />
            </li>
          ))}
          {shown.length === chips.length ? null : (
            <li>
              <Button variant="quiet" size="small" onClick={() => setIsOpen(true)}>
                {chips.length - shown.length} more
              </Button>
            </li>
          )}
        </ul>
      )}
      {sidebars.map((one) => (one.merged === null ? null : <SidebarMerged key={one.sidebar.id} of={one} merged={one.merged} isInFlow />))}
    </div>
  );
};

const SidebarChip = ({ sidebar }: Pick<SessionSidebar, 'sidebar'>) => (
  <BesideLink sidebar={sidebar} className="sidebar-chip" title={inShort(sidebar.task)}>
    <StatusBadge status={sidebar.status} />
    <span className="sidebar-chip-ref numbers">{sidebar.ref}</span>
    <span className="one-line">{inShort(sidebar.task, 120)}</span>
  </BesideLink>
);

const MOST_CHIPS = 5;
