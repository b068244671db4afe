import { addUsage } from '../usage.ts';
import type { Usage } from '../entry.ts';
import type { Meter } from './state.ts';

/** Records of one API message repeat its usage, the later ones with more of it: the last counts. */
export const metered = (meter: Meter, messageId: string | null, usage: Usage | null): Meter => {
  if (usage === null) return meter;
  const isSame = messageId !== null && messageId === meter.messageId;
  return { sum: isSame ? meter.sum : addUsage(meter.sum, meter.last), messageId, last: usage };
};

export const usageIn = (meter: Meter): { readonly usage?: Usage } => (meter.messageId === null ? {} : { usage: addUsage(meter.sum, meter.last) });
