import * as z from 'zod';
import type { Operation } from '../operation.ts';
import { usageAnswer } from '../wire/usage.ts';

const instant = z.iso.datetime({ offset: true }).or(z.iso.date());

export const USAGE_OPERATION = {
  usage: {
    name: 'usage',
    method: 'GET',
    path: '/usage',
    who: 'anyone',
    help: 'Tokens and cost by day, hour of the week, model, project and session; tools with errors; the last five hours and the last week.',
    input: z.object({
      since: instant.optional().describe('2026-01-31 or 2026-01-31T12:00:00Z'),
      until: instant.optional().describe('the same; a day counts whole'),
      utc_offset: z.coerce
        .number()
        .int()
        .min(-840)
        .max(840)
        .default(0)
        .describe('minutes ahead of UTC by which days and hours are counted, such as 120'),
    }),
    output: usageAnswer,
    terminal: { words: ['usage', 'list'], given: [] },
  },
} as const satisfies Readonly<Record<string, Operation>>;
