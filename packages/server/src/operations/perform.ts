import { maskJson, type Circumstances, type Claims } from '@yarnboard/domain';
import {
  camelOf,
  circumstances,
  complaintsOf,
  isBoardCommand,
  outward,
  queued,
  REGISTRY,
  words,
  type Door,
  type Operation,
  type OperationName,
  type ProblemCode,
  type Told,
} from '@yarnboard/protocol';
import { StoreFault, type LogPort } from '@yarnboard/store';
import { isDeeperThan, type Json } from '@yarnboard/transcript';
import * as z from 'zod';
import { epochOf, type Epoch } from '../threads/epoch.ts';
import { TURNS } from '../sessions/turns.ts';
import { handlersFor, type OperationsNeeds } from './handlers.ts';
import { politeStore } from './polite-store.ts';
import { refuseBeyondReach } from './request/reach.ts';
import type { Asker, Asking, ClientName } from './request/asker.ts';
import { makeWay } from './request/breathing.ts';
import { keptLater } from './request/kept.ts';
import { maskedInPieces } from './request/pieces.ts';
import { Refused, refusedFor } from './request/refusal.ts';

export type Given = Readonly<Record<string, unknown>>;

/** A request's input. Parameters in the path are already set, so the body or query must not set them again. */
export type Asked = {
  readonly given: Given;
  readonly inPath?: Given;
  /** What the door itself knows about a command: the id of its frame and the kind of client. */
  readonly messageId?: string;
  readonly client?: ClientName;
  /** REC-57: false for a client that wouldn't understand a queued answer. */
  readonly canQueue?: boolean;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal?: AbortSignal;
};

/** Runs one registered operation for the caller; throws `Refused` to refuse. */
export type Perform = (name: OperationName, asker: Asker, ask: () => Asked | Promise<Asked>) => Promise<unknown>;

/** The only way to run an operation, from any door: checks permissions, parses the input and decides what to show. */
export const createPerform = (needs: OperationsNeeds, onAnswer: (isWellFormed: () => boolean) => void = () => {}): Perform => {
  const handlers = handlersFor({ ...needs, store: politeStore(needs.store, TURNS) });
  return async (name, asker, ask) => {
    const { isOperator, actor } = asker;
    const operation: Operation = REGISTRY[name];
    refuseStranger(asker, name);
    if (operation.who === 'member' && actor === null) {
      throw refusedFor('token-needed', { operation: name });
    }
    if (operation.who === 'operator' && actor !== null && !isOperator) {
      throw refusedFor('operation-for-operator', { operation: name, actor: actor.id });
    }
    if (operation.who === 'operator' && !isOperator) {
      throw refusedFor('operator-token-needed', { operation: name });
    }
    refuseBeforeRecovery(needs.recovery, name);
    refuseWhileAway(needs.outage, name);
    const asked = await ask();
    const signal = asked.signal ?? NEVER;
    // Twenty simultaneous queries take turns; commands don't queue up with them.
    if (operation.method === 'GET') await makeWay(signal);
    const { input: given, claims, circumstances, queue } = readingOf(operation, asked);
    const { input, marked } = await inEpoch(needs.store.log, given);
    if (asker.seat !== undefined) await refuseBeyondReach(needs.engine, asker, operation, input);
    const isRevealed = input['reveal'] === true;
    if (isRevealed && !isOperator) {
      throw refusedFor('secrets-for-operator', {});
    }
    const handle = handlers[name] as (input: unknown, asking: Asking) => Promise<unknown>; // handlers and registry have the same names
    const asking = {
      asker,
      messageId: asked.messageId ?? null,
      client: asked.client ?? API,
      claims,
      circumstances,
      canQueue: queue && asked.canQueue !== false,
      signal,
    };
    const answered = await handle(input, asking).catch((cause: unknown) => {
      throw cause instanceof Refused ? cause.during(name) : cause;
    });
    const answer = await marked(answered);
    onAnswer(() => (isQueued(answer) ? queued : operation.output).safeParse(answer).success);
    const shown = isRevealed || operation.isShownWhole === true ? answer : await shownInPieces(answer, signal);
    const asOf = operation.method === 'GET' ? (needs.outage?.asOf() ?? null) : null;
    return asOf === null ? shown : knownThen(shown, asOf);
  };
};

