import { printable } from '@yarnboard/transcript';
import { CircleCheck, CircleHelp, CircleX } from 'lucide-react';
import { useState } from 'react';
import { useCommand } from '../../live/hooks.tsx';
import { nameOf } from '../../shared/names.ts';
import { Refusal } from '../../shared/refusal.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import type { TriedView } from './runtime-list.tsx';

/** PAGE-536: runs one tiny turn outside all sidebars and reports what works. */
export const TryAgent = ({ agentId, onClose }: { readonly agentId: string; readonly onClose: () => void }) => {
  const { send, isSending, refusal } = useCommand('agent_try');
  const [tried, setTried] = useState<TriedView | null>(null);
  const attempt = async (): Promise<void> => {
    setTried(null);
    const outcome = await send({ agentId });
    if (outcome.kind === 'done') setTried(outcome.result);
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Try ${nameOf(agentId)}`}
      description="Starts its program for one short turn outside any sidebar. Nothing is kept."
      actions={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button variant="primary" isBusy={isSending} onClick={() => void attempt()}>
            {tried === null ? 'Try now' : 'Try again'}
          </Button>
        </>
      }
    >
      <Refusal text={refusal} />
      {tried === null ? (
        <p className="soft" role="status">
          {isSending ? 'Waiting for its answer…' : ''}
        </p>
      ) : (
        <>
          <p role="status">{tried.works ? `${nameOf(agentId)} works.` : `${nameOf(agentId)} doesn’t work yet.`}</p>
          <ul className="try-checks">
            {tried.checks.map(({ name, works, text }) => {
              const Icon = works === null ? CircleHelp : works ? CircleCheck : CircleX;
              return (
                <li key={name} className="agent-seat">
                  <Icon aria-hidden />
                  <span className="visually-hidden">{works === null ? 'unknown: ' : works ? 'works: ' : 'fails: '}</span>
                  <span className="soft">{name}</span>
                  <span>{printable(text)}</span>
                </li>
              );
            })}
          </ul>
        </>
      )}
    </Dialog>
  );
};
