import { TURNS } from '../../sessions/turns.ts';
import { Refused } from './refusal.ts';

/** Yields to other requests, and stops if nobody waits for the answer any more. */
export const breathe = async (signal: AbortSignal): Promise<void> => {
  await TURNS.wait();
  refuseLeft(signal);
};

/** The same, but yields only if this turn is used up; for use between many small pieces of work. */
export const makeWay = async (signal: AbortSignal): Promise<void> => {
  await TURNS.go();
  refuseLeft(signal);
};

const refuseLeft = (signal: AbortSignal): void => {
  if (signal.aborted) throw new Refused('cancelled', 'no one is waiting for the answer any longer');
};
