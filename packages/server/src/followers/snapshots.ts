import type { Engine } from '../engine/engine.ts';
import type { Follower } from './runner.ts';

/** REC-81: the snapshot that a server starts with while its store is away must be recent, even after a crash. */
export const snapshots = (
  { leaveSnapshot, isProven }: Pick<Engine, 'leaveSnapshot' | 'isProven'>,
  now = (): number => performance.now(),
): Follower => ({
  name: 'snapshots',
  pass: async () => {
    const began = now();
    // The snapshot's place, or the outage, reports failures; it is retried.
    if (isProven()) await leaveSnapshot().catch(() => {});
    // A large board takes a while, so its snapshots are less frequent.
    return Math.max(EVERY, (now() - began) * REST);
  },
});

const EVERY = 30_000;
const REST = 200;
