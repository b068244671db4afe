import { LogOut, Power, Square } from 'lucide-react';
import { useState } from 'react';
import { useCommand, useLive } from '../../live/hooks.tsx';
import type { Run } from '../../live/run-news.ts';
import { Refusal } from '../../shared/refusal.tsx';
import { Button } from '../../ui/button.tsx';
import { focusFirst } from '../../ui/first-focus.ts';
import { isTurnOpen } from './run-words.ts';

/** PAGE-403: three different actions: stop the turn but keep the run, end the run after its turn, or end it now. */
export const RunControls = ({ run, onChanged }: { readonly run: Run; readonly onChanged: () => void }) => {
  const { runNews } = useLive();
  const stop = useCommand('interrupt_run');
  const end = useCommand('end_run');
  const abort = useCommand('abort_run');
  const [isAsking, setIsAsking] = useState(false);
  const id = run.runId;
  const isOpen = isTurnOpen(run);
  const take = (outcome: { readonly kind: string } | { readonly kind: 'done'; readonly result: Run }): void => {
    if ('result' in outcome) runNews.take(outcome.result);
    onChanged();
  };
  if (isAsking) {
    return (
      <div ref={focusFirst} className="run-controls" role="group" aria-label="End now?">
        <span className="soft">{isOpen ? 'This cancels the turn and stops its tools.' : 'This ends the run.'}</span>
        <Button
          size="small"
          variant="danger"
          isBusy={abort.isSending}
          // Takes the focus, because the button that had it is gone.
          data-first
          onClick={() => void abort.send({ id }).then(take)}
        >
          End now
        </Button>
        <Button size="small" variant="quiet" onClick={() => setIsAsking(false)}>
          Cancel
        </Button>
        <Refusal text={abort.refusal} />
      </div>
    );
  }
  return (
    <div className="run-controls" role="group" aria-label="This run">
      {isOpen ? (
        <Button
          size="small"
          icon={Square}
          title="Stops the current turn. The run stays open for your next prompt."
          isBusy={stop.isSending}
          onClick={() => void stop.send({ id }).then(take)}
        >
          Stop
        </Button>
      ) : null}
      <Button
        size="small"
        variant="quiet"
        icon={LogOut}
        title={isOpen ? 'Ends the run after this turn.' : 'Ends the run. You can continue the session at any time.'}
        isBusy={end.isSending}
        disabled={run.isEnding}
        onClick={() => void end.send({ id }).then(take)}
      >
        {run.isEnding && isOpen ? 'Ends after this turn' : 'End'}
      </Button>
      <Button size="small" variant="quiet" icon={Power} title="Cancels the current turn and ends the run." onClick={() => setIsAsking(true)}>
        End now…
      </Button>
      <Refusal text={stop.refusal ?? end.refusal} />
    </div>
  );
};
