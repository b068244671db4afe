import { SquareTerminal } from 'lucide-react';
import { useState } from 'react';
import { useCommand } from '../../live/hooks.tsx';
import { Refusal } from '../../shared/refusal.tsx';
import { Button } from '../../ui/button.tsx';
import { focusFirst } from '../../ui/first-focus.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { printableLine } from '@yarnboard/transcript';
import type { Holder } from './holder.ts';
import type { Outbox } from './outbox.ts';
import { PromptBox } from './prompt-box.tsx';

/** PAGE-405: takes a session over from its terminal, after a warning about what that cancels. */
export const TakeOver = ({ holder, outbox, onDone }: { readonly holder: Holder; readonly outbox: Outbox; readonly onDone: () => void }) => {
  const { send, isSending, refusal } = useCommand('switch_session');
  const [isAsking, setIsAsking] = useState(false);
  const prompt = outbox.text.trim();
  const take = async (): Promise<void> => {
    const outcome = await send({ id: holder.sessionId, to: 'remote', ...(prompt === '' ? {} : { prompt }) });
    if (outcome.kind === 'done') outbox.write('');
    onDone();
  };
  return (
    <form
      className="composer-form"
      aria-label="Take over"
      onSubmit={(event) => {
        event.preventDefault();
        setIsAsking(true);
      }}
    >
      <p className="composer-line">
        <SquareTerminal aria-hidden />
        <span className="composer-line-words">This session is open in a terminal. Take it over to continue here; you can give it back.</span>
      </p>
      <PromptBox
        label="Prompt to continue with (optional)"
        value={outbox.text}
        onChange={outbox.write}
        onEnter={() => setIsAsking(true)}
        commands={holder.slashCommands}
        isBusy={isSending}
        hint="The terminal waits and continues where you stop."
      />
      <div className="composer-buttons">
        {isAsking ? (
          <span ref={focusFirst} className="composer-buttons">
            <span className="soft">If Claude is working there, this cancels its turn.</span>
            <Button variant="quiet" onClick={() => setIsAsking(false)}>
              Cancel
            </Button>
            <Button variant="primary" isBusy={isSending} data-first onClick={() => void take()}>
              Take over now
            </Button>
          </span>
        ) : (
          <Button variant="primary" type="submit">
            Take over…
          </Button>
        )}
      </div>
      <Refusal text={refusal} />
    </form>
  );
};

/** Hands the session back to its terminal, which is waiting for it. */
export const GiveBack = ({
  sessionId,
  onDone,
  isWorking = false,
}: {
  readonly sessionId: string;
  readonly onDone: () => void;
  readonly isWorking?: boolean;
}) => {
  const { send, isSending, refusal } = useCommand('switch_session');
  const [command, setCommand] = useState<string | null>(null);
  const give = async (): Promise<void> => {
    const outcome = await send({ id: sessionId, to: 'local' });
    if (outcome.kind === 'done') setCommand(outcome.result.command);
    onDone();
  };
  return (
    <p className="composer-line">
      <SquareTerminal aria-hidden />
      <span className="composer-line-words">
        {command === null ? (
          <>
            Its terminal is waiting.{isWorking ? ' Giving it back cancels the open turn.' : ''}
            <Button size="small" isBusy={isSending} onClick={() => void give()}>
              Give back
            </Button>
          </>
        ) : (
          <span className="composer-command">
            That terminal has closed. To continue in another: <code className="one-line">{printableLine(command)}</code>
            <CopyButton text={command} label="Copy resume command" />
          </span>
        )}
        <Refusal text={refusal} />
      </span>
    </p>
  );
};
