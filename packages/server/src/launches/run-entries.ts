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
  /** Its first characters; the whole is in the stream. */
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
  /** Messages of the SDK, and the records that were made of them and of prompts. */
  readonly messages: number;
  readonly records: number;
  readonly turns: number;
  readonly permissions: number;
  /** Messages that made no record, by type. */
  readonly left: Readonly<Record<string, number>>;
  /** What it cost, as the SDK says; missing where it was not told. */
  readonly spent?: RunSpent;
};

/** Money and tokens of a run; null where the SDK does not say. */
export type RunSpent = { readonly costUsd: number | null; readonly tokens: number | null };

/** The payload of `run.settled`: every record of the run is a message with a number now, most of them from their file. */
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
  /** `withdrawn`: nobody answered while it mattered. */
  readonly decision: 'allow' | 'deny' | 'withdrawn';
  readonly message: string | null;
  readonly updatedInput: JsonObject | null;
  readonly interrupt: boolean;
  /** What is not asked for again; entries of before have none. */
  readonly granted?: { readonly scope: GrantScope; readonly grants: readonly Grant[] };
};

/** Who did it; Yarnboard itself when it is left out. */
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

// A run starts, moves, closes each turn and ends once, however often that is said.
const startedUuid = (runId: string): string => uuidFor(`run.started|${runId}`);
export const moveUuid = (runId: string, nth: number): string => uuidFor(`run.moved|${runId}|${nth}`);
export const turnUuid = (runId: string, nth: number): string => uuidFor(`turn.closed|${runId}|${nth}`);
/** Of the end of its last turn. */
export const lastTurnUuid = (runId: string): string => uuidFor(`turn.closed|${runId}`);
export const endedUuid = (runId: string): string => uuidFor(`run.ended|${runId}`);

const deed = ({ sessionId, at, by }: Place, type: Parameters<typeof itemOfDeed>[0]['type'], uuid: string, payload: object): Item =>
  itemOfDeed({ uuid, type, at, sessionId, ...(by === undefined ? {} : { sender: by.name, senderType: by.type }), payload });

/** Of the entry of a record of the stream. */
export const streamedUuid = (uuid: string): string => uuidFor(`stream|${uuid}`);

/** RUN-2: a record of the stream as an entry: without a number, under a uuid that is made of its own, so that saying it twice is noticed. */
export const streamedItem = (record: JsonObject, now: number): Item => {
  const { reading, context } = readingIn(record, null);
  const { sender, senderType, sessionId, contextId, timestamp } = draftOfLine({ context, reading, ...NEW, length: 0, fallbackAt: now });
  const uuid = streamedUuid(reading.uuid ?? '');
  return itemOfDeed({ uuid, type: ENTRY_TYPES.streamed, at: timestamp, sessionId, contextId, sender, senderType, payload: record });
};

/** The same record as a line of a transcript, for when no file has told it. */
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
