import { StoreFault } from './port.ts';

/** STORE-11: nothing of a batch is written that was decided upon without knowing what was decided behind `decidedAt`. */
export const staleFault = (board: string, decidedAt: number, behind: number): StoreFault =>
  new StoreFault(
    'stale',
    `${board}: this was decided at entry ${decidedAt}, and entry ${behind} was decided since. Nothing was written; read on, and decide again`,
  );
