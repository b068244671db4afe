import { countOf, isObject, listOf, objectOf, stringOf, type Json, type JsonObject } from '../../json.ts';

/** PI-3: what an entry adds to the conversation; null if nothing. `name` is the name of its record. */
export const saidIn = (entry: JsonObject, name: string): JsonObject | null => {
  const message = objectOf(entry['message']);
  switch (stringOf(entry['type']) ?? '') {
    case 'message':
      return message === null ? null : messageIn(message, name);
    case 'compaction':
      return { type: 'user', isCompactSummary: true, compactMetadata: {}, message: { role: 'user', content: stringOf(entry['summary']) ?? '' } };
    case 'branch_summary':
      return { type: 'user', isMeta: true, message: { role: 'user', content: stringOf(entry['summary']) ?? '' } };
    case 'custom_message':
      return { type: 'user', isMeta: true, message: { role: 'user', content: contentOf(entry['content']) } };
    default:
      return null;
  }
};

const messageIn = (message: JsonObject, name: string): JsonObject | null => {
  switch (stringOf(message['role']) ?? '') {
    case 'user':
      return { type: 'user', promptSource: 'typed', message: { role: 'user', content: contentOf(message['content']) } };
    case 'assistant':
      return replyIn(message, name);
    case 'toolResult': {
      const id = stringOf(message['toolCallId']) ?? '';
      const result = { type: 'tool_result', tool_use_id: id, is_error: message['isError'] === true, content: contentOf(message['content']) };
      return { type: 'user', message: { role: 'user', content: [result] } };
    }
    default:
      return null;
  }
};

const replyIn = (message: JsonObject, name: string): JsonObject => {
  const content = listOf(message['content']).flatMap((block) => (isObject(block) ? blockOf(block) : []));
  const error = message['stopReason'] === 'error' ? (stringOf(message['errorMessage']) ?? 'unknown') : null;
  if (error !== null && content.length === 0) {
    const text = `API Error: ${error}`;
    return { type: 'assistant', isApiErrorMessage: true, message: { role: 'assistant', model: '<synthetic>', content: [{ type: 'text', text }] } };
  }
  const usage = objectOf(message['usage']);
  const cost = objectOf(usage?.['cost'])?.['total'];
  return {
    type: 'assistant',
    message: { role: 'assistant', id: name, model: stringOf(message['model']), content, ...(usage === null ? {} : { usage: usageOf(usage) }) },
    ...(typeof cost === 'number' && cost > 0 ? { costUSD: cost } : {}),
  };
};

const blockOf = (block: JsonObject): readonly JsonObject[] => {
  switch (stringOf(block['type']) ?? '') {
    case 'text':
      return stringOf(block['text']) === '' ? [] : [{ type: 'text', text: stringOf(block['text']) ?? '' }];
    case 'thinking':
      return [{ type: 'thinking', thinking: stringOf(block['thinking']) ?? '' }];
    case 'toolCall':
      return [{ type: 'tool_use', id: stringOf(block['id']) ?? '', ...toolUseOf(stringOf(block['name']) ?? '', objectOf(block['arguments']) ?? {}) }];
    default:
      return [];
  }
};

const contentOf = (content: Json | undefined): Json => {
  if (typeof content === 'string') return content;
  const blocks = listOf(content).filter(isObject);
  const texts = blocks.flatMap((block) => (block['type'] === 'text' ? [stringOf(block['text']) ?? ''] : []));
  const pictures = blocks.flatMap((block) => {
    const [data, media_type] = [stringOf(block['data']), stringOf(block['mimeType'])];
    return block['type'] !== 'image' || data === null || media_type === null ? [] : [{ type: 'image', source: { type: 'base64', media_type, data } }];
  });
  return [...texts.map((text) => ({ type: 'text', text })), ...pictures];
};

/** PI-5: the tool names that everything downstream knows. */
const toolUseOf = (name: string, input: JsonObject): { readonly name: string; readonly input: JsonObject } => {
  const { path, edits, oldText, newText, ...rest } = input;
  const file = path === undefined ? {} : { file_path: path };
  switch (name) {
    case 'bash':
      return { name: 'Bash', input };
    case 'read':
      return { name: 'Read', input: { ...file, ...rest } };
    case 'write':
      return { name: 'Write', input: { ...file, ...rest } };
    case 'edit': {
      const all = listOf(edits).flatMap((edit) => (isObject(edit) ? [editOf(edit['oldText'], edit['newText'])] : []));
      const [only] = all;
      if (all.length > 1) return { name: 'MultiEdit', input: { ...file, edits: all, ...rest } };
      return { name: 'Edit', input: { ...file, ...(only ?? editOf(oldText, newText)), ...rest } };
    }
    case 'grep':
      return { name: 'Grep', input };
    case 'find':
      return { name: 'Glob', input };
    case 'ls':
      return { name: 'LS', input };
    default:
      return { name, input };
  }
};

const editOf = (before: Json | undefined, after: Json | undefined): JsonObject => ({
  ...(before === undefined ? {} : { old_string: before }),
  ...(after === undefined ? {} : { new_string: after }),
});

/** PI-6: pi counts cache reads separately from the input. */
const usageOf = (usage: JsonObject): JsonObject => ({
  input_tokens: countOf(usage['input']) ?? 0,
  cache_read_input_tokens: countOf(usage['cacheRead']) ?? 0,
  cache_creation_input_tokens: countOf(usage['cacheWrite']) ?? 0,
  output_tokens: countOf(usage['output']) ?? 0,
});
