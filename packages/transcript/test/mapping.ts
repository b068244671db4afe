import {
  assertNever,
  initialMapper,
  readEntry,
  step,
  type Envelope,
  type JsonObject,
  type MapperInput,
  type MapperOptions,
  type MapperState,
} from '../src/index.ts';

/** Records as Claude Code would write them; ids and times count up. */
export const writeRecords = () => {
  let count = 0;
  const record = (type: 'user' | 'assistant' | 'system', content: unknown, more: JsonObject = {}): JsonObject => {
    count += 1;
    return {
      type,
      uuid: `r${count}`,
      timestamp: new Date(Date.UTC(2026, 0, 1, 12, 0, count)).toISOString(),
      ...(type === 'system' ? {} : { message: { role: type, content } as JsonObject }),
      ...more,
    };
  };
  return {
    record,
    user: (content: unknown, more: JsonObject = {}) => record('user', content, more),
    said: (text: string, more: JsonObject = {}) => record('assistant', [{ type: 'text', text }], more),
    used: (id: string, name: string, input: JsonObject = {}, more: JsonObject = {}) =>
      record('assistant', [{ type: 'tool_use', id, name, input }], more),
    got: (id: string, content: unknown = 'ok', more: JsonObject = {}, isError = false) =>
      record('user', [{ type: 'tool_result', tool_use_id: id, content, ...(isError ? { is_error: true } : {}) }], more),
    ended: (text: string, more: JsonObject = {}) => {
      const made = record('assistant', [{ type: 'text', text }], more);
      return { ...made, message: { ...(made['message'] as JsonObject), stop_reason: 'end_turn' } };
    },
  };
};

export const inputOf = (record: JsonObject, agentId: string | null = null): MapperInput => {
  const entry = readEntry(record, { line: 1, part: 0, offset: 0, length: 0 }, agentId !== null);
  return { kind: 'record', record, entry, uuid: entry.uuid ?? `state:${JSON.stringify(record)}`, agentId, source: null };
};

export const END: MapperInput = { kind: 'close', uuid: 'end', at: Number.NaN, status: null, isEnd: true };

export type Fed = MapperInput | JsonObject;

const isInput = (one: Fed): one is MapperInput => 'kind' in one;

export const mapAll = (
  fed: readonly Fed[],
  options: MapperOptions = {},
  from: MapperState = initialMapper,
): { readonly state: MapperState; readonly envelopes: readonly Envelope[] } => {
  const envelopes: Envelope[] = [];
  let state = from;
  for (const one of fed) {
    const mapped = step(state, isInput(one) ? one : inputOf(one), options);
    ({ state } = mapped);
    envelopes.push(...mapped.envelopes);
  }
  return { state, envelopes };
};

/** Envelopes as short lines; turns and sub-agents are called by letters in the order they appear: t1, t2, s1, s2. */
export const brief = (envelopes: readonly Envelope[]): readonly string[] => {
  const names = new Map<string, string>();
  const nameOf = (kind: 't' | 's', id: string | undefined): string => {
    if (id === undefined) return '';
    const known = names.get(id) ?? `${kind}${[...names.values()].filter((name) => name.startsWith(kind)).length + 1}`;
    names.set(id, known);
    return ` ${known}`;
  };
  return envelopes.map(({ role, turn, subagent, ev }) => {
    const place = `${role}${nameOf('t', turn)}${nameOf('s', subagent)} ${ev.t}`;
    switch (ev.t) {
      case 'text':
        return `${place}${ev.thinking === true ? ' thinking' : ''}${ev.prompt === true ? ' prompt' : ''}: ${ev.text}`;
      case 'tool-call-start':
        return `${place}: ${ev.name} ${ev.call}`;
      case 'tool-call-end':
        return `${place}: ${ev.call}${ev.isInterrupted === true ? ' interrupted' : ev.isError ? ' error' : ''} ${JSON.stringify(ev.result)}`;
      case 'turn-end':
      case 'stop':
        return `${place}: ${ev.status}`;
      case 'start':
        return `${place}${ev.isOrphan === true ? ' orphan' : ''}${ev.parent === undefined ? '' : ` under${nameOf('s', ev.parent)}`}`;
      case 'service':
        return `${place} ${ev.kind}: ${ev.text}`;
      case 'file':
        return `${place}: ${ev.name} ${ev.size}`;
      case 'turn-start':
        return place;
      default:
        return assertNever(ev);
    }
  });
};
