import { openPermissions, SYSTEM, type Command, type Permission } from '@yarnboard/domain';
import { uuidFor } from '@yarnboard/store';
import type { Engine } from '../engine/engine.ts';
import type { Runs } from '../launches/runs.ts';
import type { Follower } from './runner.ts';

export type PermissionDutiesOptions = {
  readonly engine: Pick<Engine, 'board' | 'execute'>;
  readonly now: () => number;
  /** Requests of runs; the run answers them. */
  readonly runs: Pick<Runs, 'list' | 'answer'>;
};

/** RT-54: unanswered requests are repeated after ten minutes, and denied after a day. */
export const permissionDuties = ({ engine, now, runs }: PermissionDutiesOptions): Follower => ({
  name: 'permissions',
  pass: async () => {
    const at = now();
    for (const permission of openPermissions(engine.board())) {
      const command = dueFor(permission, at);
      // The same on every server: only the first one has an effect.
      if (command !== null)
        await engine.execute({ command, actor: SYSTEM, messageId: uuidFor(`${command.type}|${permission.id}`), client: 'yarnboard' });
    }
    for (const { runId, pending } of runs.list().filter(({ seat }) => seat === null))
      for (const { requestId, askedAt } of pending)
        if (at - askedAt >= DENIED_AFTER)
          await runs.answer(runId, requestId, { decision: 'deny', message: NOBODY_ANSWERED, interrupt: false }, BY_SYSTEM);
    return null;
  },
  timing: { every: EVERY },
});

const dueFor = ({ id, askedAt, remindedAt }: Permission, at: number): Command | null => {
  if (at - askedAt >= DENIED_AFTER) return { type: 'permission.answer', request: id, decision: 'deny', message: NOBODY_ANSWERED };
  return remindedAt === null && at - askedAt >= REMINDED_AFTER ? { type: 'permission.remind', request: id } : null;
};

const BY_SYSTEM = { name: 'yarnboard', type: 'agent' } as const;
const NOBODY_ANSWERED = 'No one answered within 24 hours.';
const EVERY = 5000;
const REMINDED_AFTER = 10 * 60_000;
const DENIED_AFTER = 24 * 60 * 60_000;
