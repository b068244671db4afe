import { objectOf, stringOf, type JsonObject } from '../../json.ts';
import { formatInstant } from '../../time.ts';
import type { Fork } from './forks.ts';
import { isTold } from './records.ts';
import { instantOf, type MessageRow, type Messages, type PartRow, type SessionRow } from './rows.ts';

/**
 * OPEN-4: a session as lines in a stable order. Each line contains only what can't change any more, so a session that continues keeps its lines and
 * gets new ones after them. Whatever is still being written is left out, with everything after it.
 */
export function* linesOf(session: SessionRow, messages: Messages, fork: Fork | null, now: number): Generator<JsonObject, void, void> {
  const { id, parentId, directory, title, version, createdAt } = session;
  /** Those of the message being told. */
  let lines: JsonObject[] = [];
  let tip: string | null = null;
  let isOpen = false;
  /** The end of the conversation while something is taken back. */
  let standsAt: string | null | undefined;

  const put = (kind: string, at: number, name: string | null, row: JsonObject, facts: JsonObject = {}): void => {
    const line = { kind, time: formatInstant(at), name: name ?? undefined, parent: name === null ? undefined : tip, ...facts, row };
    lines.push(line);
    // Only a line that becomes part of the conversation can have followers.
    if (name !== null && isTold(line)) tip = name;
  };

  const own = { id, parentId, directory, version, time: createdAt };
  put('session', createdAt, null, own, { directory, version, ...(fork === null ? {} : { forkedFrom: fork.from }) });
  if (title !== null && !UNNAMED.test(title)) put('title', createdAt, null, { title });

  let left = messages.length;
  for (const message of messages) {
    if (isOpen) break;
    yield* lines;
    lines = [];
    left -= 1;
    const { data } = message;
    const original = fork?.originals.get(message.id);
    const owner = original?.session ?? id;
    const ownerMessage = original?.message ?? message;
    const isReply = data['role'] === 'assistant';
    // Nothing more will come: the user asked something else, the response failed, or the process was killed.
    const isLeft = !isReply || left > 0 || objectOf(data['error']) !== null || now - latestOf(message) > FORGOTTEN;
    const isEnded = isLeft || objectOf(data['time'])?.['completed'] !== undefined;
    const facts = {
      message: `opencode/${owner}/${ownerMessage.id}`,
      role: stringOf(data['role']) ?? '',
      directory: stringOf(objectOf(data['path'])?.['cwd']) ?? directory,
      version,
      ...(isReply ? { model: stringOf(data['modelID']), isSummary: data['summary'] === true || data['mode'] === 'compaction' } : {}),
    };
    if (session.revert?.message === message.id) standsAt ??= tip;
    const { summary: _summary, tokens: _tokens, cost: _cost, error: _error, finish: _finish, ...begun } = data;
    put('message', message.createdAt, null, { id: message.id, ...begun, time: { created: objectOf(data['time'])?.['created'] } }, facts);

    let step = 0;
    let waiting: { readonly part: PartRow; readonly name: string }[] = [];
    const settle = (): void => {
      for (const { part, name } of waiting) {
        const state = objectOf(part.data['state']) ?? {};
        if (isReturned(state)) put('result', endOf(state, message), `${name}/result`, { id: part.id, ...part.data }, { ...facts, step });
        else if (!isLeft) isOpen = true;
        if (isOpen) return;
      }
      waiting = [];
    };

    for (const [number, part] of message.parts.entries()) {
      const type = stringOf(part.data['type']) ?? '';
      const state = objectOf(part.data['state']);
      const name = `opencode/${owner}/${ownerMessage.parts[number]?.id ?? part.id}`;
      if (type === 'step-start' || type === 'step-finish') settle();
      isOpen ||= !isEnded && !isSettled(type, part.data, state);
      if (isOpen) break;
      if (session.revert?.part === part.id) standsAt ??= tip;
      if (type === 'tool') {
        const { tool, callID } = part.data;
        put(
          'call',
          startOf(state ?? {}, part, message),
          name,
          { id: part.id, type, tool, callID, state: { input: state?.['input'] } },
          { ...facts, step },
        );
        waiting.push({ part, name });
      } else put('part', startOf(part.data, part, message), name, { id: part.id, ...part.data }, { ...facts, step });
      if (type === 'step-finish') step += 1;
    }
    if (!isOpen) settle();
    if (!isOpen && isReply && isEnded) put('end', endOf(data, message), `${facts.message}/end`, { id: message.id, ...data }, { ...facts, step });
  }
  yield* lines;
  // Everything from there on is taken back, and the next prompt will delete it.
  if (!isOpen && standsAt !== undefined) yield { kind: 'revert', time: null, standsAt, row: { ...session.revert } };
}

const isReturned = (state: JsonObject): boolean => state['status'] === 'completed' || state['status'] === 'error';

const isSettled = (type: string, data: JsonObject, state: JsonObject | null): boolean => {
  if (type === 'text' || type === 'reasoning') return objectOf(data['time'])?.['end'] !== undefined || data['synthetic'] === true;
  return type !== 'tool' || (state !== null && state['status'] !== 'pending');
};

const startOf = (from: JsonObject, part: PartRow, message: MessageRow): number => {
  const start = instantOf(objectOf(from['time'])?.['start']);
  return Number.isFinite(start) ? start : Number.isFinite(part.createdAt) && part.createdAt >= message.createdAt ? part.createdAt : message.createdAt;
};

const endOf = (from: JsonObject, message: MessageRow): number => {
  const time = objectOf(from['time']);
  const end = instantOf(time?.['end'] ?? time?.['completed']);
  return Number.isFinite(end) ? end : latestOf(message);
};

const latestOf = ({ createdAt, data, parts }: MessageRow): number =>
  [
    createdAt,
    instantOf(objectOf(data['time'])?.['completed']),
    ...parts.flatMap((part) => {
      const times = [objectOf(part.data['time']), objectOf(objectOf(part.data['state'])?.['time'])];
      return [part.createdAt, ...times.flatMap((time) => [instantOf(time?.['start']), instantOf(time?.['end'])])];
    }),
  ].reduce((latest, at) => (at > latest ? at : latest), 0);

/** No model thinks this long without writing anything: the process was killed. */
const FORGOTTEN = 60 * 60 * 1000;

const UNNAMED = /^(?:$|(?:New|Child) session - \d{4}-)/u;
