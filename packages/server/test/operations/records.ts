// Records as Claude Code writes them, as small as they can be.

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type Fields = Readonly<Record<string, Json>>;

const at = (second: number): string => new Date(Date.UTC(2025, 7, 6, 10, 0, second)).toISOString();

const base = (type: string, uuid: string, parentUuid: string | null, second: number, more: Fields): Fields => ({
  type,
  uuid,
  parentUuid,
  timestamp: at(second),
  cwd: '/home/ada/loom',
  version: '2.1.0',
  isSidechain: false,
  ...more,
});

export const prompt = (uuid: string, parent: string | null, second: number, text: string, more: Fields = {}): Fields => ({
  ...base('user', uuid, parent, second, more),
  message: { role: 'user', content: text },
});

export const reply = (uuid: string, parent: string | null, second: number, content: string | readonly Fields[], more: Fields = {}): Fields => ({
  ...base('assistant', uuid, parent, second, more),
  message: {
    role: 'assistant',
    model: 'claude-opus-4-1-20250805',
    content: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
  },
});

export const use = (id: string, name: string, input: Json): Fields => ({ type: 'tool_use', id, name, input });

export const result = (uuid: string, parent: string | null, second: number, toolUseId: string, content: Json, more: Fields = {}): Fields => {
  const { isError = false, ...rest } = more;
  return {
    ...base('user', uuid, parent, second, rest),
    message: { role: 'user', content: [{ type: 'tool_result', ['tool_use_id']: toolUseId, content, ['is_error']: isError }] },
  };
};
