import type { Engine } from '../engine/engine.ts';
import type { Follower } from './runner.ts';

/** REC-81: what a server starts with while its store is away must not be older than need be, also after it was killed. */
export const snapshots = (
  { leaveSnapshot, isProven }: Pick<Engine, 'leaveSnapshot' | 'isProven'>,
  now = (): number => performance.now(),
): Follower => ({
  name: 'snapshots',
  pass: async () => {
    const began = now();
    if (isProven()) await leaveSnapshot();
    // A large board takes a while: it is left all the more rarely.
    return Math.max(EVERY, (now() - began) * REST);
  },
});

const EVERY = 30_000;
const REST = 200;
