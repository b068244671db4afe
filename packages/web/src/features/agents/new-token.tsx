import { useState } from 'react';
import { useCommand } from '../../live/hooks.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { nameOf } from '../../shared/names.ts';
import type { AgentView } from './agent-view.ts';
import { TokenOnce } from './token-once.tsx';

export const NewToken = ({ agent, onClose }: { readonly agent: AgentView; readonly onClose: () => void }) => {
  const [token, setToken] = useState<string | null>(null);
  const { send, isSending, refusal } = useCommand('agent_token');
  const give = async (): Promise<void> => {
    const outcome = await send({ agentId: agent.agentId });
    if (outcome.kind === 'done') setToken(outcome.result.token);
  };
  if (token !== null) return <TokenOnce agentId={agent.agentId} token={token} kind={agent.kind} notes={NONE} onClose={onClose} />;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`New token for ${nameOf(agent.agentId)}`}
      description="The current token stops working at once. Update it wherever it’s used."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" isBusy={isSending} onClick={() => void give()}>
            Create token
          </Button>
        </>
      }
    >
      {refusal === null ? null : (
        <p className="field-error" role="alert">
          {refusal}
        </p>
      )}
    </Dialog>
  );
};

const NONE: readonly string[] = [];
