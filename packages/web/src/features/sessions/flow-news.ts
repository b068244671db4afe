import { useCallback, useEffect, useRef, useState } from 'react';
import { useSessionNews } from '../../live/hooks.tsx';
import type { FlowAddress } from './flow-pages.ts';

/** Runs the work when a conversation grows, never twice at the same time: any number of changes in the meantime cause one more run. */
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
    // Records of the main thread also show the progress of sub-agents.
    if (entries.some(({ agentId }) => agentId === null || agentId === thread)) void run();
  });
};

/** The pages once they settle: immediately after a pause, delayed while somebody scrolls past. */
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
