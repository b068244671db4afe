import { ENTRY_TYPES } from '@yarnboard/domain';
import { draftOfLine, NOWHERE, uuidFor, type Context, type Item } from '@yarnboard/store';
import { readEntry, type Entry as Reading, type Json, type JsonObject, type TurnStatus } from '@yarnboard/transcript';
import { itemOfDeed, type TurnClosed } from './deeds.ts';
import type { Grant, GrantScope } from './permission-grants.ts';
import type { RunOwner } from './run-owner.ts';

/** The payload of `run.started`. */
export type RunStarted = {
  readonly runId: string;
  readonly cwd: string;
  /** The first characters only; the stream has the whole prompt. */
  readonly prompt: string | null;
  readonly resume: string | null;
  readonly fork: boolean;
  readonly resumeAt: string | null;
  readonly model: string | null;
  readonly permissionMode: string | null;
  readonly maxTurns: number | null;
  readonly owner?: RunOwner;
  readonly seat?: RunSeat;
};

/** RT-27: whose seat a run is. */
export type RunSeat = { readonly agent: string; readonly instance: string | null; readonly sidebar: string };

/** The payload of `run.moved`. */
export type RunMoved = { readonly runId: string; readonly from: string; readonly to: string };

/** The payload of `run.ended`. */
export type RunEnded = { readonly runId: string; readonly status: TurnStatus; readonly why: string | null; readonly counts: RunCounts };

export type RunCounts = {
  /** The SDK's messages. `records` counts those made from messages and from prompts. */
  readonly messages: number;
  readonly records: number;
  readonly turns: number;
  readonly permissions: number;
  /** Number of messages that produced no record, by type. */
  readonly left: Readonly<Record<string, number>>;
  /** The SDK's figure; missing if it gave none. */
  readonly spent?: RunSpent;
};

/** Money and tokens that a run used; null if the SDK doesn't say. */
export type RunSpent = { readonly costUsd: number | null; readonly tokens: number | null };

/** The payload of `run.settled`: every record of the run is now a numbered message, most of them from their file. */
export type RunSettled = { readonly runId: string; readonly fromFiles: number; readonly fromStream: number };

/** The payload of `permission.asked`. */
export type PermissionAsked = {
  readonly runId: string;
  readonly requestId: string;
  readonly tool: string;
  readonly input: JsonObject;
  readonly toolUseId: string | null;
  readonly agentId: string | null;
  readonly suggestions: readonly Json[];
  readonly title: string | null;
};

/** The payload of `permission.answered`. */
export type PermissionAnswered = {
  readonly runId: string;
  readonly requestId: string;
  /** `withdrawn`: nobody answered in time. */
  readonly decision: 'allow' | 'deny' | 'withdrawn';
  readonly message: string | null;
  readonly updatedInput: JsonObject | null;
  readonly interrupt: boolean;
  /** What need not be asked again; older entries lack it. */
  readonly granted?: { readonly scope: GrantScope; readonly grants: readonly Grant[] };
};

/** Who did it; if missing, Yarnboard itself. */
export type By = { readonly name: string; readonly type: 'human' | 'agent' };

type Place = { readonly sessionId: string; readonly at: number; readonly by?: By };

export const startedItem = (place: Place, payload: RunStarted): Item => deed(place, ENTRY_TYPES.runStarted, startedUuid(payload.runId), payload);

export const movedItem = (place: Place, payload: RunMoved, uuid: string): Item => deed(place, ENTRY_TYPES.runMoved, uuid, payload);

export const endedItem = (place: Place, payload: RunEnded): Item => deed(place, ENTRY_TYPES.runEnded, endedUuid(payload.runId), payload);

export const settledItem = (place: Place, payload: RunSettled): Item =>
  deed(place, ENTRY_TYPES.runSettled, uuidFor(`run.settled|${payload.runId}`), payload);

export const turnClosedItem = (place: Place, payload: TurnClosed, uuid: string): Item => deed(place, ENTRY_TYPES.turnClosed, uuid, payload);

export const askedItem = (place: Place, payload: PermissionAsked): Item =>
  deed(place, ENTRY_TYPES.permissionAsked, uuidFor(`permission.asked|${payload.runId}|${payload.requestId}`), payload);

export const answeredItem = (place: Place, payload: PermissionAnswered): Item =>
  deed(place, ENTRY_TYPES.permissionAnswered, uuidFor(`permission.answered|${payload.runId}|${payload.requestId}`), payload);

// The uuids make repeats harmless: a run starts, makes each move, closes each turn and ends only once on the log.
const startedUuid = (runId: string): string => uuidFor(`run.started|${runId}`);
export const moveUuid = (runId: string, nth: number): string => uuidFor(`run.moved|${runId}|${nth}`);
export const turnUuid = (runId: string, nth: number): string => uuidFor(`turn.closed|${runId}|${nth}`);
/** The uuid for the end of a run's last turn. */
export const lastTurnUuid = (runId: string): string => uuidFor(`turn.closed|${runId}`);
export const endedUuid = (runId: string): string => uuidFor(`run.ended|${runId}`);

const deed = ({ sessionId, at, by }: Place, type: Parameters<typeof itemOfDeed>[0]['type'], uuid: string, payload: object): Item =>
  itemOfDeed({ uuid, type, at, sessionId, ...(by === undefined ? {} : { sender: by.name, senderType: by.type }), payload });

/** The uuid of the entry that holds a streamed record. */
export const streamedUuid = (uuid: string): string => uuidFor(`stream|${uuid}`);

/** RUN-2: makes an entry of a streamed record. It has no number, and its uuid derives from the record's, so the log notices repeats. */
export const streamedItem = (record: JsonObject, now: number): Item => {
  const { reading, context } = readingIn(record, null);
  const { sender, senderType, sessionId, contextId, timestamp } = draftOfLine({ context, reading, ...NEW, length: 0, fallbackAt: now });
  const uuid = streamedUuid(reading.uuid ?? '');
  return itemOfDeed({ uuid, type: ENTRY_TYPES.streamed, at: timestamp, sessionId, contextId, sender, senderType, payload: record });
};

/** The same record as a line of a transcript, used when no file contains it. */
export const lineItem = (record: JsonObject, now: number, knownAgent: string | null): Item => {
  const { reading, context } = readingIn(record, knownAgent);
  const text = JSON.stringify(record);
  return { draft: draftOfLine({ context, reading, ...NEW, length: text.length, fallbackAt: now }), payload: Buffer.from(text), reading };
};

const readingIn = (record: JsonObject, knownAgent: string | null): { readonly reading: Reading; readonly context: Context } => {
  const agentId = textOf(record['agentId']) ?? knownAgent;
  return { reading: readEntry(record, NOWHERE, agentId !== null), context: { sessionId: textOf(record['sessionId']) ?? '', agentId } };
};

const NEW = { fault: null, occurrence: 1 } as const;

const textOf = (value: Json | undefined): string | null => (typeof value === 'string' ? value : null);
