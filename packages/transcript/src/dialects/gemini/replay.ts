import { isObject, listOf, objectOf, stringOf, type Json, type JsonObject } from '../../json.ts';
import { folderHashed } from './folder.ts';

/**
 * GEM-3: replays a chat, change by change. Nothing is emitted twice, and nothing is lost if a later change leaves it out: of each reply the richest
 * form counts. Changes only add lines, so a chat that continues, or is rewritten with more, keeps its lines and gets new ones after them.
 */
export function* replay(changes: Iterable<JsonObject>, folder: string | null): Generator<JsonObject, void, void> {
  /** Those of the change being replayed. */
  let lines: JsonObject[] = [];
  const told = new Set<string>();
  /** The latest text of each reply. */
  const words = new Map<string, string>();
  /** The end of the conversation before and after each message, in message order. */
  const behind = new Map<string, { readonly before: string | null; after: string | null }>();
  /** The ids that the message list was set to, unless messages followed. */
  let kept: ReadonlySet<string> | null = null;
  let tip: string | null = null;
  let session = '';
  let cwd = folder;
  let project = '';

  const put = (kind: string, time: Json | undefined, name: string | null, row: JsonObject, more: JsonObject = {}): void => {
    const named = name === null ? undefined : `gemini/${session}/${name}`;
    lines.push({ kind, time: stringOf(time), cwd, name: named, parent: named === undefined ? undefined : tip, ...more, row });
    if (named !== undefined) tip = named;
  };

  const once = (name: string): boolean => !told.has(name) && told.add(name).size > 0;

  const standAt = (place: string | null, row: JsonObject): void => {
    tip = place;
    lines.push({ kind: 'revert', time: null, cwd, standsAt: place, row });
  };

  // GEM-8: messages missing from the list were taken back, unless they were summed up.
  const settle = (): void => {
    if (kept === null) return;
    const list = kept;
    kept = null;
    // Only if the list is a prefix of the conversation: then everything after it was dropped.
    const dropped: string[] = [];
    let last: string | null = null;
    for (const id of behind.keys()) {
      const isHeld = list.has(id);
      if (isHeld ? dropped.length > 0 : last === null) return;
      if (isHeld) last = id;
      else dropped.push(id);
    }
    if (last === null || dropped.length === 0) return;
    for (const id of dropped) behind.delete(id);
    standAt(behind.get(last)?.after ?? null, { dropped });
  };

  const takeUser = (message: JsonObject, id: string): void => {
    const { timestamp, content } = message;
    const parts = partsOf(content);
    for (const part of parts) {
      const answer = objectOf(part['functionResponse']);
      const call = stringOf(answer?.['id']);
      if (answer !== null && call !== null && once(`result/${call}`)) put('result', timestamp, `result/${call}`, answer, { call });
    }
    const text = textIn(parts);
    if (text === '' || !once(`said/${id}`)) {
      // Tool answers have lines of their own; this keeps everything else.
      put('pass', timestamp, null, parts.length > 0 && parts.every(isAnswer) ? { id, type: 'user' } : message);
    } else if (text.startsWith('<state_snapshot>')) {
      put('boundary', timestamp, `${id}/boundary`, { id });
      put('summary', timestamp, id, message, { text });
    } else put(INJECTED.some((start) => text.startsWith(start)) ? 'note' : 'prompt', timestamp, id, message, { text });
  };

  const takeReply = (message: JsonObject, id: string, isAfterSummary: boolean): void => {
    const { timestamp, content, thoughts, tokens, model, toolCalls } = message;
    const parts = partsOf(content);
    const text = textIn(parts);
    const facts = { message: `gemini/${session}/${id}`, model: stringOf(model) };
    const thinking = [
      ...listOf(thoughts).map(thoughtIn),
      ...parts.filter(({ thought }) => thought === true).map((part) => stringOf(part['text']) ?? ''),
    ].filter((thought) => thought !== '');
    if (isAfterSummary && text !== '' && once(`said/${id}`)) put('pass', timestamp, null, message);
    if (thinking.length > 0 && once(`thought/${id}`))
      put('thinking', timestamp, `${id}/thinking`, { thoughts }, { ...facts, text: thinking.join('\n\n') });
    if (text !== '' && once(`said/${id}`)) put('text', timestamp, id, { content }, { ...facts, text });
    else if (text === '' ? parts.some(isOdd) : words.get(id) !== text) put('pass', timestamp, null, { id, type: 'gemini', content });
    if (text !== '') words.set(id, text);
    const calls: readonly JsonObject[] = [...listOf(toolCalls), ...parts.map((part) => part['functionCall'])].filter((call) => isObject(call));
    if (objectOf(tokens) !== null && once(`tokens/${id}`)) put('usage', timestamp, `${id}/usage`, { tokens }, facts);
    for (const [i, call] of calls.entries()) {
      const callId = stringOf(call['id']) ?? `${id}/${i}`;
      const { result, resultDisplay, ...asked } = call;
      // Applies from here on: earlier lines stay as they were emitted.
      cwd ??= folderHashed(
        project,
        Object.values(objectOf(call['args']) ?? {}).flatMap((given) => stringOf(given) ?? []),
      );
      if (once(`call/${callId}`)) put('call', timestamp, `call/${callId}`, asked, { ...facts, call: callId });
      const answers: readonly JsonObject[] = listOf(result)
        .map((part) => objectOf(part)?.['functionResponse'])
        .filter((answer) => isObject(answer));
      const isOver = answers.length > 0 || call['status'] === 'error' || call['status'] === 'cancelled';
      if (isOver && once(`result/${callId}`))
        put(
          'result',
          call['timestamp'] ?? timestamp,
          `result/${callId}`,
          { ...answers[0], status: call['status'] },
          {
            call: callId,
            agent: stringOf(call['agentId']),
            tool: stringOf(call['name']),
            display: typeof resultDisplay === 'string' ? resultDisplay : null,
          },
        );
    }
  };

  const takeMessage = (message: JsonObject, isAfterSummary = false): void => {
    const id = stringOf(message['id']) ?? '';
    const before = tip;
    switch (stringOf(message['type']) ?? '') {
      case 'user':
        takeUser(message, id);
        break;
      case 'gemini':
        takeReply(message, id, isAfterSummary);
        break;
      case 'error':
        if (once(`said/${id}`)) put('error', message['timestamp'], id, message, { text: textIn(partsOf(message['content'])) });
        break;
      default:
        put('pass', message['timestamp'], null, message);
    }
    const place = behind.get(id);
    if (place === undefined) behind.set(id, { before, after: tip });
    else if (tip !== before) place.after = tip;
  };

  const takeSet = (set: JsonObject): void => {
    const summary = stringOf(set['summary']);
    if (summary !== null && once(`summary/${summary}`)) put('title', null, null, { summary });
    if (!Array.isArray(set['messages'])) {
      put('pass', null, null, { $set: Object.keys(set) });
      return;
    }
    const all = listOf(set['messages']);
    const messages = all.filter(isObject);
    for (const odd of all) if (!isObject(odd)) put('pass', null, null, { unreadable: odd });
    const snapshot = messages.findIndex((message) => textIn(partsOf(message['content'])).startsWith('<state_snapshot>'));
    // Known messages come before new ones.
    for (const [i, message] of messages.entries()) {
      const id = stringOf(message['id']);
      const isKnown = id !== null && behind.has(id);
      if (!isKnown || (message['type'] === 'user' && hasAnswers(message))) takeMessage(message, snapshot !== -1 && i === snapshot + 1);
    }
    kept = snapshot === -1 ? new Set(messages.map(({ id }) => stringOf(id) ?? '')) : null;
    put('pass', null, null, { $set: { messages: messages.length } });
  };

  for (const change of changes) {
    const set = objectOf(change['$set']);
    const rewound = stringOf(change['$rewindTo']);
    const id = stringOf(change['sessionId']);
    if (set !== null) takeSet(set);
    else if (rewound !== null) {
      settle();
      const place = behind.get(rewound);
      if (place !== undefined) {
        standAt(place.before, change);
        const all = [...behind.keys()];
        for (const gone of all.slice(all.indexOf(rewound))) behind.delete(gone);
      }
    } else if (stringOf(change['id']) !== null && stringOf(change['type']) !== null) {
      settle();
      takeMessage(change);
    } else if (id !== null && session === '') {
      session = id;
      project = stringOf(change['projectHash']) ?? '';
      cwd ??= stringOf(listOf(change['directories'])[0]);
      const { lastUpdated: _lastUpdated, ...header } = change;
      put('session', change['startTime'], null, header, { sessionId: id });
    } else put('pass', null, null, change);
    // GEM-10: a change that adds nothing is counted all the same.
    if (lines.length === 0) put('pass', change['timestamp'], null, change);
    yield* lines;
    lines = [];
  }
}

