import { Siren, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { Count } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import type { InboxItem } from './inbox-items.ts';
import { InboxList } from './inbox-list.tsx';
import { useSeen } from './seen.ts';
import './notice-tray.css';
import { useWaitingInbox } from './waiting.ts';

/** PAGE-531: part of every view's frame: warnings until seen, decisions until made. */
export const NoticeTray = () => {
  const { query, items = [] } = useWaitingInbox();
  const { isSeen, see } = useSeen();
  const [isShown, setIsShown] = useState(false);
  const shown = items.filter((item) => isDecision(item) || (isWarning(item) && !isSeen(item.key)));
  if (shown.length === 0 && !isShown) return null;
  const isUrgent = shown.some(isDecision);
  const warnings = shown.filter(isWarning);
  const Icon = isUrgent ? Siren : TriangleAlert;
  return (
    <>
      <button type="button" className={`notice-tray${isUrgent ? ' notice-tray-urgent' : ''}`} onClick={() => setIsShown(true)}>
        <Icon aria-hidden />
        <span className="notice-tray-word">{isUrgent ? 'Needs you ' : 'Warnings '}</span>
        <Count of={shown.length} />
      </button>
      <Dialog
        isOpen={isShown}
        onClose={() => setIsShown(false)}
        title={isUrgent ? 'Needs your decision' : 'Warnings'}
        size="wide"
        actions={
          warnings.length === 0 ? undefined : (
            <Button onClick={() => see(warnings.map(({ key }) => key))}>
              {warnings.length === 1 ? 'Mark warning as seen' : 'Mark warnings as seen'}
            </Button>
          )
        }
      >
        {shown.length === 0 || query.data === undefined ? (
          <p className="soft">You’re all caught up.</p>
        ) : (
          <InboxList inbox={query.data} items={shown} isPart onOpen={() => setIsShown(false)} />
        )}
      </Dialog>
    </>
  );
};

const isDecision = ({ level, isPast, kind }: InboxItem): boolean => kind === 'decide' || (level === 'escalate' && !isPast);
const isWarning = ({ level, isPast }: InboxItem): boolean => level === 'warning' && !isPast;
