import { useState } from 'react';
import { useAskAgain, useCommand } from '../../live/hooks.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { nameOf } from '../sidebars/names.ts';
import type { AgentView } from './agent-view.ts';

export const RetireAgent = ({ agent, onClose }: { readonly agent: AgentView; readonly onClose: () => void }) => {
  const [reason, setReason] = useState('');
  const { send, isSending, refusal } = useCommand('agent_retire');
  const askAgain = useAskAgain();
  const retire = async (): Promise<void> => {
    const outcome = await send({ agentId: agent.agentId, ...(reason.trim() === '' ? {} : { reason: reason.trim() }) });
    if (outcome.kind !== 'done') return;
    askAgain('agents');
    onClose();
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Retire ${nameOf(agent.agentId)}`}
      description="Its token is taken away and is worth nothing any more. What it did stays on the log."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="danger" isBusy={isSending} onClick={() => void retire()}>
            Retire
          </Button>
        </>
      }
    >
      <TextField
        label="Why"
        hint="If somebody should know"
        value={reason}
        onChange={({ target }) => setReason(target.value)}
        error={refusal ?? undefined}
      />
    </Dialog>
  );
};
