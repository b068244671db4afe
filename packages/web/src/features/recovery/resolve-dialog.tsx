import { useState } from 'react';
import { useAskAgain, useLive } from '../../live/hooks.tsx';
import { CommandDialog } from '../../shared/command-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { TextArea } from '../../ui/field.tsx';
import { counted } from '../../ui/wording.ts';

/** PAGE-448: marks a cache as resolved: what is still queued is not replayed, and is kept in the resolved cache for 30 days. */
export const ResolveDialog = ({ cacheId, left, onClose }: { readonly cacheId: string; readonly left: number; readonly onClose: () => void }) => {
  const { ask } = useLive();
  const askAgain = useAskAgain();
  const [notes, setNotes] = useState('');
  const [isSending, setIsSending] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const resolve = async (): Promise<void> => {
    setIsSending(true);
    try {
      await ask('recovery_resolve', { cacheId, ...(notes.trim() === '' ? {} : { notes: notes.trim() }) });
      askAgain('recovery', 'recovery_cache', 'status');
      onClose();
    } catch (error) {
      setRefusal(error instanceof Error ? error.message : String(error));
      setIsSending(false);
    }
  };
  return (
    <CommandDialog
      title="Mark as resolved"
      confirm="Mark resolved"
      refusal={refusal}
      isSending={isSending}
      about={
        left === 0 ? undefined : <Notice tone="warn">{`${counted(left, 'item')} won’t be replayed. They stay in this cache for 30 days.`}</Notice>
      }
      onSubmit={resolve}
      onClose={onClose}
    >
      <TextArea
        label="Notes"
        hint="Why it’s resolved. Recorded on the log."
        value={notes}
        onChange={({ currentTarget }) => setNotes(currentTarget.value)}
      />
    </CommandDialog>
  );
};
