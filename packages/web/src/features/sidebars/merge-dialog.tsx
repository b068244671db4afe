import type { Sidebar } from '@yarnboard/domain';
import { useState } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { ApproveStep } from './approve-step.tsx';
import { ConsolidateStep } from './consolidate-step.tsx';
import type { Sight } from './sight.ts';

export type MergeDialogProps = { readonly sidebar: Sidebar; readonly onClose: () => void };

/** Takes a sidebar through its merge – prepare, review, approve – and opens at whichever step is next. */
export const MergeDialog = ({ sidebar, onClose }: MergeDialogProps) => {
  /** The user has seen everything up to this position; nothing newer is acted on unseen. */
  const [seen, setSeen] = useState(sidebar.lastPosition);
  const [isChanging, setIsChanging] = useState(false);
  const hasPackage = sidebar.status === 'CONSOLIDATING' && sidebar.merge !== null;
  const isOver = sidebar.status === 'MERGED' || sidebar.status === 'ARCHIVED';
  const sight: Sight = { seen, isNewer: sidebar.lastPosition > seen, look: setSeen };
  if (!isOver && (!hasPackage || isChanging)) {
    return (
      <ConsolidateStep
        sidebar={sidebar}
        sight={sight}
        onClose={onClose}
        onDone={(seq) => {
          setSeen(seq);
          setIsChanging(false);
        }}
      />
    );
  }
  if (isOver) {
    return (
      <Dialog isOpen onClose={onClose} title={`${sidebar.ref} merged`}>
        <p>Its findings are in place.</p>
      </Dialog>
    );
  }
  return <ApproveStep sidebar={sidebar} sight={sight} onClose={onClose} onChange={() => setIsChanging(true)} />;
};
