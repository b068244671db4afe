import { BookmarkPlus } from 'lucide-react';
import { useCallback } from 'react';
import { useActor, useCommand } from '../live/hooks.tsx';
import { refusalIn } from '../live/refusal.ts';
import { IconButton } from '../ui/button.tsx';
import { useToast } from '../ui/toast.tsx';

/** PAGE-350: keeps a message or an exchange in episodic memory, and reports the outcome; null if read-only. */
export const useRemember = (sidebarId?: string): ((ref: string) => void) | null => {
  const { send } = useCommand('memory_archive');
  const tell = useToast();
  const isHere = useActor() !== null;
  const remember = useCallback(
    (ref: string): void => {
      void send({ refs: [ref], ...(sidebarId === undefined ? {} : { sidebarId }) }).then((outcome) => {
        const refusal = refusalIn(outcome);
        if (refusal === null) tell({ tone: 'good', title: `${ref} remembered`, text: 'You find it under Episodic memory, and by search.' });
        else tell({ tone: 'bad', title: `${ref} was not remembered`, text: refusal });
      });
    },
    [send, sidebarId, tell],
  );
  return isHere ? remember : null;
};

export const RememberButton = ({ refText, sidebarId }: { readonly refText: string; readonly sidebarId?: string | undefined }) => {
  const remember = useRemember(sidebarId);
  return remember === null ? null : <IconButton icon={BookmarkPlus} label={`Remember ${refText}`} size="small" onClick={() => remember(refText)} />;
};
