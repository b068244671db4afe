import { NOWHERE } from '@yarnboard/store';
import { readEntry, type Entry, type Json, type JsonObject } from '@yarnboard/transcript';
import { convert, initialConverter, interrupt, type Converter, type Fact } from '../../src/launches/convert.ts';
import { textOf } from './streams.ts';

export const AT = Date.UTC(2026, 0, 1, 12);
export const S = '11111111-0000-4000-8000-000000000000';

export type Played = { readonly state: Converter; readonly records: readonly JsonObject[]; readonly facts: readonly Fact[] };

export const play = (messages: readonly unknown[], start: Converter = initialConverter({})): Played => {
  let state = start;
  const records: JsonObject[] = [];
  const facts: Fact[] = [];
  for (const message of messages) {
    const converted = convert(state, message, AT);
    ({ state } = converted);
    records.push(...converted.records);
    facts.push(...converted.facts);
  }
  return { state, records, facts };
};

/** The same, with whatever is open cut off at the end. */
export const playToEnd = (messages: readonly unknown[]): Played => {
  const { state, records, facts } = play(messages);
  const end = interrupt(state, AT, 'everything');
  return { state: end.state, records: [...records, ...end.records], facts };
};

export const readingOf = (record: JsonObject): Entry => readEntry(record, NOWHERE);
export const uuidOf = (record: JsonObject): string => textOf(record['uuid']);
export const parentsOf = (records: readonly JsonObject[]): readonly (Json | undefined)[] => records.map((record) => record['parentUuid']);

export const of = (type: string, more: object): object => ({ type, session_id: S, parent_tool_use_id: null, ...more });
export const text = (uuid: string, said: string, more: object = {}): object =>
  of('assistant', { uuid, message: { role: 'assistant', content: [{ type: 'text', text: said }] }, ...more });
export const call = (uuid: string, id: string, name = 'Bash', input: object = {}, more: object = {}): object =>
  of('assistant', { uuid, message: { role: 'assistant', content: [{ type: 'tool_use', id, name, input }] }, ...more });
export const result = (uuid: string, id: string, content: unknown = 'done', more: object = {}): object =>
  of('user', { uuid, message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] }, ...more });
export const within = (id: string): object => ({ parent_tool_use_id: id });
export const task = (uuid: string, id: string, prompt: string, more: object = {}): object =>
  call(uuid, id, 'Task', { prompt, description: 'd' }, more);
