import { setImmediate } from 'node:timers/promises';
import { Refused } from './refusal.ts';

/** Lets others be served, and hears whether somebody still waits: what nobody waits for ends here. */
export const breathe = async (signal: AbortSignal): Promise<void> => {
  await setImmediate();
  if (signal.aborted) throw new Refused('cancelled', 'nobody waits for the answer any longer');
};
