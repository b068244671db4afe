import type { LastStop } from '@yarnboard/domain';
import { readTextIfThere, writePrivateFile, type Home } from '../home/home.ts';

type Place = Pick<Home, 'stoppedFile'>;

/**
 * REC-16: how the last server of this home ended. A server marks itself as running before it accepts requests, and as stopped once everything is
 * closed. If only the first mark is there, it was killed. A home without a mark is new, or its last version did not write one.
 */
export const lastStopOf = ({ stoppedFile }: Place): LastStop => {
  const text = readTextIfThere(stoppedFile);
  if (text === null) return 'unmarked';
  return text.trim() === STOPPED ? 'clean' : 'abnormal';
};

export const markRunning = ({ stoppedFile }: Place): void => writePrivateFile(stoppedFile, `${RUNNING}\n`);

export const markStopped = ({ stoppedFile }: Place): void => writePrivateFile(stoppedFile, `${STOPPED}\n`);

const STOPPED = '{"clean":true}';
const RUNNING = '{"clean":false}';
