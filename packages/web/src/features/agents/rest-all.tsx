import { Moon, Sun } from 'lucide-react';
import { useAskAgain, useCommand } from '../../live/hooks.tsx';
import { Button } from '../../ui/button.tsx';
import { Refusal } from '../../shared/refusal.tsx';
import type { LoadView } from './agent-work.tsx';

/** PAGE-302: one button that rests all agents, and resumes them. */
export const RestAll = ({ loads }: { readonly loads: readonly LoadView[] }) => {
  const { send, isSending, refusal } = useCommand('agents_rest');
  const askAgain = useAskAgain();
  const acting = loads.filter(({ runtime }) => runtime !== null);
  if (acting.length === 0) return null;
  const isResting = acting.every(({ resting }) => resting);
  const rest = async (): Promise<void> => {
    await send({ resting: !isResting });
    askAgain('load', 'seats', 'agents');
  };
  return (
    <>
      <Refusal text={refusal} />
      <Button icon={isResting ? Sun : Moon} isBusy={isSending} onClick={() => void rest()}>
        {isResting ? 'Resume all' : 'Rest all'}
      </Button>
    </>
  );
};
