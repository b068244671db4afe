import { printable, printableLine } from '@yarnboard/transcript';
import { useCallback, useState } from 'react';
import type { InsideInput } from '@yarnboard/protocol';
import { useAskAgain, useCommand, useLive } from '../../live/hooks.tsx';
import { refusalIn } from '../../live/refusal.ts';
import type { Run } from '../../live/run-news.ts';
import { Refusal } from '../../shared/refusal.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { commandLine, type StartWish } from './command-line.ts';
import { tooLargeToSend } from './prompt-image.ts';

export type Start = {
  /** Returns the run; null if it did not start. */
  readonly start: (input: InsideInput<'start_run'>) => Promise<Run | null>;
  readonly isStarting: boolean;
  readonly refusal: string | null;
  /** The stable code of the refusal, for messages at a field. */
  readonly code: string | null;
  readonly lacksSdk: boolean;
  readonly clear: () => void;
};

/** Starts a run, and says why if it does not start. */
export const useStart = (): Start => {
  const { send, isSending, clear } = useCommand('start_run');
  const { runNews } = useLive();
  const askAgain = useAskAgain();
  const [refused, setRefused] = useState<{ readonly why: string; readonly code: string } | null>(null);
  const start = useCallback<Start['start']>(
    async (input) => {
      const tooLarge = tooLargeToSend(input);
      setRefused(tooLarge === null ? null : { why: tooLarge, code: 'too-large' });
      if (tooLarge !== null) return null;
      const outcome = await send(input);
      const why = refusalIn(outcome);
      if (why !== null) setRefused({ why, code: outcome.kind === 'rejected' ? outcome.code : 'unknown' });
      if (outcome.kind !== 'done') return null;
      runNews.take(outcome.result);
      askAgain('runs', 'activity', 'holder');
      return outcome.result;
    },
    [send, runNews, askAgain],
  );
  return {
    start,
    isStarting: isSending,
    refusal: refused?.why ?? null,
    code: refused?.code ?? null,
    lacksSdk: refused?.code === 'sdk-missing',
    clear: () => {
      setRefused(null);
      clear();
    },
  };
};

type WithoutSdkProps = { readonly refusal: string | null; readonly lacksSdk: boolean; readonly wish: StartWish; readonly onRetry: () => void };

/** PAGE-413: why a run did not start. If the SDK is missing: what to install, or the shell line that does the same in a terminal. */
export const WithoutSdk = ({ refusal, lacksSdk, wish, onRetry }: WithoutSdkProps) => {
  if (refusal === null) return null;
  if (!lacksSdk) return <Refusal text={refusal} />;
  const command = commandLine(wish);
  return (
    <div className="without-sdk" role="alert">
      <p>{printable(refusal)}</p>
      <p>Or start it in a terminal; Yarnboard follows it there:</p>
      <p className="composer-command">
        <code className="one-line" title={printableLine(command)}>
          {printableLine(command)}
        </code>
        <CopyButton text={command} label="Copy command" />
        <Button size="small" onClick={onRetry}>
          Try again
        </Button>
      </p>
    </div>
  );
};
