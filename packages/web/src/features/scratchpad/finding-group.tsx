import type { Finding } from '@yarnboard/domain';
import { CircleCheck, CircleDashed, CircleX, ReplaceAll, type LucideIcon } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Count } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { countOf } from '../../ui/wording.ts';
import type { FindingGroup, GroupId } from './finding-groups.ts';

type GroupLook = { readonly title: string; readonly icon: LucideIcon; readonly none: string; readonly isOpenAtFirst: boolean };

const LOOKS = {
  pending: { title: 'Pending', icon: CircleDashed, none: 'Nothing to review.', isOpenAtFirst: true },
  confirmed: { title: 'Confirmed', icon: CircleCheck, none: 'No confirmed findings yet.', isOpenAtFirst: true },
  rejected: { title: 'Rejected', icon: CircleX, none: 'No rejected findings.', isOpenAtFirst: true },
  superseded: { title: 'Superseded', icon: ReplaceAll, none: 'No superseded findings.', isOpenAtFirst: false },
} as const satisfies Record<GroupId, GroupLook>;

/** A group of findings with the same status, with its count. Only the visible ones are drawn. */
export const FindingGroupList = ({
  group: { id, findings },
  shown,
  children,
}: {
  readonly group: FindingGroup;
  /** The id of the finding that must be visible. */
  readonly shown: string | null;
  readonly children: (finding: Finding) => ReactNode;
}) => {
  const { title, icon: Icon, none, isOpenAtFirst } = LOOKS[id];
  const at = findings.findIndex((finding) => finding.id === shown);
  const [isOpen, setIsOpen] = useState(isOpenAtFirst);
  const [room, setRoom] = useState(AT_ONCE);
  const [wanted, setWanted] = useState(-1);
  if (at !== wanted) {
    setWanted(at);
    if (at >= 0) setIsOpen(true);
    setRoom(Math.max(room, at + 1));
  }
  const left = findings.length - room;
  return (
    <details className={`finding-group finding-group-${id}`} open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className="finding-group-head">
        <Icon aria-hidden />
        <h2>{title}</h2>
        <Count of={findings.length} />
      </summary>
      {findings.length === 0 ? <p className="finding-group-none">{none}</p> : null}
      {findings.slice(0, room).map(children)}
      {left > 0 ? <Button onClick={() => setRoom(room + AT_ONCE)}>{`Show ${countOf(Math.min(left, AT_ONCE))} more`}</Button> : null}
    </details>
  );
};

const AT_ONCE = 30;
