import { CONTEXT_KINDS } from '@yarnboard/transcript';
import * as z from 'zod';

const instant = z.string().describe('ISO 8601, UTC').nullable();
const count = z.number().int();

const place = { uuid: z.string(), ref: z.string().nullable(), at: instant };

const fill = z
  .strictObject(Object.fromEntries(CONTEXT_KINDS.map((kind) => [kind, count])) as Record<(typeof CONTEXT_KINDS)[number], typeof count>) // the same keys
  .describe('what fills it, about: start is the system prompt, tools and memory files; the parts add up to the tokens');

const point = z.strictObject({
  ...place,
  index: count.describe('which response of the thread, from 0'),
  tokens: count.describe('in the context, as the API counted them, cached or not'),
  output: count.describe('what it answered'),
  model: z.string().nullable(),
  fill,
});

export const contextAnswer = z.strictObject({
  session_id: z.string(),
  thread: z.string(),
  responses: count,
  window: count.nullable().describe('how many tokens fit, if the model says so; null if unknown'),
  peak: count,
  points: z
    .array(point)
    .describe('in order; where there are more than asked for, the fullest of each stretch, the first, the last, and those around compactions'),
  compactions: z.array(
    z.strictObject({
      ...place,
      index: count.describe('how many responses came before it'),
      trigger: z.string().nullable(),
      before: count.nullable().describe('tokens before it'),
      after: count.nullable().describe('tokens at the first response after it'),
    }),
  ),
  tools: z
    .array(z.strictObject({ name: z.string(), tokens: count }))
    .describe('what results of each tool fill at the end, about, most first; at most 50'),
});
