import { assertNever } from '@yarnboard/domain';
import { printable, printableLine, resumeCommandOf } from '@yarnboard/transcript';
import { Bot, CircleAlert, GitFork, Info, Monitor, SendHorizontal, SquareTerminal, type LucideIcon } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { nameOf } from '../../shared/names.ts';
import { Refusal } from '../../shared/refusal.tsx';
import { isUsual, toolName } from '../../shared/tools.ts';
import { UnaskedMark } from '../../shared/unasked-mark.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { counted } from '../../ui/wording.ts';
import { lostChanges, NO_CHANGES, useChanges, type Changes } from './changes.ts';
import './composer.css';
import { ContinueBox } from './continue-box.tsx';
import { useFork } from './fork-context.ts';
import { useHolder, useIsOperator, type Holder } from './holder.ts';
import { useOutbox, type Outbox } from './outbox.ts';
import { AddImages } from './prompt-images.tsx';
import { PromptBox } from './prompt-box.tsx';
import { QueuedPrompts } from './queued-prompts.tsx';
import { RunControls } from './run-controls.tsx';
import { isTurnOpen, modeWords, stateWords } from './run-words.ts';
import { GiveBack, TakeOver } from './terminal-switch.tsx';

/** PAGE-400: the bottom of every session. What it offers depends on who holds the session. */
export const Composer = ({ sessionId }: { readonly sessionId: string }) => {
  const { holder, askAgain } = useHolder(sessionId);
  const isOperator = useIsOperator();
  const outbox = useOutbox(sessionId, holder?.run ?? null);
  const changes = useChanges(sessionId);
  if (holder === null) return null;
  if (!isOperator) {
    return holder.holder === 'nobody' ? null : (
      <section className="composer" aria-label="Who has this session">
        <Forks holder={holder} />
        <Standing holder={holder} />
        {holder.run === null ? null : <QueuedPrompts run={holder.run} outgoing={[]} changes={NO_CHANGES} mayAct={false} />}
      </section>
    );
  }
  return (
    <section className="composer" aria-label="Continue this session">
      <Forks holder={holder} />
      <LostChanges holder={holder} outbox={outbox} changes={changes} />
      <Held holder={holder} outbox={outbox} changes={changes} onChanged={askAgain} />
    </section>
  );
};

type HeldProps = { readonly holder: Holder; readonly outbox: Outbox; readonly changes: Changes; readonly onChanged: () => void };

/** PAGE-424: keeps the user's edits when Claude reads a prompt first. */
const LostChanges = ({ holder, outbox, changes }: Omit<HeldProps, 'onChanged'>) =>
  lostChanges(changes.all, holder.run).map(({ uuid, words }) => (
    <Line key={uuid} icon={Info}>
      Your change to a queued prompt wasn’t saved: Claude had heard the prompt, it was taken back, or the run had ended.{' '}
      <q className="composer-queued-text">{printable(words)}</q>
      <Button
        size="small"
        onClick={() => {
          changes.drop(uuid);
          outbox.write([outbox.text.trim(), words].filter((text) => text !== '').join('\n\n'));
        }}
      >
        Put it in the box
      </Button>
      <Button size="small" variant="quiet" onClick={() => changes.drop(uuid)}>
        Discard
      </Button>
    </Line>
  ));

const Held = ({ holder, outbox, changes, onChanged }: HeldProps) => {
  switch (holder.holder) {
    case 'run':
      return <OwnRun holder={holder} outbox={outbox} changes={changes} onChanged={onChanged} />;
    case 'nobody':
      return isUsual(holder.tool) ? (
        <>
          <LastRun holder={holder} outbox={outbox} />
          {holder.isTerminalWaiting ? <GiveBack sessionId={holder.sessionId} onDone={onChanged} /> : null}
          <ContinueBox holder={holder} outbox={outbox} onDone={onChanged} />
        </>
      ) : (
        <OtherTool holder={holder} />
      );
    case 'terminal':
      return <TakeOver holder={holder} outbox={outbox} onDone={onChanged} />;
    case 'foreign':
      return <Foreign holder={holder} />;
    case 'seat':
    case 'elsewhere':
      return <Standing holder={holder} />;
    default:
      return assertNever(holder.holder);
  }
};

