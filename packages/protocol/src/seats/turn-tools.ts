import { err, ok, type Result } from '@yarnboard/domain';
import * as z from 'zod';
import type { SeatUsage } from './frames.ts';

export const TURN_NEXT = 'turn_next';
export const TURN_END = 'turn_end';

export type TurnTool = { readonly name: string; readonly description: string; readonly inputSchema: object };

/** How a program that ends its turn with a tool reports the end. Usage it doesn't report is null. */
export type ToldTurnEnd = {
  readonly turnId: string | null;
  readonly status: 'completed' | 'failed';
  readonly text: string;
  readonly why: string | null;
  readonly usage: { readonly [K in keyof SeatUsage]: SeatUsage[K] | null };
};

/** How long `turn_next` should wait, in seconds. */
export const readTurnNext = (given: unknown): number => nextInput.parse(given).wait_seconds;

export const readTurnEnd = (given: unknown): Result<ToldTurnEnd, string> => {
  const read = endInput.safeParse(given);
  if (!read.success) {
    const [issue] = read.error.issues;
    return err(`${TURN_END}, field "${issue?.path.join('.') ?? ''}": ${issue?.message ?? 'not understood'}`);
  }
  const { turn_id: turnId = null, status, text, why = null, usage = {} } = read.data;
  return ok({
    turnId,
    status,
    text,
    why,
    usage: {
      model: usage.model ?? null,
      inputTokens: usage.input_tokens ?? null,
      outputTokens: usage.output_tokens ?? null,
      cacheReadTokens: usage.cache_read_tokens ?? null,
      cacheWriteTokens: usage.cache_write_tokens ?? null,
      costUsd: usage.cost_usd ?? null,
    },
  });
};

/** The answer of `turn_next`; null if there is no turn yet. */
export const toldTurn = (turnId: string | null, text: string, cancelled: string | null): object => ({
  turn_id: turnId,
  text,
  ...(cancelled === null ? {} : { cancelled }),
});

const count = z.number().int().min(0).max(1e12);
const nextInput = z.object({ wait_seconds: z.number().min(0).max(300).catch(20).default(20).describe('how long to wait, 20 unless told') });
const endInput = z.object({
  turn_id: z.string().optional(),
  status: z.enum(['completed', 'failed']).default('completed'),
  text: z.string().max(1_000_000).default('').describe('your last words'),
  why: z.string().max(10_000).optional().describe('why it failed'),
  usage: z
    .object({
      model: z.string().max(200).optional(),
      input_tokens: count.optional(),
      output_tokens: count.optional(),
      cache_read_tokens: count.optional(),
      cache_write_tokens: count.optional(),
      cost_usd: z.number().min(0).max(1e6).optional(),
    })
    .optional(),
});

const schemaOf = (input: z.ZodType): object => {
  const { $schema: _schema, ...schema } = z.toJSONSchema(input, { io: 'input' });
  return schema;
};

/** RT-34: the tools with which an MCP client gets and ends its turns: every client can call tools, and few accept requests. */
export const TURN_TOOLS: readonly TurnTool[] = [
  {
    name: TURN_NEXT,
    description: `Waits until there is something for you to do, and answers with it: turn_id, and text to act on. Call it when you start and after every ${TURN_END}. After wait_seconds it answers with turn_id null; then call it again.`,
    inputSchema: schemaOf(nextInput),
  },
  {
    name: TURN_END,
    description:
      'Ends your turn. Your text is said in the sidebar, unless you said it there yourself. Tell your usage if you know it: your budget counts it.',
    inputSchema: schemaOf(endInput),
  },
];
