import { useState } from 'react';
import { useAskAgain, useLive } from '../../live/hooks.tsx';
import { CommandDialog } from '../../shared/command-dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { useToast } from '../../ui/toast.tsx';
import { counted } from '../../ui/wording.ts';

type DiscardProps = {
  readonly cacheId: string;
  /** Null for all items. */
  readonly writes: readonly number[] | null;
  readonly count: number;
  readonly onClose: () => void;
};

/** PAGE-446: says how much will be lost, and requires typing the id. */
export const DiscardDialog = ({ cacheId, writes, count, onClose }: DiscardProps) => {
  const { ask } = useLive();
  const askAgain = useAskAgain();
  const tell = useToast();
  const [typed, setTyped] = useState('');
  const [isSending, setIsSending] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const discard = async (): Promise<void> => {
    setIsSending(true);
    try {
      const { exportedTo } = await ask('recovery_discard', { cacheId, yes: typed.trim(), ...(writes === null ? {} : { writes: [...writes] }) });
      askAgain('recovery', 'recovery_cache', 'status');
      tell({
        tone: 'info',
        title: `${counted(count, 'item')} discarded`,
        ...(exportedTo === null ? {} : { text: `An export is kept in ${exportedTo}.` }),
      });
      onClose();
    } catch (error) {
      setRefusal(error instanceof Error ? error.message : String(error));
      setIsSending(false);
    }
  };
  return (
    <CommandDialog
      title={`Discard ${counted(count, 'queued item')}?`}
      description={`${count === 1 ? 'It' : 'They'} won’t be on the log. An export is written first and kept for 30 days.`}
      confirm="Discard"
      isDangerous
      refusal={refusal}
      isSending={isSending}
      isDisabled={typed.trim() !== cacheId}
      onSubmit={discard}
      onClose={onClose}
    >
      <TextField
        label="Type the ID to confirm"
        hint={<code>{cacheId}</code>}
        value={typed}
        required
        autoComplete="off"
        spellCheck={false}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
    </CommandDialog>
  );
};
