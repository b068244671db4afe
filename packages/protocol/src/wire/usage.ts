import * as z from 'zod';
import { spending } from './schemas.ts';

const count = z.number().int();
const instant = z.string().describe('ISO 8601, UTC');

const keyed = z.strictObject({ key: z.string(), ...spending.shape });
const rolling = z.strictObject({ since: instant, ...spending.shape });

export const usageAnswer = z.strictObject({
  total: spending.describe('in this period'),
  by_day: z.array(z.strictObject({ day: z.string().describe('2026-01-31, at the offset that was asked for'), ...spending.shape })),
  by_week_hour: z
    .array(z.strictObject({ weekday: count.describe('0 is Monday'), hour: count, ...spending.shape }))
    .describe('what was spent in each hour of the week, without those in which nothing was'),
  by_model: z.array(keyed),
  by_project: z.array(keyed).describe('the most expensive first, at most 20'),
  sessions: z
    .array(
      z.strictObject({ session_id: z.string(), title: z.string().nullable(), project: z.string().nullable(), tool: z.string(), ...spending.shape }),
    )
    .describe('the most expensive first, at most 20'),
  tools: z
    .array(z.strictObject({ name: z.string(), uses: count, errors: count }))
    .describe('most used first, at most 50; copies in forks are not counted'),
  last_five_hours: rolling.describe('up to now, whatever the period'),
  last_week: rolling.describe('up to now, whatever the period'),
});
