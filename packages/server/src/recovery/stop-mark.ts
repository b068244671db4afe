import type { LastStop } from '@yarnboard/domain';
import { readTextIfThere, writePrivateFile, type Home } from '../home/home.ts';

type Place = Pick<Home, 'stoppedFile'>;

/**
 * REC-16: how the last server of this home ended. A server says that it runs before it accepts anything, and that it stopped when everything is closed; where it
 * said only the first, it was killed. A home without a mark is new, or its last version left none.
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
