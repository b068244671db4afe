import { withoutContext } from '../injected.ts';
import { isObject, listOf, objectOf, stringOf, type Json, type JsonObject } from '../json.ts';

/** A part of a message as a reader sees it. */
export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'thinking'; readonly text: string }
  | { readonly kind: 'tool-use'; readonly id: string; readonly name: string; readonly input: Json }
  | {
      readonly kind: 'tool-result';
      readonly toolUseId: string;
      readonly text: string;
      readonly isError: boolean;
      /** The file under `tool-results/` with the whole output, if the record has only its beginning. */
      readonly savedAs: string | null;
    }
  | { readonly kind: 'image'; readonly mediaType: string; readonly data: string | null }
  | { readonly kind: 'other'; readonly type: string; readonly json: Json };

/** The parts of a record's content, in order; empty blocks are left out. */
export const partsOf = (value: JsonObject): readonly Part[] => {
  if (value['subtype'] === 'tool_use' && typeof value['toolName'] === 'string') {
    return [{ kind: 'tool-use', id: stringOf(value['uuid']) ?? '', name: value['toolName'], input: value['toolArguments'] ?? {} }];
  }
  const message = objectOf(value['message']);
  const content = message === null ? (stringOf(value['message']) ?? value['content']) : message['content'];
  const parts: readonly Part[] =
    typeof content === 'string' ? (content === '' ? [] : [{ kind: 'text', text: content }]) : listOf(content).flatMap(partsOfBlock);
  return value['type'] === 'user' || value['type'] === 'human' ? withContextApart(parts) : parts;
};

// SHOW-10: context that the program prepended isn't part of somebody's message. Without a message, it is all there is to show.
const withContextApart = (parts: readonly Part[]): readonly Part[] => {
  if (!parts.some((part) => part.kind === 'text' && part.text.trimStart().startsWith('<'))) return parts;
  const apart = parts.flatMap((part): readonly Part[] => {
    if (part.kind !== 'text') return [part];
    const { words, forms } = withoutContext(part.text);
    if (forms.length === 0) return [part];
    const context = forms.map((type): Part => ({ kind: 'other', type, json: { type: 'text', text: part.text } }));
    return words.trim() === '' ? context : [...context, { kind: 'text', text: words }];
  });
  return apart.some(({ kind }) => kind === 'text' || kind === 'image') ? apart : parts;
};

const partsOfBlock = (block: Json): readonly Part[] => {
  if (typeof block === 'string') return [{ kind: 'text', text: block }];
  if (!isObject(block)) return [];
  const type = stringOf(block['type']) ?? 'unknown';
  switch (type) {
    case 'text': {
      const text = stringOf(block['text']) ?? '';
      return text.trim() === '' ? [] : [{ kind: 'text', text }];
    }
    case 'thinking': {
      // Some versions keep only the signature of a thought.
      const text = stringOf(block['thinking']) ?? '';
      return text === '' ? [] : [{ kind: 'thinking', text }];
    }
    case 'redacted_thinking':
      return [{ kind: 'thinking', text: '[redacted]' }];
    case 'tool_use':
    case 'server_tool_use':
      return [{ kind: 'tool-use', id: stringOf(block['id']) ?? '', name: stringOf(block['name']) ?? '', input: block['input'] ?? {} }];
    case 'tool_result':
      return resultParts(block);
    case 'image':
      return [imageOf(block)];
    default:
      return [{ kind: 'other', type, json: block }];
  }
};

const resultParts = (block: JsonObject): readonly Part[] => {
  const { content } = block;
  const inner = typeof content === 'string' ? [{ kind: 'text' as const, text: content }] : listOf(content).flatMap(partsOfBlock);
  const text = inner.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n');
  const savedAs = /<persisted-output>[\s\S]*?saved to: \S*?tool-results[/\\]([\w.-]+)/u.exec(text.slice(0, 2000))?.[1] ?? null;
  return [
    { kind: 'tool-result', toolUseId: stringOf(block['tool_use_id']) ?? '', text, isError: block['is_error'] === true, savedAs },
    ...inner.filter((part) => part.kind !== 'text'),
  ];
};

const imageOf = (block: JsonObject): Part => {
  const source = objectOf(block['source']);
  const data = source?.['type'] === 'base64' ? stringOf(source['data']) : null;
  return { kind: 'image', mediaType: stringOf(source?.['media_type']) ?? 'image', data };
};