/**
 * SEC-21: other users of this machine can read nothing without a token. They also can't use the operator's link, which they may have seen in a
 * process list. If the system can't tell whose request it is, the link's key must do.
 */
export const refuseStranger = ({ stranger }: Asker, name: OperationName): void => {
  if (stranger === undefined || (name === 'enter' && stranger === 'untold')) return;
  throw refusedFor('reading-needs-token', { operation: name });
};

/** REC-19: while an unresolved cache of this home is blocking, nobody can say or start anything new. Reading and recovering still work. */
const refuseBeforeRecovery = (recovery: OperationsNeeds['recovery'], name: OperationName): void => {
  if (!recovery.isBlocking() || !(isBoardCommand(name) || name === 'start_run')) return;
  throw refusedFor('recovery-needed', { caches: recovery.startup().unresolved.length });
};

/** REC-54: a run must record its start before anything else, which is impossible now. Running ones keep their messages until they can be written. */
const refuseWhileAway = (outage: OperationsNeeds['outage'], name: OperationName): void => {
  const now = outage?.state();
  if (name !== 'start_run' || now === undefined || now.kind === 'normal' || now.kind === 'degraded') return;
  throw refusedFor(outage?.isAllDown() === true ? 'emergency-only' : 'blocked-in-emergency', {
    why: now.why,
    since: new Date(now.since).toISOString(),
  });
};

/**
 * WIRE-42: a cursor is valid in one epoch only. Cursors of later epochs carry a mark; a client with a different mark, or none, must start over. Only
 * this code knows the mark: lists read and write the rest of the cursor.
 */
const inEpoch = async (log: LogPort, given: Given): Promise<{ readonly input: Given; readonly marked: (answer: unknown) => Promise<unknown> }> => {
  const { cursor } = given;
  const marked = async (answer: unknown): Promise<unknown> => {
    if (typeof answer !== 'object' || answer === null || !('next_cursor' in answer) || typeof answer.next_cursor !== 'string') return answer;
    return { ...answer, next_cursor: `${markOf(await epochOf(log))}${answer.next_cursor}` };
  };
  if (typeof cursor !== 'string') return { input: given, marked };
  const mark = markOf(await epochOf(log));
  if (MARKED.exec(cursor)?.[0] !== (mark === '' ? undefined : mark)) throw refusedFor('epoch-changed', {});
  return { input: { ...given, cursor: cursor.slice(mark.length) }, marked };
};

/** Empty in the first epoch, so that cursors of boards that were never restored stay unchanged. */
const markOf = ({ id, position }: Epoch): string => (position === 0 ? '' : `${id.replaceAll('-', '').slice(0, 12)}.`);
const MARKED = /^[0-9a-zA-Z]{1,12}\./u;

const API: ClientName = { name: 'api', version: null };
const NEVER = new AbortController().signal;

/** SEC-11: every answer is masked here, so that no door can forget to. Only a cursor must come back unchanged. */
const shownInPieces = async (answer: unknown, signal: AbortSignal): Promise<unknown> => {
  const masked = await keptLater(MASKED, answer, () => maskedInPieces(answer, signal));
  const isPage = typeof answer === 'object' && answer !== null && 'next_cursor' in answer;
  return isPage ? { ...(masked as object), next_cursor: answer.next_cursor } : masked; // masking keeps a page a page
};

const MASKED = new WeakMap<object, unknown>();

/** Parses the input of an operation; refuses input that isn't valid. */
export const inputOf = (operation: Operation, asked: Asked): Given => readingOf(operation, asked).input;

/** The input, plus what accompanies it: claims (WIRE-33), and how a command came about (LOG-15). */
type Reading = {
  readonly input: Given;
  readonly claims: Claims;
  readonly circumstances: Circumstances;
  /** REC-57: whether the command may wait for the log. */
  readonly queue: boolean;
};

