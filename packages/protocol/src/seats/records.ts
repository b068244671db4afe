import type { SeatUsage } from './frames.ts';

/** Bodies of records in the form of transcripts: what a seat says is kept like any session. */
export const replyBody = (id: string, model: string, content: readonly object[], usage: SeatUsage | null): object => ({
  id,
  type: 'message',
  role: 'assistant',
  model,
  content,
  stop_reason: null,
  ...(usage === null
    ? {}
    : {
        usage: {
          input_tokens: usage.inputTokens,
          output_tokens: usage.outputTokens,
          cache_read_input_tokens: usage.cacheReadTokens,
          cache_creation_input_tokens: usage.cacheWriteTokens,
        },
      }),
});

export const resultBody = (id: string, output: string, isError: boolean): object => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, content: output, is_error: isError }],
});
