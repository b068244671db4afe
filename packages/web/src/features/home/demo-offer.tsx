import { Play } from 'lucide-react';
import { useActor, useCommand } from '../../live/hooks.tsx';
import { Button } from '../../ui/button.tsx';

/** PAGE-51: offers a demo board until there are sessions. It has a home of its own, so nothing from it ends up in this one. */
export const DemoOffer = ({ go = goTo }: { readonly go?: (url: string) => void }) => {
  const isSomebody = useActor() !== null;
  const { send, isSending, refusal } = useCommand('demo_link');
  if (!isSomebody) {
    return (
      <p className="home-empty">
        To look around first, run <code>yarnboard start --demo</code>.
      </p>
    );
  }
  const open = async (): Promise<void> => {
    const outcome = await send({});
    if (outcome.kind === 'done') go(outcome.result.url);
  };
  return (
    <>
      <Button variant="primary" icon={Play} isBusy={isSending} onClick={() => void open()}>
        Explore the demo board
      </Button>
      {refusal === null ? null : (
        <p className="field-error" role="alert">
          {refusal}
        </p>
      )}
    </>
  );
};

const goTo = (url: string): void => window.location.assign(url);