const readingOf = (operation: Operation, { given, inPath = {} }: Asked): Reading => {
  const { input, claims = NOTHING } = operation;
  const about = isBoardCommand(operation.name) ? circumstances : NOTHING;
  const known = { ...input.shape, ...claims.shape, ...about.shape };
  const unknown = Object.keys(given).find((key) => !Object.hasOwn(known, key) || Object.hasOwn(inPath, key));
  if (unknown !== undefined) {
    const names = Object.keys(input.shape).filter((key) => !Object.hasOwn(inPath, key));
    throw refusedFor('unknown-input', { asked: unknown.slice(0, 100), known: names }).during(operation.name as OperationName); // a registered name
  }
  const whole = { ...given, ...inPath };
  refuseTooDeep(operation.name as OperationName, given); // a registered name
  const read = [input, claims, about].map((schema) => schema.safeParse(partOf(whole, schema)));
  const issues = read.flatMap(({ error }) => error?.issues ?? []);
  const [asked = {}, claimed = {}, told = {}] = read.map(({ data }) => data);
  const { queue, ...how } = told as Given;
  if (issues.length === 0) return { input: asked, claims: inside(claimed), circumstances: inside(how), queue: queue !== false };
  throw refusedFor('bad-input', { complaints: complaintsOf(issues, whole) }).during(operation.name as OperationName); // a registered name
};

/** API-62: checked before anything that recurses sees the input. A frame of a megabyte may nest half a million deep. */
export const refuseTooDeep = (name: OperationName, given: Given): void => {
  const deep = Object.keys(given).find((key) => isDeeperThan(given[key] as Json, DEEPEST)); // parsed from JSON by every door
  if (deep === undefined) return;
  const complaint = { input: deep.slice(0, 100), fault: 'other', wanted: [`must not be nested deeper than ${DEEPEST}`] } as const;
  throw refusedFor('bad-input', { complaints: [complaint] }).during(name);
};

const DEEPEST = 100;

/** REC-66: while the log is away, an answer says how old its data is. */
const knownThen = (answer: unknown, at: number): unknown =>
  typeof answer === 'object' && answer !== null && !Array.isArray(answer) ? { ...answer, as_of: new Date(at).toISOString() } : answer;

/** REC-52: whether an answer means that the command is waiting for the log. */
export const isQueued = (answer: unknown): answer is QueuedAnswer =>
  typeof answer === 'object' && answer !== null && 'queued' in answer && answer.queued === true;

export type QueuedAnswer = z.output<typeof queued>;

const partOf = (given: Given, { shape }: z.ZodObject): Given =>
  Object.fromEntries(Object.entries(given).filter(([key]) => Object.hasOwn(shape, key)));

/** Converts to the domain's names; drops null values. */
const inside = (said: Given): object =>
  Object.fromEntries(Object.entries(said).flatMap(([key, value]) => (value === null || value === undefined ? [] : [[camelOf(key), value]])));

const NOTHING = z.object({});

/** Query parameters are strings in a URL. If they come as JSON, `true` means the same as "true". */
export const asQuery = (given: Given): Given =>
  Object.fromEntries(Object.entries(given).map(([key, value]) => [key, typeof value === 'boolean' ? String(value) : value]));

/** A problem as sent: a sentence in the door's words, masked like everything (SEC-11), and the facts behind it. */
export type Refusal = { readonly code: ProblemCode; readonly detail: string; readonly reason?: string; readonly facts?: object };

/** Turns an error into the problem that a door reports. */
export const problemFrom = (cause: unknown, door: Door): Refusal => {
  if (cause instanceof Refused) {
    const { code, told, asked } = cause;
    return told === null ? { code, detail: cause.message } : { code, ...wordedAt(told, door, asked) };
  }
  if (cause instanceof StoreFault) {
    const code = {
      full: 'store-full',
      io: 'store-failing',
      corrupt: 'store-damaged',
      locked: 'store-unavailable',
      unreachable: 'store-unavailable',
      exchanged: 'store-unavailable',
      'went-back': 'store-unavailable',
      'read-only': 'store-unavailable',
      failed: 'store-unavailable',
      stale: 'store-unavailable',
    } as const;
    return { code: cause.outcome === 'unknown' ? 'outcome-unknown' : code[cause.kind], detail: cause.message };
  }
  return { code: 'internal', detail: 'something went wrong; the server has logged the details' };
};

/** Facts quote the input, which may contain a secret. */
const wordedAt = (told: Told, door: Door, asked: OperationName | null): Omit<Refusal, 'code'> => {
  const { reason, facts } = outward(told, asked);
  return { detail: words(told, door, asked), reason, facts: maskJson(facts) as object }; // same shape, masked texts
};
