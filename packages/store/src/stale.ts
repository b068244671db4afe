import { StoreFault } from './port.ts';

/** STORE-11: nothing of a batch is written that was decided upon without knowing what was decided behind `decidedAt`. */
export const staleFault = (board: string, decidedAt: number, behind: number): StoreFault =>
  new StoreFault(
    'stale',
    `${board}: entry ${behind} was decided since entry ${decidedAt}, which is as far as this knew: nothing of this was written; read on, and decide again`,
  );
