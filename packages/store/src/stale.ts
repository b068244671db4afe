import { StoreFault } from './port.ts';

/** STORE-11: a batch is refused as a whole if something was decided after `decidedAt` that its author didn't know. */
export const staleFault = (board: string, decidedAt: number, behind: number): StoreFault =>
  new StoreFault(
    'stale',
    `${board}: entry ${behind} was decided after entry ${decidedAt}, the last one this decision knew. Nothing was written; read on, and decide again`,
  );