const OwnRun = ({ holder, outbox, changes, onChanged }: HeldProps) => {
  const { run } = holder;
  if (run === null) return null;
  const isOpen = isTurnOpen(run);
  const isUnready = outbox.text.trim() === '' || outbox.images.isReading;
  const send = (isSoon: boolean): void => outbox.send(run, isOpen && !isSoon);
  return (
    <>
      <QueuedPrompts run={run} outgoing={outbox.outgoing} changes={changes} mayAct />
      <div className="composer-head">
        <Standing holder={holder} />
        <RunControls run={run} onChanged={onChanged} />
      </div>
      {holder.isTerminalWaiting ? <GiveBack sessionId={holder.sessionId} onDone={onChanged} isWorking={isOpen} /> : null}
      <Refusal text={outbox.refusal} />
      {run.isEnding ? null : (
        <form
          className="composer-form"
          aria-label="Prompt"
          onSubmit={(event) => {
            event.preventDefault();
            send(false);
          }}
        >
          <PromptBox
            label={isOpen ? 'Queue the next prompt' : 'Prompt'}
            value={outbox.text}
            onChange={(text) => {
              outbox.write(text);
              if (outbox.refusal !== null) outbox.clear();
            }}
            onEnter={send}
            commands={holder.slashCommands}
            sessionId={holder.sessionId}
            images={outbox.images}
            hint={
              isOpen ? (
                <>
                  <kbd>Enter</kbd> queues it for after this turn, <kbd>Ctrl Enter</kbd> sends it now.
                </>
              ) : (
                <>
                  <kbd>Enter</kbd> to send, <kbd>Shift Enter</kbd> for a new line.
                </>
              )
            }
          />
          <div className="composer-buttons">
            <AddImages images={outbox.images} />
            {isOpen ? (
              <Button variant="quiet" disabled={isUnready} onClick={() => send(true)}>
                Send now
              </Button>
            ) : null}
            <Button variant="primary" type="submit" icon={SendHorizontal} disabled={isUnready}>
              {isOpen ? 'Queue' : 'Send'}
            </Button>
          </div>
        </form>
      )}
    </>
  );
};

/** PAGE-404: why the last run ended, and its undelivered prompts. */
export const LastRun = ({ holder: { run }, outbox }: { readonly holder: Holder; readonly outbox: Outbox }) => {
  const [isTaken, setIsTaken] = useState<string | null>(null);
  if (run === null) return null;
  const { word } = stateWords(run);
  const unheard = isTaken === run.runId ? [] : run.queued;
  return (
    <>
      {run.status === 'completed' && unheard.length === 0 ? null : (
        <Line icon={run.status === 'failed' ? CircleAlert : Info} tone={run.status === 'failed' ? 'bad' : 'plain'}>
          The last run {word === 'ended' ? 'has ended' : word}
          {run.why === null ? '' : `: ${printable(run.why)}`}
        </Line>
      )}
      {isTaken === run.runId && run.queued.some(({ images }) => images > 0) ? (
        <Line icon={Info}>{run.queued.length === 1 ? 'Its' : 'Their'} images are gone. Add them again.</Line>
      ) : null}
      {unheard.length === 0 ? null : (
        <Line icon={Info}>
          {counted(unheard.length, 'queued prompt')} {unheard.length === 1 ? 'wasn’t' : 'weren’t'} delivered.
          <Button
            size="small"
            onClick={() => {
              setIsTaken(run.runId);
              outbox.write([outbox.text.trim(), ...unheard.map(({ text }) => text)].filter((text) => text !== '').join('\n\n'));
            }}
          >
            Put {unheard.length === 1 ? 'it' : 'them'} back
          </Button>
        </Line>
      )}
    </>
  );
};

