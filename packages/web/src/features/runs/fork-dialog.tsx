import { masksIn } from '@yarnboard/domain';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useAsk } from '../../live/hooks.tsx';
import { useAnswers } from '../../shared/answers.ts';
import { CommandDialog } from '../../shared/command-dialog.tsx';
import { TextArea } from '../../ui/field.tsx';
import './composer.css';
import type { ForkPoint } from './fork-context.ts';
import { MASKED } from './prompt-box.tsx';
import { NO_OPTIONS, runInput, turnsIn } from './run-input.ts';
import { RunOptions, UnaskedConfirm } from './run-options.tsx';
import { UNASKED } from './run-words.ts';
import { useStart, WithoutSdk } from './start-run.tsx';

export type ForkDialogProps = { readonly sessionId: string; readonly from: ForkPoint; readonly onClose: () => void };

/** PAGE-420: continues from a message in a copy of the session; the original stays as it is. */
export const ForkDialog = ({ sessionId, from, onClose }: ForkDialogProps) => {
  const [, navigate] = useLocation();
  const { data: holder } = useAsk('holder', { id: sessionId });
  const { answers, change, written } = useAnswers(`fork/${sessionId}/${from?.at ?? ''}`, { ...NO_OPTIONS, prompt: from?.prompt ?? '' });
  const [isSure, setIsSure] = useState(false);
  const { start, isStarting, refusal, lacksSdk, clear } = useStart();
  const { prompt, ...options } = answers;
  const isUnasked = options.mode === UNASKED;
  const directory = holder?.directory ?? '';
  const submit = async (): Promise<void> => {
    if (isUnasked && !isSure) return;
    const run = await start({
      resume: sessionId,
      fork: true,
      prompt: prompt.trim(),
      ...(from === null ? {} : { resumeAt: from.at }),
      ...runInput(options),
    });
    if (run === null) return;
    written.clear();
    onClose();
    navigate(`/sessions/${encodeURIComponent(run.sessionId)}`);
  };
  const answer: typeof change = (part) => {
    if (refusal !== null) clear();
    change(part);
  };
  return (
    <CommandDialog
      title="Fork session"
      description={`Starts a new session from ${from?.about ?? 'the latest message'}. This one stays as it is. Files aren’t rolled back.`}
      confirm="Fork"
      isDangerous={isUnasked}
      refusal={lacksSdk ? null : refusal}
      isSending={isStarting}
      isDisabled={(isUnasked && !isSure) || (options.turns.trim() !== '' && turnsIn(options.turns) === null)}
      written={written}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextArea
        label="Prompt"
        required
        rows={5}
        value={prompt}
        {...(masksIn(prompt).length === 0 ? {} : { hint: MASKED })}
        onChange={({ target }) => answer({ prompt: target.value })}
      />
      <RunOptions
        options={options}
        onChange={(next) => {
          setIsSure(false);
          answer(next);
        }}
      />
      {isUnasked ? <UnaskedConfirm directory={directory} isSure={isSure} onSure={setIsSure} /> : null}
      {lacksSdk ? (
        <WithoutSdk
          refusal={refusal}
          lacksSdk
          wish={{ directory, resume: sessionId, prompt: prompt.trim(), options }}
          onRetry={() => void submit()}
        />
      ) : null}
    </CommandDialog>
  );
};
