import { TASK_STATES } from '@yarnboard/transcript';
import * as z from 'zod';

const instant = z.string().describe('ISO 8601, UTC').nullable();
const count = z.number().int();

const place = { uuid: z.string(), ref: z.string().nullable(), at: instant };

export const outlineAnswer = z.strictObject({
  session_id: z.string(),
  thread: z.string(),
  steps: count.describe('how many steps the thread has'),
  prompts: count.describe('how many of them are prompts'),
  items: z
    .array(
      z.strictObject({
        ...place,
        index: count.describe('which step of the thread, from 0'),
        kind: z.enum(['prompt', 'compaction']),
        text: z.string().describe('its first words, on one line'),
      }),
    )
    .describe('prompts and compactions, in order'),
  next_cursor: z.string().nullable(),
  tasks: z
    .strictObject({
      ...place,
      items: z.array(z.strictObject({ id: z.string().nullable(), text: z.string(), state: z.enum(TASK_STATES) })),
    })
    .nullable()
    .describe('the task list as the thread left it, and the call that changed it last; null where it has none'),
});
