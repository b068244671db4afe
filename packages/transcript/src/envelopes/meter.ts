import type { Usage } from '../entry.ts';
import { addUsage, NO_USAGE, totalTokens } from '../usage.ts';
import { lookUp, NOTHING_LAYERED, put, type Layered } from './layered.ts';

/** The usage of responses, each counted once: its records repeat the usage, some with lower figures. */
export type Meter = { readonly sum: Usage; readonly byMessage: Layered<Usage> };

export const NO_METER: Meter = { sum: NO_USAGE, byMessage: NOTHING_LAYERED };

export const metered = (meter: Meter, messageId: string, usage: Usage): Meter => {
  const known = lookUp(meter.byMessage, messageId);
  if (known !== undefined && totalTokens(known) >= totalTokens(usage)) return meter;
  return { sum: addUsage(known === undefined ? meter.sum : without(meter.sum, known), usage), byMessage: put(meter.byMessage, messageId, usage) };
};

export const isMetered = ({ byMessage }: Meter, messageId: string): boolean => lookUp(byMessage, messageId) !== undefined;

export const usageIn = ({ sum }: Meter): { readonly usage?: Usage } => (totalTokens(sum) === 0 ? {} : { usage: sum });

const without = (sum: Usage, part: Usage): Usage => ({
  input: sum.input - part.input,
  output: sum.output - part.output,
  cacheWrite5m: sum.cacheWrite5m - part.cacheWrite5m,
  cacheWrite1h: sum.cacheWrite1h - part.cacheWrite1h,
  cacheRead: sum.cacheRead - part.cacheRead,
});
