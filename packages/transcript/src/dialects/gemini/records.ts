import type { LinePlace } from '../../dialect.ts';
import { countOf, objectOf, stringOf, type Json, type JsonObject } from '../../json.ts';
import { delegationOf, exitIn, toolUseOf } from './calls.ts';
import { answerIn } from './replay.ts';

/** GEM-5: turns a line of a chat into one record, whatever the line contains. */
export const toRecord = (line: JsonObject, at: LinePlace): JsonObject => {
  const row = objectOf(line['row']) ?? {};
  const text = stringOf(line['text']) ?? '';
  const frame = frameOf(line, at);
  switch (stringOf(line['kind']) ?? '') {
    case 'session':
      return { ...frame, type: 'gemini/session', writtenBy: 'Gemini CLI' };
    case 'title':
      // For a sub-agent this is its answer.
      return {
        ...frame,
        ...(at.agentId === null ? { type: 'ai-title', aiTitle: stringOf(row['summary']) ?? undefined } : { type: 'gemini/summary' }),
      };
    case 'revert':
      return { ...frame, type: 'last-prompt', leafUuid: stringOf(line['standsAt']) ?? undefined, takesBack: true };
    case 'prompt':
      return { ...frame, type: 'user', promptSource: 'typed', message: { role: 'user', content: text } };
    case 'note':
      return { ...frame, type: 'user', isMeta: true, message: { role: 'user', content: text } };
    case 'boundary':
      return { ...frame, type: 'system', subtype: 'compact_boundary', content: 'Conversation compacted' };
    case 'summary':
      return { ...frame, type: 'user', isCompactSummary: true, message: { role: 'user', content: text } };
    case 'text':
      return saying(frame, line, [{ type: 'text', text }]);
    case 'thinking':
      return saying(frame, line, [{ type: 'thinking', thinking: text }]);
    case 'usage':
      return saying(frame, line, [], usageOf(objectOf(row['tokens']) ?? {}));
    case 'call': {
      const id = stringOf(line['call']) ?? '';
      const [name, input] = [stringOf(row['name']) ?? '', objectOf(row['args']) ?? {}];
      const known = toolUseOf(name, input);
      const use = known.name === name ? delegationOf(stringOf(row['description']) ?? '', name, input) : null;
      return saying(frame, line, [{ type: 'tool_use', id, ...(use ?? known) }]);
    }
    case 'result':
      return resultIn(frame, line, row);
    case 'error':
      return {
        ...frame,
        type: 'assistant',
        isApiErrorMessage: true,
        message: { role: 'assistant', model: '<synthetic>', content: [{ type: 'text', text: `API Error: ${text}` }] },
      };
    default:
      return { ...frame, type: `gemini/${(stringOf(row['type']) ?? Object.keys(row)[0] ?? 'line').slice(0, 80)}` };
  }
};

// Each of the same shape, whatever it has: what is undefined is not written.
const frameOf = (line: JsonObject, { sessionId, agentId }: LinePlace): JsonObject => {
  const name = stringOf(line['name']);
  return {
    sessionId,
    isSidechain: agentId !== null,
    agentId: agentId ?? undefined,
    timestamp: stringOf(line['time']) ?? undefined,
    cwd: stringOf(line['cwd']) ?? undefined,
    uuid: name ?? undefined,
    parentUuid: name === null ? undefined : stringOf(line['parent']),
  };
};

const saying = (frame: JsonObject, line: JsonObject, content: Json, usage?: JsonObject): JsonObject => ({
  ...frame,
  type: 'assistant',
  message: { role: 'assistant', id: stringOf(line['message']), model: stringOf(line['model']), content, usage },
});

const resultIn = (frame: JsonObject, line: JsonObject, row: JsonObject): JsonObject => {
  const { text, isError } = answerIn(row);
  const said = text === '' ? (stringOf(line['display']) ?? '') : text;
  const failed = row['status'] === 'error' || (isError && row['status'] !== 'cancelled') || (exitIn(said) ?? 0) !== 0;
  const agentId = stringOf(line['agent']);
  const result = { type: 'tool_result', tool_use_id: stringOf(line['call']) ?? '', is_error: failed, content: [{ type: 'text', text: said }] };
  return {
    ...frame,
    type: 'user',
    message: { role: 'user', content: [result] },
    toolUseResult: agentId === null ? undefined : { status: 'completed', agentId },
  };
};

/** GEM-9: Gemini counts cached input as part of the input, but thoughts separately from the output. */
const usageOf = (tokens: JsonObject): JsonObject => {
  const cached = countOf(tokens['cached']) ?? 0;
  return {
    input_tokens: Math.max(0, (countOf(tokens['input']) ?? 0) - cached),
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: 0,
    output_tokens: (countOf(tokens['output']) ?? 0) + (countOf(tokens['thoughts']) ?? 0),
  };
};
