/** A message to `/v1/chat/completions`, under its own field names. */
export type ChatMessage = Readonly<Record<string, unknown>>;

export type ChatCall = { readonly id: string; readonly name: string; /** JSON, as the model wrote it. */ readonly input: string };

export const chatRequest = (model: string, messages: readonly ChatMessage[], tools: readonly object[]): object => ({
  model,
  messages,
  stream: true,
  stream_options: { include_usage: true },
  ...(tools.length === 0 ? {} : { tools }),
});

export const chatReply = (content: string, calls: readonly ChatCall[]): ChatMessage => ({
  role: 'assistant',
  content,
  ...(calls.length === 0 ? {} : { tool_calls: calls.map(({ id, name, input }) => ({ id, type: 'function', function: { name, arguments: input } })) }),
});

export const chatResult = (id: string, content: string): ChatMessage => ({ role: 'tool', tool_call_id: id, content });
