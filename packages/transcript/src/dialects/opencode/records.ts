import type { LinePlace } from '../../dialect.ts';
import { listOf, objectOf, stringOf, type Json, type JsonObject } from '../../json.ts';
import { toolUseOf } from './calls.ts';
import { usageOf } from './usage.ts';

/** OPEN-5: turns a line of a session into one record, whatever the line contains. */
export const toRecord = (line: JsonObject, at: LinePlace): JsonObject => ({ ...frameOf(line, at), ...saidIn(line, at.agentId !== null) });

/** Whether a line becomes part of the conversation. */
export const isTold = (line: JsonObject): boolean => !('uuid' in saidIn(line, false));

const saidIn = (line: JsonObject, isAgent: boolean): JsonObject => {
  const row = objectOf(line['row']) ?? {};
  // OPEN-11: invalid JSON is kept as it is.
  if (row['unreadable'] !== undefined) return passing('unreadable');
  const from = stringOf(line['forkedFrom']);
  switch (stringOf(line['kind']) ?? '') {
    case 'session':
      return { writtenBy: 'opencode', ...(from === null ? { type: 'opencode/session' } : { type: 'fork-context-ref', parentSessionId: from }) };
    case 'title':
      // A sub-agent's title merely repeats its call.
      return isAgent ? passing('title') : { type: 'custom-title', customTitle: stringOf(row['title']) ?? undefined };
    case 'revert':
      return { type: 'last-prompt', leafUuid: stringOf(line['standsAt']) ?? undefined, takesBack: true };
    case 'part':
      return line['role'] === 'assistant' ? replyIn(line, row) : promptIn(row);
    case 'call':
      return saying(line, [{ type: 'tool_use', ...toolUseOf(row) }]);
    case 'result':
      return resultIn(row);
    case 'end':
      return endIn(line, row);
    default:
      return passing('message');
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
    cwd: stringOf(line['directory']) ?? undefined,
    version: stringOf(line['version']) ?? undefined,
    uuid: name ?? undefined,
    parentUuid: name === null ? undefined : stringOf(line['parent']),
  };
};

/** A record that adds nothing to the conversation; the next one follows the one before it. */
const passing = (kind: string): JsonObject => ({ type: `opencode/${kind.slice(0, 80)}`, uuid: undefined });

/** OPEN-6: text that the CLI writes in the user's name is marked as such. */
const promptIn = (row: JsonObject): JsonObject => {
  const text = stringOf(row['text']);
  switch (stringOf(row['type']) ?? '') {
    case 'text': {
      if (text === null) return passing('part/text');
      const isOurs = row['synthetic'] !== true && row['ignored'] !== true;
      return {
        type: 'user',
        ...(isOurs ? { promptSource: 'typed' } : { isMeta: true }),
        message: { role: 'user', content: isOurs ? typedIn(text) : text },
      };
    }
    case 'compaction':
      return {
        type: 'system',
        subtype: 'compact_boundary',
        content: 'Conversation compacted',
        compactMetadata: { trigger: row['auto'] === true ? 'auto' : 'manual' },
      };
    case 'file': {
      const [, media_type, data] = /^data:(image\/[\w.+-]+);base64,(.*)$/su.exec(stringOf(row['url']) ?? '') ?? [];
      if (media_type === undefined || data === undefined) return passing('part/file');
      const image = { type: 'image', source: { type: 'base64', media_type, data } };
      return { type: 'user', promptSource: 'typed', message: { role: 'user', content: [image] } };
    }
    default:
      return passing(`part/${stringOf(row['type']) ?? ''}`);
  }
};

// `opencode run` quotes every argument that contains a space, which may be the whole prompt.
const typedIn = (text: string): string => {
  const inner = /^"([\s\S]*)"\s*$/u.exec(text)?.[1];
  return inner === undefined || !inner.includes(' ') || /(?:^|[^\\])"/u.test(inner) ? text : inner.replaceAll(String.raw`\"`, '"');
};

