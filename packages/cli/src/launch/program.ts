import { findClaude as find } from '@yarnboard/server/claude-program';
import type { Io } from '../io.ts';
import { Refusal } from '../refusal.ts';

/** LAUNCH-2: the user's own `claude`, or why there is none. */
export const findClaude = (places: Pick<Io, 'env' | 'home'>, own: string): string => {
  const found = find(places, own);
  if (found.ok) return found.path;
  throw new Refusal(3, found.why);
};
