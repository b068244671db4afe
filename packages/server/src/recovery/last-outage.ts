import { ENTRY_TYPES } from '@yarnboard/domain';
import type { LogPort } from '@yarnboard/store';
import * as z from 'zod';

/** The payload that `emergency-entry.ts` writes; a newer version may add fields. */
const told = z.object({
  cacheId: z.string(),
  reason: z.string(),
  from: z.string(),
  to: z.string(),
  queued: z.number(),
  replayed: z.number(),
  known: z.number(),
  conflicts: z.number(),
  discarded: z.number(),
});

export type LastOutage = z.output<typeof told> & { readonly position: number };

/** REC-72: the last recorded outage; null if there was none, or while the log cannot be read. */
export const lastOutageOn = async (log: Pick<LogPort, 'positionsOfType' | 'payloadsOf'>): Promise<LastOutage | null> => {
  try {
    const position = (await log.positionsOfType(ENTRY_TYPES.emergency)).at(-1);
    if (position === undefined) return null;
    const payload = (await log.payloadsOf([position])).get(position);
    const read = told.safeParse(JSON.parse(Buffer.from(payload ?? []).toString()));
    return read.success ? { position, ...read.data } : null;
  } catch {
    return null; // `status` reports whether the log can be read
  }
};
