import { printableLine } from '@yarnboard/transcript';
import { Play, SlidersHorizontal } from 'lucide-react';
import { useState } from 'react';
import { useDraft } from '../../live/draft.ts';
import { Button } from '../../ui/button.tsx';
import type { Holder } from './holder.ts';
import type { Outbox } from './outbox.ts';
import { sentOf } from './prompt-image.ts';
import { AddImages } from './prompt-images.tsx';
import { PromptBox } from './prompt-box.tsx';
import { NO_OPTIONS, runInput, type RunOptionsDraft } from './run-input.ts';
import { RunOptions, UnaskedConfirm } from './run-options.tsx';
import { useStart, WithoutSdk } from './start-run.tsx';

/** PAGE-400: no one holds the session, so it is resumed as a run in its directory. */
export const ContinueBox = ({ holder, outbox, onDone }: { readonly holder: Holder; readonly outbox: Outbox; readonly onDone: () => void }) => {
  const { sessionId, directory } = holder;
  const [options, writeOptions] = useDraft<RunOptionsDraft>(`continue/${sessionId}`, NO_OPTIONS);
  const [isOpen, setIsOpen] = useState(false);
  const [isSure, setIsSure] = useState(false);
  const { start, isStarting, refusal, lacksSdk } = useStart();
  const prompt = outbox.text.trim();
  const isUnasked = options.mode === 'bypassPermissions';
  const go = async (): Promise<void> => {
    if (prompt === '' || isStarting || outbox.images.isReading || (isUnasked && !isSure)) return;
    const images = outbox.images.all;
    const run = await start({ resume: sessionId, prompt, ...runInput(options), ...sentOf(images) });
    if (run === null) return;
    outbox.write('');
    outbox.images.clear(images);
    setIsSure(false);
    onDone();
  };
  if (directory === null) {
    return <p className="composer-line">Yarnboard doesn’t know which folder this session worked in, so you can’t continue it here.</p>;
  }
  return (
    <form
      className="composer-form"
      aria-label="Continue"
      onSubmit={(event) => {
        event.preventDefault();
        void go();
      }}
    >
      {isOpen ? (
        <RunOptions
          options={options}
          onChange={(next) => {
            // Never remembered: you confirm it each time.
            setIsSure(false);
            writeOptions(next);
          }}
        />
      ) : null}
      {isUnasked ? <UnaskedConfirm directory={directory} isSure={isSure} onSure={setIsSure} /> : null}
      <PromptBox
        label="Continue this session"
        value={outbox.text}
        onChange={outbox.write}
        onEnter={() => void go()}
        commands={holder.slashCommands}
        isBusy={isStarting}
        sessionId={sessionId}
        images={outbox.images}
        hint={
          <>
            Claude Code will work in <span className="composer-directory">{printableLine(directory)}</span>. <kbd>Enter</kbd> to continue.
          </>
        }
      />
      <div className="composer-buttons">
        <AddImages images={outbox.images} />
        <Button variant="quiet" icon={SlidersHorizontal} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          Options
        </Button>
        <Button
          variant={isUnasked ? 'danger' : 'primary'}
          type="submit"
          icon={Play}
          isBusy={isStarting}
          disabled={prompt === '' || outbox.images.isReading || (isUnasked && !isSure)}
        >
          Continue
        </Button>
      </div>
      <WithoutSdk refusal={refusal} lacksSdk={lacksSdk} wish={{ directory, resume: sessionId, prompt, options }} onRetry={() => void go()} />
    </form>
  );
};
