import { OPERATOR } from '@yarnboard/domain';
import type { InsideOutput } from '@yarnboard/protocol';
import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { useActor, useAsk, useLive, useSessionNews } from '../../live/hooks.tsx';
import { newerRun, type Run } from '../../live/run-news.ts';

export type Holder = InsideOutput<'holder'>;

export type HolderRow = { readonly holder: Holder | null; readonly error: Error | null; readonly askAgain: () => void };

/** PAGE-400: who holds a session. Refetched on the session's news, and every few seconds, since queued prompts are not on the log. */
export const useHolder = (sessionId: string): HolderRow => {
  const { data, error, refetch } = useAsk('holder', { id: sessionId }, { everyMs: LOOK });
  const askAgain = useCallback(() => void refetch(), [refetch]);
  useSessionNews(sessionId, askAgain, 300);
  const run = useNewestRun(data?.run ?? null);
  useEffect(() => {
    // Another answer has reported the end of the run.
    if (data?.holder === 'run' && run?.state === 'ended') askAgain();
  }, [data?.holder, run?.state, askAgain]);
  return { holder: data === undefined ? null : { ...data, run }, error, askAgain };
};

/** The newest version of a run that any answer has reported. */
export const useNewestRun = (told: Run | null): Run | null => {
  const { runNews } = useLive();
  const known = useSyncExternalStore(runNews.subscribe, () => (told === null ? null : runNews.of(told.runId)));
  useEffect(() => {
    if (told !== null) runNews.take(told);
  }, [runNews, told]);
  return told === null ? null : newerRun(known, told);
};

/** Only the operator may start and control runs. */
export const useIsOperator = (): boolean => useActor()?.id === OPERATOR.id;

const LOOK = 2000;
