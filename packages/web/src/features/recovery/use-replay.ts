import { useState } from 'react';
import { useAskAgain, useLive } from '../../live/hooks.tsx';
import type { Done, Write } from './recovery-words.ts';

type Verdict = { readonly isWhole: boolean; readonly entries: number; readonly findings: readonly string[] };

export type Replaying =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly done: number; readonly all: number }
  | { readonly kind: 'verifying' }
  /** `verdict` is null if only single items were replayed. */
  | { readonly kind: 'over'; readonly settled: readonly Write[]; readonly verdict: Verdict | null }
  | { readonly kind: 'failed'; readonly error: unknown; readonly done: number };

/** PAGE-445: replays queued items in batches, so that progress is visible, and then verifies the log. */
export const useReplay = (cacheId: string) => {
  const { ask } = useLive();
  const askAgain = useAskAgain();
  const [state, setState] = useState<Replaying>({ kind: 'idle' });

  const replay = async (numbers: readonly number[], wish: { readonly otherHome: boolean; readonly isVerified: boolean }): Promise<void> => {
    const settled: Write[] = [];
    const atOnce = Math.max(FEWEST, Math.ceil(numbers.length / MOST_STEPS));
    setState({ kind: 'running', done: 0, all: numbers.length });
    try {
      for (let from = 0; from < numbers.length; from += atOnce) {
        const writes = numbers.slice(from, from + atOnce);
        const done: Done = await ask('recovery_replay', { cacheId, writes: [...writes], ...(wish.otherHome ? { otherHome: true } : {}) });
        settled.push(...done.settled);
        setState({ kind: 'running', done: Math.min(numbers.length, from + atOnce), all: numbers.length });
      }
      if (wish.isVerified) setState({ kind: 'verifying' });
      setState({ kind: 'over', settled, verdict: wish.isVerified ? await ask('recovery_audit', {}) : null });
    } catch (error) {
      setState({ kind: 'failed', error, done: settled.length });
    }
    askAgain('recovery', 'recovery_cache', 'status');
  };
  return { state, replay };
};

const FEWEST = 25;
const MOST_STEPS = 20;
