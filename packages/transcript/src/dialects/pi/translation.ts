import type { Context, LinePlace, Translation } from '../../dialect.ts';
import { jsonText } from '../../json-text.ts';
import { objectOf, stringOf, type JsonObject } from '../../json.ts';
import { parseInstant } from '../../time.ts';
import { emptyLedger, type Ledger } from '../../ledger.ts';
import { saidIn } from './messages.ts';

/** PI-3: a session, entry by entry. */
export const beginTree = (file: Context): Translation => behind({ file, facts: {}, entries: emptyLedger(), tip: null });

type State = {
  readonly file: Context;
  readonly facts: JsonObject;
  /** The record that the followers of each entry continue from: its own, or the previous one if it adds nothing. */
  readonly entries: Ledger<string | null>;
  readonly tip: string | null;
};

const behind = (state: State): Translation => ({
  tip: state.tip,
  take: (value, at) => {
    const { record, next } = takeLine(state, value, at);
    return { record, next: behind(next) };
  },
});

const takeLine = (state: State, value: JsonObject, at: LinePlace): { readonly record: JsonObject; readonly next: State } => {
  const time = stringOf(value['timestamp']);
  const { file } = state;
  const frame = {
    sessionId: file.sessionId,
    isSidechain: false,
    ...(time === null ? {} : { timestamp: time }),
  };
  if (value['type'] === 'session') {
    const facts = { cwd: stringOf(value['cwd']) ?? undefined };
    const from = originIn(stringOf(value['parentSession']));
    const record = {
      ...frame,
      ...facts,
      writtenBy: 'pi',
      ...(from === null ? { type: 'pi/session' } : { type: 'fork-context-ref', parentSessionId: from }),
    };
    return { record, next: { ...state, facts } };
  }
  // PI-4: copies in a fork share their originals' ids and times, and so their names. Old files have no ids, but copies match in all else.
  const id = stringOf(value['id']);
  const instant = instantOf(value);
  const name =
    id !== null
      ? `pi/${id}/${instant}`
      : instant === '' || value['type'] === undefined
        ? `pi/${file.sessionId}/${at.line}.${at.part}`
        : `pi/${instant}/${at.line}.${at.part}/${printOf(value)}`;
  const above = stringOf(value['parentId']);
  const known = above === null ? null : state.entries.get(above);
  const parent = id === null || known === undefined ? state.tip : known;
  const said = saidIn(value, name);
  const stands = said === null ? parent : name;
  const next: State = { ...state, tip: stands, entries: state.entries.with(id ?? name, stands) };
  if (said !== null) return { record: { ...frame, ...state.facts, uuid: name, parentUuid: parent, ...said }, next };
  return { record: { ...frame, ...stateIn(value) }, next };
};

const instantOf = (value: JsonObject): string => {
  const at = parseInstant(stringOf(value['timestamp']) ?? '');
  return Number.isFinite(at) ? String(at) : '';
};

const printOf = (value: JsonObject): string => {
  const text = jsonText(value);
  let print = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) print = Math.imul(print ^ text.charCodeAt(i), 0x01000193);
  return (print >>> 0).toString(16);
};

const originIn = (path: string | null): string | null => (path === null ? null : (/_([\w-]+)\.jsonl$/u.exec(path)?.[1] ?? null));

const stateIn = (value: JsonObject): JsonObject => {
  const type = stringOf(value['type']) ?? '';
  const name = type === 'session_info' ? stringOf(value['name']) : null;
  if (name !== null && name !== '') return { type: 'custom-title', customTitle: name };
  const role = type === 'message' ? `/${stringOf(objectOf(value['message'])?.['role']) ?? ''}` : '';
  return { type: `pi/${type}${role}`.slice(0, 80) };
};
