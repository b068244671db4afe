import { useId, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useAsk } from '../../live/hooks.tsx';
import { useAnswers } from '../../shared/answers.ts';
import { CommandDialog } from '../../shared/command-dialog.tsx';
import { TextArea, TextField } from '../../ui/field.tsx';
import { projectName } from '../../ui/wording.ts';
import './composer.css';
import { takenBy } from './prompt-box.tsx';
import { sentOf } from './prompt-image.ts';
import { AddImages, PromptImages } from './prompt-images.tsx';
import { useImages } from './use-images.ts';
import { NO_OPTIONS, runInput, turnsIn } from './run-input.ts';
import { RunOptions, UnaskedConfirm } from './run-options.tsx';
import { UNASKED } from './run-words.ts';
import { useStart, WithoutSdk } from './start-run.tsx';

/** PAGE-412: starts a new Claude Code session. The server's errors are shown at their fields. */
export const NewSessionDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const [, navigate] = useLocation();
  const projects = useAsk('projects', { limit: 200 }, { staleMs: 30_000 });
  const known = projects.data?.items.flatMap(({ project }) => (project === null ? [] : [project])) ?? [];
  const { answers, change, written } = useAnswers('new-session', FIRST);
  const [isSure, setIsSure] = useState(false);
  const { start, isStarting, refusal, code, lacksSdk, clear } = useStart();
  const images = useImages('new-session');
  const box = useRef<HTMLDivElement>(null);
  const list = useId();
  const directory = answers.directory ?? known[0] ?? '';
  const { prompt } = answers;
  const options = { model: answers.model, mode: answers.mode, turns: answers.turns };
  const isUnasked = options.mode === UNASKED;
  const isWrongDirectory = code === 'bad-directory';
  const areTurnsWrong = options.turns.trim() !== '' && turnsIn(options.turns) === null;
  const submit = async (): Promise<void> => {
    if ((isUnasked && !isSure) || images.isReading) return;
    const pictures = images.all;
    const run = await start({ cwd: directory.trim(), prompt: prompt.trim(), ...runInput(options), ...sentOf(pictures) });
    if (run === null) return;
    written.clear();
    images.clear(pictures);
    onClose();
    navigate(`/sessions/${encodeURIComponent(run.sessionId)}`);
  };
  const answer: typeof change = (part) => {
    if (refusal !== null) clear();
    change(part);
  };
  return (
    <CommandDialog
      title="New session"
      description="Starts Claude Code in a directory on the machine where Yarnboard runs."
      confirm="Start session"
      isDangerous={isUnasked}
      refusal={isWrongDirectory || lacksSdk ? null : refusal}
      isSending={isStarting}
      isDisabled={(isUnasked && !isSure) || areTurnsWrong || images.isReading}
      written={{
        isFromBefore: written.isFromBefore,
        isBegun: written.isBegun || images.all.length > 0,
        clear: () => {
          written.clear();
          images.clear(images.all);
        },
      }}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Directory"
        required
        list={list}
        autoComplete="off"
        spellCheck={false}
        placeholder="/home/you/project"
        hint={known.length === 0 ? 'An absolute path.' : 'An absolute path. Pick one of your projects or type another.'}
        value={directory}
        {...(isWrongDirectory && refusal !== null ? { error: refusal } : {})}
        onChange={({ target }) => {
          setIsSure(false);
          answer({ directory: target.value });
        }}
      />
      <datalist id={list}>
        {known.map((project) => (
          <option key={project} value={project}>
            {projectName(project)}
          </option>
        ))}
      </datalist>
      <div ref={box} className="new-session-prompt">
        <TextArea label="Prompt" required rows={5} value={prompt} onChange={({ target }) => answer({ prompt: target.value })} {...takenBy(images)} />
        <AddImages images={images} />
        <PromptImages images={images} onLastRemoved={() => box.current?.querySelector('textarea')?.focus()} />
      </div>
      <RunOptions
        options={options}
        onChange={(next) => {
          // Never remembered: you confirm it each time.
          setIsSure(false);
          answer(next);
        }}
      />
      {isUnasked ? <UnaskedConfirm directory={directory} isSure={isSure} onSure={setIsSure} /> : null}
      {lacksSdk ? (
        <WithoutSdk
          refusal={refusal}
          lacksSdk
          wish={{ directory: directory.trim(), resume: null, prompt: prompt.trim(), options }}
          onRetry={() => void submit()}
        />
      ) : null}
    </CommandDialog>
  );
};

type Answers = typeof NO_OPTIONS & { readonly directory: string | null; readonly prompt: string };

const FIRST: Answers = { ...NO_OPTIONS, directory: null, prompt: '' };
