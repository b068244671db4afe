import type { Outcome } from '@yarnboard/protocol';
import { useCallback, useState } from 'react';
import { refusalIn } from '../live/refusal.ts';

/** Commands under way for the items of a list, by item. The list keeps them, because an item may move within it in the meantime. */
export type Tries = {
  readonly sending: ReadonlySet<string>;
  readonly refusals: ReadonlyMap<string, string>;
  /** Resolves to whether it succeeded. */
  readonly run: (id: string, send: () => Promise<Outcome<unknown>>) => Promise<boolean>;
  readonly forget: (id: string) => void;
};

type State = Pick<Tries, 'sending' | 'refusals'>;

export const useTries = (): Tries => {
  const [state, setState] = useState<State>({ sending: new Set(), refusals: new Map() });
  const forget = useCallback((id: string) => setState(({ sending, refusals }) => ({ sending, refusals: without(refusals, id) })), []);
  const run = useCallback(async (id: string, send: () => Promise<Outcome<unknown>>) => {
    setState(({ sending, refusals }) => ({ sending: new Set([...sending, id]), refusals: without(refusals, id) }));
    const refusal = refusalIn(await send());
    setState(({ sending, refusals }) => ({
      sending: new Set([...sending].filter((one) => one !== id)),
      refusals: refusal === null ? refusals : new Map([...refusals, [id, refusal]]),
    }));
    return refusal === null;
  }, []);
  return { ...state, run, forget };
};

const without = (map: ReadonlyMap<string, string>, id: string): ReadonlyMap<string, string> => new Map([...map].filter(([one]) => one !== id));
