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

/** What somebody asks with. Parts of a path are named already: nobody may name them again. */
export type Asked = {
  readonly given: Given;
  readonly inPath?: Given;
  /** What the door itself knows of a command: the id of its frame, and which kind of client it is. */
  readonly messageId?: string;
  readonly client?: ClientName;
  /** REC-57: false for a client that would not understand that something is queued. */
  readonly canQueue?: boolean;
  /** Aborted when no one is waiting for the answer any longer. */
  readonly signal?: AbortSignal;
};

/** Does one operation of the registry for whoever asks; refuses by throwing `Refused`. */
export type Perform = (name: OperationName, asker: Asker, ask: () => Asked | Promise<Asked>) => Promise<unknown>;

/** The one way to an operation, whichever door somebody comes through: who may, what is understood and what is shown is decided here. */
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
    // Twenty questions that came at once have a turn each; commands do not stand in line with them.
    if (operation.method === 'GET') await makeWay(signal);
    const { input: given, claims, circumstances, queue } = readingOf(operation, asked);
    const { input, marked } = await inEpoch(needs.store.log, given);
    if (asker.seat !== undefined) await refuseBeyondReach(needs.engine, asker, operation, input);
    const isRevealed = input['reveal'] === true;
    if (isRevealed && !isOperator) {
      throw refusedFor('secrets-for-operator', {});
    }
    const handle = handlers[name] as (input: unknown, asking: Asking) => Promise<unknown>; // the registry's names are the handlers'
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
 * SEC-21: other users of this machine read nothing without a token. Nor do they enter by the operator's link, which they may have seen in a list of processes;
 * where the system does not tell who asks, the link's key must do.
 */
export const refuseStranger = ({ stranger }: Asker, name: OperationName): void => {
  if (stranger === undefined || (name === 'enter' && stranger === 'untold')) return;
  throw refusedFor('reading-needs-token', { operation: name });
};

/** REC-19: as long as an unresolved cache of this home stands in the way, nobody says or starts anything new. Reading and recovering go on. */
const refuseBeforeRecovery = (recovery: OperationsNeeds['recovery'], name: OperationName): void => {
  if (!recovery.isBlocking() || !(isBoardCommand(name) || name === 'start_run')) return;
  throw refusedFor('recovery-needed', { caches: recovery.startup().unresolved.length });
};

/** REC-54: a run writes down that it began before anything else, and could not now. Those that go on keep what they say until it can be written. */
const refuseWhileAway = (outage: OperationsNeeds['outage'], name: OperationName): void => {
  const now = outage?.state();
  if (name !== 'start_run' || now === undefined || now.kind === 'normal' || now.kind === 'degraded') return;
  throw refusedFor('blocked-in-emergency', { why: now.why, since: new Date(now.since).toISOString() });
};

/**
 * WIRE-42: a cursor is a place of one epoch. Those of later ones say which; whoever brings another, or none, begins anew. Nobody but this knows of it: lists
 * read and write the rest of it.
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

/** Nothing in the first epoch: cursors of boards that were never restored stay as they are. */
const markOf = ({ id, position }: Epoch): string => (position === 0 ? '' : `${id.replaceAll('-', '').slice(0, 12)}.`);
const MARKED = /^[0-9a-zA-Z]{1,12}\./u;

const API: ClientName = { name: 'api', version: null };
const NEVER = new AbortController().signal;

/** SEC-11: every answer goes out through here, so that no door can forget it. Only a cursor must come back as it was. */
const shownInPieces = async (answer: unknown, signal: AbortSignal): Promise<unknown> => {
  const masked = await keptLater(MASKED, answer, () => maskedInPieces(answer, signal));
  const isPage = typeof answer === 'object' && answer !== null && 'next_cursor' in answer;
  return isPage ? { ...(masked as object), next_cursor: answer.next_cursor } : masked; // a page is one before and after
};

const MASKED = new WeakMap<object, unknown>();

/** What an operation is asked to do; refused where it cannot be understood. */
export const inputOf = (operation: Operation, asked: Asked): Given => readingOf(operation, asked).input;

/** The same, with what is said besides: claims (WIRE-33), and how a command came about (LOG-15). */
type Reading = {
  readonly input: Given;
  readonly claims: Claims;
  readonly circumstances: Circumstances;
  /** REC-57: whether it may wait for the log. */
  readonly queue: boolean;
};

const readingOf = (operation: Operation, { given, inPath = {} }: Asked): Reading => {
  const { input, claims = NOTHING } = operation;
  const about = isBoardCommand(operation.name) ? circumstances : NOTHING;
  const known = { ...input.shape, ...claims.shape, ...about.shape };
  const unknown = Object.keys(given).find((key) => !Object.hasOwn(known, key) || Object.hasOwn(inPath, key));
  if (unknown !== undefined) {
    const names = Object.keys(input.shape).filter((key) => !Object.hasOwn(inPath, key));
    throw refusedFor('unknown-input', { asked: unknown.slice(0, 100), known: names }).during(operation.name as OperationName); // the registry's own
  }
  const whole = { ...given, ...inPath };
  const read = [input, claims, about].map((schema) => schema.safeParse(partOf(whole, schema)));
  const issues = read.flatMap(({ error }) => error?.issues ?? []);
  const [asked = {}, claimed = {}, told = {}] = read.map(({ data }) => data);
  const { queue, ...how } = told as Given;
  if (issues.length === 0) return { input: asked, claims: inside(claimed), circumstances: inside(how), queue: queue !== false };
  throw refusedFor('bad-input', { complaints: complaintsOf(issues, whole) }).during(operation.name as OperationName); // the registry's own
};

/** REC-66: while the log is away, an answer says how old what it knows is. */
const knownThen = (answer: unknown, at: number): unknown =>
  typeof answer === 'object' && answer !== null && !Array.isArray(answer) ? { ...answer, as_of: new Date(at).toISOString() } : answer;

/** REC-52: whether an answer says that something waits for the log. */
export const isQueued = (answer: unknown): answer is QueuedAnswer =>
  typeof answer === 'object' && answer !== null && 'queued' in answer && answer.queued === true;

export type QueuedAnswer = z.output<typeof queued>;

const partOf = (given: Given, { shape }: z.ZodObject): Given =>
  Object.fromEntries(Object.entries(given).filter(([key]) => Object.hasOwn(shape, key)));

/** Under the names that the domain has for it; null says nothing. */
const inside = (said: Given): object =>
  Object.fromEntries(Object.entries(said).flatMap(([key, value]) => (value === null || value === undefined ? [] : [[camelOf(key), value]])));

const NOTHING = z.object({});

/** The parameters of a query are texts in an address; where they come as JSON, `true` is what "true" is there. */
export const asQuery = (given: Given): Given =>
  Object.fromEntries(Object.entries(given).map(([key, value]) => [key, typeof value === 'boolean' ? String(value) : value]));

/** What goes out: a sentence in the words of the door, masked like everything (SEC-11), and what it was made of. */
export type Refusal = { readonly code: ProblemCode; readonly detail: string; readonly reason?: string; readonly facts?: object };

/** What went wrong, as it is told at a door. */
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

/** Facts quote what was sent, and that may be a secret. */
const wordedAt = (told: Told, door: Door, asked: OperationName | null): Omit<Refusal, 'code'> => {
  const { reason, facts } = outward(told, asked);
  return { detail: words(told, door, asked), reason, facts: maskJson(facts) as object }; // the same shape, other texts
};
