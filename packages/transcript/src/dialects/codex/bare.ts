import { isObject, listOf, stringOf, type JsonObject } from '../../json.ts';
import { contentOf, takePrompt, takeThoughts, takeWords } from './events.ts';
import { isTyped, takeItem, textIn } from './items.ts';
import { takeMeta } from './meta.ts';
import { pass, type Said, type State, type Step } from './state.ts';
import { endResponse } from './usage.ts';

/**
 * CODEX-15: rollouts of the first versions have no events, and no frame around what the model saw: a line is the item itself, and each text occurs
 * once. Null if the line isn't one of theirs.
 */
export const takeBare = (state: State, value: JsonObject, at: Said): Step | null => {
  const type = stringOf(value['type']);
  if (type === null) return takeHead(state, value, at);
  switch (type) {
    case 'message':
      return takeMessage(state, value, at);
    case 'reasoning':
      return takeThoughts(
        state,
        at,
        'codex/response_item/reasoning',
        listOf(value['summary']).map((part) => (isObject(part) ? part['text'] : undefined)),
      );
    default:
      if (type.endsWith('_output')) return stillOpen(takeItem(state, value, at));
      return type.endsWith('_call') ? takeItem(state, value, at) : null;
  }
};

/** Results can come between calls made at the same time, so if the file has marks, only a mark ends a response. */
const stillOpen = ({ state, record }: Step): Step => ({
  record,
  state: state.hasMarks && state.response === 'answered' ? { ...state, response: 'open' } : state,
});

/** The head of such a file, and the marks where the CLI saved its state. */
const takeHead = (state: State, value: JsonObject, at: Said): Step | null => {
  if (state.thread === null && stringOf(value['id']) !== null && stringOf(value['timestamp']) !== null) return takeMeta(state, value, at);
  const record = stringOf(value['record_type']);
  return record === null ? null : pass({ ...endResponse(state), hasMarks: true }, at, `codex/${record}`);
};

const takeMessage = (state: State, item: JsonObject, at: Said): Step => {
  const text = textIn(item);
  if (item['role'] === 'assistant') return takeWords(state, at, 'codex/response_item/message/assistant', text);
  if (item['role'] === 'user' && isTyped(item, text)) {
    const pictures = listOf(item['content']).map((block) =>
      isObject(block) && block['type'] === 'input_image' ? (block['image_url'] ?? null) : null,
    );
    return takePrompt(state, at, contentOf(text, pictures));
  }
  return takeItem(withFolder(state, text), item, at);
};

/** Only the model is told which folder the session works in. */
const withFolder = (state: State, text: string): State => {
  if (state.facts['cwd'] !== undefined) return state;
  const [, tagged, plain] = /<cwd>([^<\n]+)<\/cwd>|^Current working directory: ([^\n]+)$/mu.exec(text) ?? [];
  const cwd = tagged ?? plain;
  return cwd === undefined || !text.startsWith('<environment_context>') ? state : { ...state, facts: { ...state.facts, cwd } };
};