const OtherTool = ({ holder: { tool, sessionId, directory } }: { readonly holder: Holder }) => {
  const command = resumeCommandOf(tool, sessionId, directory);
  return (
    <Line icon={SquareTerminal}>
      {toolName(tool)} sessions continue in {toolName(tool)}.
      {command === null ? null : (
        <span className="composer-command">
          <code className="one-line">{printableLine(command)}</code>
          <CopyButton text={command} label="Copy resume command" />
        </span>
      )}
    </Line>
  );
};

/** Two writers would damage the session. */
const Foreign = ({ holder }: { readonly holder: Holder }) => {
  const fork = useFork();
  return (
    <Line icon={SquareTerminal}>
      {toolName(holder.tool)} is working here, started outside Yarnboard. Two writers would damage the session.
      {fork === null || !isUsual(holder.tool) ? null : (
        <Button size="small" icon={GitFork} onClick={() => fork(null)}>
          Fork from here…
        </Button>
      )}
    </Line>
  );
};

/** The session's holder, in one line. */
const Standing = ({ holder: { holder, run, sessionId, tool } }: { readonly holder: Holder }) => {
  switch (holder) {
    case 'nobody':
      return null;
    case 'terminal':
      return <Line icon={SquareTerminal}>This session is open in a terminal.</Line>;
    case 'foreign':
      return <Line icon={SquareTerminal}>{toolName(tool)} is working here.</Line>;
    case 'seat':
      return (
        <Line icon={Bot}>
          {run?.seat == null ? null : (
            <>
              {nameOf(run.seat.agent)} works here for <Link href={`/sidebars/${encodeURIComponent(run.seat.sidebar)}`}>its sidebar</Link>. Talk to it
              there.
            </>
          )}
        </Line>
      );
    case 'elsewhere':
      return (
        <Line icon={Monitor}>This session is running on {printableLine(run?.host ?? 'another server')}. Open Yarnboard there to continue it.</Line>
      );
    case 'run':
      return run === null ? null : (
        <p className="composer-standing">
          <Badge tone={stateWords(run).tone}>{stateWords(run).word}</Badge>
          <UnaskedMark sessionId={sessionId} />
          <span className="composer-facts">
            {[
              ...(run.model === null ? [] : [printableLine(run.model)]),
              ...(run.permissionMode === 'bypassPermissions' ? [] : [modeWords(run.permissionMode)]),
            ].join(' · ')}
          </span>
        </p>
      );
    default:
      return assertNever(holder);
  }
};

/** PAGE-420: where forks of this session continue. */
const Forks = ({ holder: { forks } }: { readonly holder: Holder }) =>
  forks.length === 0 ? null : (
    <p className="composer-forks">
      <GitFork aria-hidden />
      <span>
        Forked to{' '}
        {forks.slice(0, MOST_FORKS).map(({ sessionId, prompt }, n) => (
          <span key={sessionId}>
            {n === 0 ? '' : ', '}
            <Link href={`/sessions/${encodeURIComponent(sessionId)}`}>{printableLine(prompt ?? sessionId.slice(0, 8)).slice(0, 60)}</Link>
          </span>
        ))}
        {forks.length > MOST_FORKS ? ` and ${forks.length - MOST_FORKS} more` : ''}
      </span>
    </p>
  );

const Line = ({
  icon: Icon,
  tone = 'plain',
  children,
}: {
  readonly icon: LucideIcon;
  readonly tone?: 'plain' | 'bad';
  readonly children: ReactNode;
}) => (
  <p className={`composer-line composer-line-${tone}`}>
    <Icon aria-hidden />
    <span className="composer-line-words">{children}</span>
  </p>
);

const MOST_FORKS = 3;
