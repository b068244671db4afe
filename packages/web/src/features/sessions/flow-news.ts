import { useCallback, useEffect, useRef, useState } from 'react';
import { useSessionNews } from '../../live/hooks.tsx';
import type { FlowAddress } from './flow-pages.ts';

/** Does the work when something was added to a conversation, once at a time: what comes meanwhile is handled once, after it. */
export const useNewEnd = ({ sessionId, thread }: FlowAddress, work: () => Promise<void>): void => {
  const state = useRef({ isAtWork: false, isAskedAgain: false });
  const current = useRef(work);
  useEffect(() => {
    current.current = work;
  });
  const run = useCallback(async (): Promise<void> => {
    if (state.current.isAtWork) {
      state.current.isAskedAgain = true;
      return;
    }
    state.current.isAtWork = true;
    try {
      do {
        state.current.isAskedAgain = false;
        await current.current();
      } while (state.current.isAskedAgain);
    } finally {
      state.current.isAtWork = false;
    }
  }, []);
  useSessionNews(sessionId, (entries) => {
    // A record of the main thread tells how sub-agents fare.
    if (entries.some(({ agentId }) => agentId === null || agentId === thread)) void run();
  });
};

/** What has not changed for a moment: at once after a pause, later while somebody scrolls past. */
export const useCalm = (pages: readonly number[]): readonly number[] => {
  const name = pages.join();
  const [calm, setCalm] = useState(pages);
  const changedAt = useRef(0);
  useEffect(() => {
    const now = performance.now();
    const isAfterPause = now - changedAt.current > PAUSE_MS;
    changedAt.current = now;
    const take = (): void => setCalm(name === '' ? [] : name.split(',').map(Number));
    if (isAfterPause) {
      take();
      return undefined;
    }
    const timer = setTimeout(take, MOMENT_MS);
    return () => clearTimeout(timer);
  }, [name]);
  return calm;
};

const PAUSE_MS = 250;
const MOMENT_MS = 80;
