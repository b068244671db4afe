import type { Appended } from '@yarnboard/store';
import type { Prepared, Verdict } from './batch.ts';
import { idOf } from './command-ids.ts';
import type { Acknowledged } from './outage-port.ts';
import type { Taken } from './outcomes.ts';

/** REC-85, MANY-24: what a commit put on the log. */
export const acknowledgedIn = (
  prepared: readonly Prepared[],
  verdicts: readonly Verdict[],
  taken: Taken,
  appended: readonly Appended[],
): Acknowledged => {
  const last = appended.findLast(({ status }) => status === 'new');
  const done = verdicts.flatMap((verdict, i) => {
    const [one, events] = [prepared[i], taken.get(verdict) ?? []];
    const [first] = events;
    if (one === undefined || first === undefined) return [];
    // Its first id: the entry with it need not be the first one, and a replay takes no other.
    return [{ n: i + 1, asked: one.asked, key: one.key, uuid: idOf(one.key, 0), queuedAt: first.at, events }];
  });
  return { head: last?.checksum === undefined ? null : { position: last.position, checksum: last.checksum }, done };
};