const partsOf = (content: Json | undefined): readonly JsonObject[] => {
  if (typeof content === 'string') return [{ text: content }];
  if (isObject(content)) return [content];
  return listOf(content).flatMap((part) => (typeof part === 'string' ? [{ text: part }] : isObject(part) ? [part] : []));
};

const textIn = (parts: readonly JsonObject[]): string =>
  parts
    .filter(({ thought }) => thought !== true)
    .flatMap((part) => stringOf(part['text']) ?? [])
    .join('\n');

const hasAnswers = (message: JsonObject): boolean => partsOf(message['content']).some((part) => objectOf(part['functionResponse']) !== null);

/** A tool's answer, which has a line of its own. */
const isAnswer = (part: JsonObject): boolean => stringOf(objectOf(part['functionResponse'])?.['id']) !== null;

/** A part of an unknown kind: neither text, nor a thought, nor a call. */
const isOdd = (part: JsonObject): boolean => stringOf(part['text']) === null && objectOf(part['functionCall']) === null;

const thoughtIn = (thought: Json): string => {
  const { subject, description } = objectOf(thought) ?? {};
  const heading = stringOf(subject) ?? '';
  // As the model wrote it, before Gemini split it.
  return [heading === '' ? '' : `**${heading}**`, stringOf(description) ?? ''].filter((text) => text !== '').join('\n\n');
};

/** The text of a tool's answer, however it is wrapped. */
export const answerIn = (answer: JsonObject): { readonly text: string; readonly isError: boolean } => {
  const response = answer['response'];
  const { output, error } = objectOf(response) ?? {};
  const said = output ?? error ?? response ?? '';
  return { text: typeof said === 'string' ? said : JSON.stringify(said), isError: output === undefined && error !== undefined };
};

const INJECTED = [
  '<session_context>',
  'You have stopped calling tools',
  '<hook_context>',
  'This is the Gemini CLI. We are setting up the context',
] as const;
