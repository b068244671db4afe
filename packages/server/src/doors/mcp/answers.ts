import type { Result } from '@yarnboard/domain';
import { REGISTRY, type Operation, type OperationName } from '@yarnboard/protocol';
import * as z from 'zod';
import { jsonText } from '@yarnboard/transcript';
import type { Given, Refusal } from '../../operations/perform.ts';
import { readCursor, writeCursor } from '../../operations/request/cursor.ts';
import { refusedFor } from '../../operations/request/refusal.ts';
import { fit, fitRest, placeIn, type Fitted } from './fit.ts';

/** Calls one operation for the connected client. */
export type Ask = (name: OperationName, given: Given) => Promise<Result<unknown, Refusal>>;

type Told = Result<object, Refusal>;

/** MCP-15: 8,000 tokens. JSON with names, numbers and words takes three bytes or more per token. */
export const MOST_BYTES = 24_000;

/** An operation's answer, cut to fit a small context. */
export const answerOf = async (ask: Ask, name: OperationName, asked: Given): Promise<Told> => {
  const given = inPages(REGISTRY[name], asked);
  const done = await ask(name, given);
  if (!done.ok) return done;
  const answer = asJson(done.value);
  const fewer = shownOfPage(answer, toldOf({ operation: name, given }, answer).fitted);
  if (fewer === null || !isPaged(REGISTRY[name]) || given['limit'] === fewer) return { ok: true, value: await toldIn(ask, name, given, answer) };
  // A cut page would have two ways to continue. A shorter one continues by its own cursor.
  const again = await ask(name, { ...given, limit: fewer });
  return again.ok ? { ok: true, value: await toldIn(ask, name, { ...given, limit: fewer }, asJson(again.value)) } : again;
};

/** WIRE-42: if it was cut, its cursor belongs to the board's epoch. */
const toldIn = async (ask: Ask, operation: OperationName, given: Given, answer: unknown): Promise<object> => {
  const { fitted, told } = toldOf({ operation, given }, answer);
  const epoch = fitted.cuts.length === 0 ? undefined : await epochNow(ask);
  return epoch === undefined ? told : toldOf({ operation, given, epoch }, answer).told;
};

/** Undefined in the first epoch. */
const epochNow = async (ask: Ask): Promise<string | undefined> => {
  const status = await ask('status', {});
  return status.ok ? inStatus.safeParse(status.value).data?.epoch : undefined;
};

const inStatus = z.object({ epoch: z.string().optional() });

/** MCP-16: the omitted part of an answer, found by repeating the query. */
export const restOf = async (ask: Ask, cursor: string, at: string): Promise<Told> => {
  const { operation, given, epoch } = questionIn(cursor);
  if (epoch !== (await epochNow(ask))) throw refusedFor('epoch-changed', {});
  const done = await ask(operation, given);
  if (!done.ok) return done;
  const answer = asJson(done.value);
  const place = placeIn(answer, at);
  if (place === undefined) throw refusedFor('bad-place', { asked: at.slice(0, 100) });
  if (place === null) throw refusedFor('answer-changed', {});
  return { ok: true, value: withCursor(fitRest(answer, place, { most: roomBeside(cursor) }), cursor) };
};

type Question = { readonly operation: OperationName; readonly given: Given; readonly epoch?: string };

const questionIn = (cursor: string): Question => {
  const question = readCursor<Question>(
    cursor,
    ({ operation, given }) => typeof operation === 'string' && typeof given === 'object' && given !== null,
  );
  // Only queries are repeated.
  const operation: Operation | undefined = Object.hasOwn(REGISTRY, question?.operation ?? '') ? REGISTRY[question?.operation ?? 'status'] : undefined;
  if (question === null || operation?.method !== 'GET') throw refusedFor('bad-cursor', { asked: cursor.slice(0, 100) });
  return question;
};

const toldOf = (question: Question, answer: unknown): { readonly fitted: Fitted; readonly told: object } => {
  const { operation } = question;
  const isQuery = (REGISTRY[operation] as Operation).method === 'GET';
  const cursor = writeCursor(question);
  if (isQuery && cursor.length <= LONGEST_CURSOR) {
    const fitted = fit(answer, { most: roomBeside(cursor), isOne: ONE.has(operation), isWhole: operation === 'trace' });
    return { fitted, told: withCursor(fitted, cursor) };
  }
  const fitted = fit(answer, { most: MOST_BYTES - ROOM, canContinue: false });
  return { fitted, told: isQuery ? asObject(fitted.value) : withLog(fitted, answer) };
};

const withCursor = (fitted: Fitted, cursor: string): object =>
  fitted.cuts.length === 0 ? asObject(fitted.value) : { ...asObject(fitted.value), continue_cursor: cursor };

/** A command isn't repeated to get the rest: its effects are on the log. */
const withLog = (fitted: Fitted, answer: unknown): object => {
  const { events: [first] = [] } = done.safeParse(answer).data ?? {};
  const whole = first === undefined ? {} : { whole: `more {operation: "log", input: {after: ${first.seq - 1}}}` };
  return { ...asObject(fitted.value), ...(fitted.cuts.length === 0 ? {} : whole) };
};

const done = z.object({ events: z.array(z.object({ seq: z.number() })) });

const asObject = (value: unknown): object => (typeof value === 'object' && value !== null && !Array.isArray(value) ? value : { answer: value });

/** As the reader gets it: what JSON omits doesn't count. */
const asJson = (answer: unknown): unknown => JSON.parse(jsonText(answer));

const roomBeside = (cursor: string): number => MOST_BYTES - cursor.length - ROOM;

/** For the names of what is added. */
const ROOM = 200;

/** A query of any length isn't repeated. */
const LONGEST_CURSOR = 8000;

/** Callers of these want to read the whole item. */
const ONE: ReadonlySet<OperationName> = new Set(['message', 'reference', 'citation', 'gold']);

/** Lists of 20, unless fewer are requested. An invalid limit is left to be refused. */
const inPages = (operation: Operation, given: Given): Given => {
  if (!isPaged(operation)) return given;
  const page = LARGER_PAGES.get(operation.name) ?? PAGE;
  const limit = z.coerce.number().safeParse(given['limit'] ?? page);
  const isGood = operation.input.shape['limit'] !== undefined && z.safeParse(operation.input.shape['limit'], given['limit']).success;
  return isGood && limit.success ? { ...given, limit: Math.min(limit.data, page) } : given;
};

const PAGE = 20;
/** TRACE-13: a trace is read as a whole. */
const LARGER_PAGES: ReadonlyMap<string, number> = new Map([['trace', 60]]);

const isPaged = ({ input: { shape } }: Operation): boolean => 'limit' in shape && ('cursor' in shape || 'from' in shape);

/** How many items of its page an answer still shows; null if all. */
const shownOfPage = (answer: unknown, { cuts }: Fitted): number | null => {
  const page = Object.keys(answer ?? {}).findIndex((key) => PAGES.has(key));
  const cut = cuts.find(({ path, of }) => of === 'items' && path.length === 1 && path[0] === page);
  return cut === undefined ? null : Math.max(1, cut.from);
};

const PAGES: ReadonlySet<string> = new Set(['items', 'messages', 'steps']);