const replyIn = (line: JsonObject, row: JsonObject): JsonObject => {
  const text = stringOf(row['text']) ?? '';
  switch (stringOf(row['type']) ?? '') {
    case 'text':
      if (text === '') return passing('part/text');
      return line['isSummary'] === true
        ? { type: 'user', isCompactSummary: true, message: { role: 'user', content: text } }
        : saying(line, [{ type: 'text', text }]);
    case 'reasoning':
      return text === '' ? passing('part/reasoning') : saying(line, [{ type: 'thinking', thinking: text }]);
    case 'step-finish':
      return counting(line, row);
    default:
      return passing(`part/${stringOf(row['type']) ?? ''}`);
  }
};

/** OPEN-8: a step's tokens, and its cost according to opencode: it knows the prices of many providers, and that subscriptions cost nothing. */
const counting = (line: JsonObject, row: JsonObject): JsonObject => {
  const usage = usageOf(objectOf(row['tokens']));
  if (usage === null) return passing(`part/${stringOf(row['type']) ?? 'end'}`);
  const cost = row['cost'];
  return { ...saying(line, [], usage), ...(typeof cost === 'number' && cost > 0 ? { costUSD: cost } : {}) };
};

const saying = (line: JsonObject, content: Json, usage?: JsonObject): JsonObject => {
  const step = typeof line['step'] === 'number' && line['step'] > 0 ? `/${line['step']}` : '';
  const id = `${stringOf(line['message']) ?? ''}${step}`;
  return { type: 'assistant', message: { role: 'assistant', id, model: stringOf(line['model']), content, usage } };
};

/** OPEN-7: a call has failed if opencode says so, or if a command exited with a code other than 0; a call that the user cancelled has not. */
const resultIn = (row: JsonObject): JsonObject => {
  const state = objectOf(row['state']) ?? {};
  const metadata = objectOf(state['metadata']) ?? {};
  const exit = metadata['exit'];
  const failed =
    (state['status'] === 'error' && state['error'] !== 'Tool execution aborted') ||
    (typeof exit === 'number' && exit !== 0) ||
    row['tool'] === 'invalid';
  const text = stringOf(state['output']) ?? stringOf(state['error']) ?? '';
  const agentId = row['tool'] === 'task' ? (stringOf(metadata['sessionId']) ?? stringOf(metadata['sessionID']) ?? agentIn(text)) : null;
  const pictures = listOf(state['attachments']).flatMap((file) => {
    const [, media_type, data] = /^data:(image\/[\w.+-]+);base64,(.*)$/su.exec(stringOf(objectOf(file)?.['url']) ?? '') ?? [];
    return media_type === undefined || data === undefined ? [] : [{ type: 'image', source: { type: 'base64', media_type, data } }];
  });
  const result = { type: 'tool_result', tool_use_id: callOf(row), is_error: failed, content: [{ type: 'text', text }, ...pictures] };
  return {
    type: 'user',
    message: { role: 'user', content: [result] },
    ...(agentId === null ? {} : { toolUseResult: { status: 'completed', agentId } }),
  };
};

const callOf = (row: JsonObject): string => stringOf(row['callID']) ?? stringOf(row['id']) ?? '';

const agentIn = (text: string): string | null => /^(?:<task id="|task_id: )(ses_\w+)/u.exec(text)?.[1] ?? null;

/** How a response ended: with an error, an interruption, or with its tokens if none of its steps reported them. */
const endIn = (line: JsonObject, row: JsonObject): JsonObject => {
  const error = objectOf(row['error']);
  if (error !== null) {
    const said = stringOf(objectOf(error['data'])?.['message']) ?? stringOf(error['message']) ?? stringOf(error['name']) ?? '';
    if (error['name'] === 'MessageAbortedError')
      return { type: 'user', message: { role: 'user', content: [{ type: 'text', text: '[Request interrupted by user]' }] } };
    return {
      type: 'assistant',
      isApiErrorMessage: true,
      message: { role: 'assistant', model: '<synthetic>', content: [{ type: 'text', text: `API Error: ${said}` }] },
    };
  }
  return line['step'] === 0 ? counting(line, row) : passing('end');
};
