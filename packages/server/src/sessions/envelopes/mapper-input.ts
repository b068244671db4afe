import { ENTRY_TYPES, type Entry } from '@yarnboard/domain';
import { snakeOf } from '@yarnboard/protocol';
import { agentMetaIn, contextOf, NOWHERE, recordOf, type LogPort } from '@yarnboard/store';
import { TURN_STATUSES, type Json, type JsonObject, type MapperInput, type ServiceKind } from '@yarnboard/transcript';
import { readLogged, recordOfLine } from '../log-records.ts';
import type { SessionRecords } from '../session-records.ts';

/** The records of a session as input for the mapper. */
export async function* inputsIn({ read }: Pick<SessionRecords, 'read'>): AsyncGenerator<MapperInput, void, undefined> {
  for await (const inputs of read()) {
    for (const input of inputs) {
      if (input.kind === 'meta') yield input;
      else if (input.kind === 'record') {
        const { file, agentId, record, entry } = input;
        const uuid = entry.uuid?.startsWith('line:') === false ? entry.uuid : `${file}:${entry.place.line}.${entry.place.part}`;
        yield { kind: 'record', record, entry, uuid, agentId, source: null };
      }
    }
  }
}

/** An entry of the log as input for the mapper; null if it isn't part of its session's conversation. */
export const mapperInputOf = (entry: Entry, bytes: Uint8Array | null, source: string | null): MapperInput | null => {
  switch (entry.type) {
    case ENTRY_TYPES.line:
    case ENTRY_TYPES.copied:
      return recordInput(entry, recordOfLine(entry, bytes), source);
    case ENTRY_TYPES.streamed:
      return recordInput(entry, recordOf({ note: null }, bytes), null);
    case ENTRY_TYPES.companion: {
      const found = agentMetaIn(entry.note ?? '', bytes);
      return found === null ? null : { kind: 'meta', ...found };
    }
    case ENTRY_TYPES.turnClosed: {
      const { status, isEnd, turn } = detailsOf(bytes);
      return {
        kind: 'close',
        uuid: entry.uuid,
        at: entry.timestamp,
        status: TURN_STATUSES.find((one) => one === status) ?? null,
        isEnd: isEnd === true,
        ...(typeof turn === 'string' ? { turn } : {}),
      };
    }
    case MERGED: {
      const { text, citations } = detailsOf(bytes);
      return {
        kind: 'service',
        uuid: entry.uuid,
        at: entry.timestamp,
        service: 'merge',
        text: wordOr(text, '[forgotten]'),
        data: { event: entry.type, references: citations ?? [] },
        ...(source === null ? {} : { source }),
      };
    }
    default: {
      const service = serviceOf(entry.type);
      if (service === null) return null;
      const details = detailsOf(bytes);
      return { kind: 'service', uuid: entry.uuid, at: entry.timestamp, service, text: textOf(entry, details), data: dataOf(entry, details) };
    }
  }
};

/** ENV-56: a sidebar's contribution is sent at the time of the merge: envelopes are in order of time. */
const MERGED = 'memory.merged';

/** The reference of an entry's message; a copy has its original's. */
export const sourceOf = async (log: LogPort, { refs, copyOf }: Entry): Promise<string | null> => {
  if (copyOf === null) return messageIn(refs);
  const original = await log.entryAt(copyOf);
  return original === null ? null : messageIn(original.refs);
};

export const messageIn = (refs: readonly string[]): string | null => refs.find((ref) => ref.startsWith('MSG-')) ?? null;

const recordInput = (entry: Entry, record: JsonObject | null, source: string | null): MapperInput | null => {
  const read = readLogged(entry, record, NOWHERE);
  return read === null ? null : { kind: 'record', ...read, uuid: read.entry.uuid ?? entry.uuid, agentId: contextOf(entry.contextId).agentId, source };
};

const detailsOf = (bytes: Uint8Array | null): JsonObject => recordOf({ note: null }, bytes) ?? {};

const serviceOf = (type: string): ServiceKind | null => {
  if (type === ENTRY_TYPES.permissionAsked) return 'permission-request';
  if (type === ENTRY_TYPES.permissionAnswered) return 'permission-answer';
  // That a run's records are numbered now isn't an event of the session.
  return type.startsWith('run.') && type !== ENTRY_TYPES.runSettled ? 'run' : null;
};

// The first level has our names, which differ on the wire; below may be a tool's input, whose names aren't ours.
const dataOf = ({ type }: Entry, details: JsonObject): Json => ({
  event: type,
  ...Object.fromEntries(Object.entries(details).map(([key, value]) => [snakeOf(key), value])),
});

const textOf = ({ type, note }: Entry, { tool, decision, status, why }: JsonObject): string => {
  switch (type) {
    case ENTRY_TYPES.permissionAsked:
      return `may ${wordOr(tool, 'a tool')} be used?`;
    case ENTRY_TYPES.permissionAnswered:
      return wordOr(decision, 'answered');
    case ENTRY_TYPES.runStarted:
      return 'a run began';
    case ENTRY_TYPES.runMoved:
      return 'the run goes on in another session';
    case ENTRY_TYPES.runEnded:
      return `the run ended: ${wordOr(status, 'nobody knows how')}${typeof why === 'string' ? `, ${why}` : ''}`;
    default:
      return note ?? type;
  }
};

const wordOr = (value: Json | undefined, otherwise: string): string => (typeof value === 'string' ? value : otherwise);
