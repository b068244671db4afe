import { readFileSync } from 'node:fs';
import {
  addFile,
  addMeta,
  append,
  createReader,
  createSession,
  readMeta,
  type Json,
  type JsonObject,
  type MapperInput,
  type Node,
  type Session,
} from '@yarnboard/transcript';
import type { Group } from '@yarnboard/server';
import { convert, initialConverter } from '../packages/server/src/launches/convert.ts';

/** A session as it was read: what its transcript is, and what the mapper is fed with. */
export type SessionReading = {
  readonly session: Session;
  /** Uuids of the records of all files in order of time, each file in its own order. */
  readonly order: readonly string[];
  readonly valueOf: (node: Node) => JsonObject;
  readonly inputs: readonly MapperInput[];
};

export const readSession = (group: Group): SessionReading => {
  const session = createSession(group.sessionId);
  const values = new Map<Node, JsonObject>();
  const timed: { readonly uuid: string | null; readonly at: number; readonly file: number; readonly inputs: readonly MapperInput[] }[] = [];
  for (const { path, agentId, meta } of group.files) {
    const known = agentId === null || meta === null ? null : readMeta(JSON.parse(readFileSync(meta, 'utf8')) as Json); // as JSON.parse gives it
    if (agentId !== null && known !== null) addMeta(session, agentId, known);
    const file = addFile(session, { path, agentId });
    let at = 0;
    let isBegun = false;
    const reader = createReader({
      decode: (bytes, from, to) => Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('utf8'),
      sink: {
        record: (value, place) => {
          const { entry, node, duplicateOf } = append(session, file, value, place);
          // One without a time, or with an earlier one, goes with the record before it.
          if (entry.at > at) ({ at } = entry);
          if (node !== null) values.set(node, value);
          const named = entry.uuid === null || entry.uuid.startsWith('line:') ? `${path}:${place.line}.${place.part}` : entry.uuid;
          const beside: readonly MapperInput[] = isBegun || agentId === null || known === null ? [] : [{ kind: 'meta', agentId, meta: known }];
          isBegun = true;
          const input: MapperInput = { kind: 'record', record: value, entry, uuid: named, agentId, source: null };
          timed.push({ uuid: (node ?? duplicateOf)?.uuid ?? null, at, file, inputs: [...beside, input] });
        },
        quarantine: () => undefined,
      },
    });
    reader.feed(readFileSync(path));
    reader.end();
  }
  timed.sort((a, b) => a.at - b.at || a.file - b.file);
  return {
    session,
    order: timed.flatMap(({ uuid }) => uuid ?? []),
    valueOf: (node) => values.get(node) ?? {},
    inputs: timed.flatMap(({ inputs }) => inputs),
  };
};

/** The messages of an Agent SDK's stream as the records that a run puts on the log, by session. */
export const readStream = (path: string): ReadonlyMap<string, SessionReading> => {
  const found = new Map<string, { session: Session; order: string[]; values: Map<Node, JsonObject>; inputs: MapperInput[] }>();
  let state = initialConverter({});
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .forEach((line, i) => {
      const message = JSON.parse(line) as JsonObject; // as JSON.parse gives it
      const converted = convert(state, message, Date.parse(textOf(message['_t'])));
      ({ state } = converted);
      converted.records.forEach((record, part) => {
        const id = textOf(record['sessionId']);
        const known = found.get(id) ?? { session: createSession(id), order: [], values: new Map<Node, JsonObject>(), inputs: [] };
        if (!found.has(id)) addFile(known.session, { path, agentId: null });
        found.set(id, known);
        const { entry, node } = append(known.session, 0, record, { line: i + 1, part, offset: 0, length: 0 });
        if (node !== null) known.values.set(node, record);
        const uuid = textOf(record['uuid']);
        known.order.push(uuid);
        known.inputs.push({ kind: 'record', record, entry, uuid, agentId: entry.isSidechain ? entry.agentId : null, source: null });
      });
    });
  return new Map([...found].map(([id, { values, ...rest }]) => [id, { ...rest, valueOf: (node: Node): JsonObject => values.get(node) ?? {} }]));
};

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
