import { TURNS } from '../../sessions/turns.ts';
import { Refused } from './refusal.ts';

/** Lets others be served, and hears whether somebody still waits: what nobody waits for ends here. */
export const breathe = async (signal: AbortSignal): Promise<void> => {
  await TURNS.wait();
  refuseLeft(signal);
};

/** The same where this turn is used up; between pieces of work of which many are small. */
export const makeWay = async (signal: AbortSignal): Promise<void> => {
  await TURNS.go();
  refuseLeft(signal);
};

const refuseLeft = (signal: AbortSignal): void => {
  if (signal.aborted) throw new Refused('cancelled', 'no one is waiting for the answer any longer');
};
