import { StoreFault } from './port.ts';

/** STORE-11: nothing of a batch is written that was decided upon without knowing what was decided behind `decidedAt`. */
export const staleFault = (board: string, decidedAt: number, behind: number): StoreFault =>
  new StoreFault(
    'stale',
    `${board}: entry ${behind} was decided after entry ${decidedAt}, the last one this decision knew. Nothing was written; read on, and decide again`,
  );
