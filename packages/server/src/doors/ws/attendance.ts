import type { Actor } from '@yarnboard/domain';

/** WIRE-26: who is connected, by identity. Reconnecting within the grace period doesn't count as an absence. */
export type Attendance = {
  readonly arrive: (actor: Actor) => void;
  readonly leave: (actor: Actor) => void;
  /** AGT-12: they acted through a door without connections. */
  readonly act: (actor: Actor) => void;
  readonly tick: () => void;
  /** Who is present now. */
  readonly here: () => readonly string[];
};

export type AttendanceOptions = {
  readonly now: () => number;
  /** Milliseconds. */
  readonly grace: number;
  /** Those present when the previous server ended, who may come back. */
  readonly present: readonly Actor[];
  readonly onPresence: (actor: Actor, isThere: boolean) => void;
};

type Present = { readonly actor: Actor; connections: number; leftAt: number };

export const createAttendance = ({ now, grace, present: before, onPresence }: AttendanceOptions): Attendance => {
  const present = new Map(before.map((actor): [string, Present] => [actor.id, { actor, connections: 0, leftAt: now() + TRIED_AGAIN_WITHIN }]));
  return {
    arrive: (actor) => {
      const known = present.get(actor.id);
      if (known !== undefined) {
        known.connections += 1;
        return;
      }
      present.set(actor.id, { actor, connections: 1, leftAt: 0 });
      onPresence(actor, true);
    },
    leave: ({ id }) => {
      const known = present.get(id);
      if (known === undefined) return;
      known.connections -= 1;
      known.leftAt = Math.max(known.leftAt, now());
    },
    act: (actor) => {
      const until = now() + LEASE;
      const known = present.get(actor.id);
      if (known !== undefined) {
        known.leftAt = Math.max(known.leftAt, until);
        return;
      }
      present.set(actor.id, { actor, connections: 0, leftAt: until });
      onPresence(actor, true);
    },
    tick: () => {
      for (const [id, { actor, connections, leftAt }] of present) {
        if (connections > 0 || now() - leftAt < grace) continue;
        present.delete(id);
        onPresence(actor, false);
      }
    },
    here: () => [...present.keys()],
  };
};

/** How long an act counts as presence; agents think for a minute or two between calls. */
const LEASE = 180_000;

/** A client that lost its server retries at least this often. */
const TRIED_AGAIN_WITHIN = 10_000;
