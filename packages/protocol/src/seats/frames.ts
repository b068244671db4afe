import { assertNever, err, ok, type Result } from '@yarnboard/domain';
import { jsonLine } from '@yarnboard/transcript';
import * as z from 'zod';

/** RT-2: the version of the JSON lines between a seat's program and Yarnboard. */
const SEAT_PROTOCOL = 1;

/** Why an agent declines a request. */
const DECLINES = ['overloaded', 'outside_expertise', 'other'] as const;

/** A frame from a program, one JSON object per line. Strict: an unknown field is refused, so that a typo shows at once. */
export type SeatFrame =
  | { readonly type: 'ready'; readonly name: string | null; readonly version: string | null }
  | { readonly type: 'command'; readonly id: string; readonly name: string; readonly input: Readonly<Record<string, unknown>> }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool'; readonly id: string; readonly name: string; readonly input: Readonly<Record<string, unknown>> }
  | { readonly type: 'tool-result'; readonly id: string; readonly output: string; readonly isError: boolean }
  | ({ readonly type: 'usage' } & SeatUsage)
  | { readonly type: 'permission'; readonly requestId: string; readonly tool: string; readonly input: Readonly<Record<string, unknown>> }
  | {
      readonly type: 'turn-end';
      readonly turnId: string;
      readonly status: 'completed' | 'failed' | 'cancelled';
      readonly text: string | null;
      readonly why: string | null;
    }
  | { readonly type: 'rest'; readonly until: number; readonly why: string }
  | { readonly type: 'decline'; readonly reason: (typeof DECLINES)[number]; readonly note: string | null };

/** The usage of one model response. `costUsd` is null if the price is unknown. */
export type SeatUsage = {
  readonly model: string | null;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly costUsd: number | null;
};

/** An event that concerns a seat. It includes who said it, since text from others is data and never an order. */
export type SeatEvent = {
  readonly seq: number;
  readonly kind: string;
  readonly from: string;
  readonly text: string;
  readonly refs: readonly string[];
};

/** A frame from Yarnboard to a program. */
export type SeatOrder =
  | {
      readonly type: 'hello';
      readonly agentId: string;
      readonly sidebarId: string;
      readonly model: string | null;
      readonly instructions: string | null;
      /** The seat's own token and where to use it; null if no server is running. */
      readonly token: string;
      readonly url: string | null;
    }
  | { readonly type: 'brief'; readonly text: string; readonly hash: string }
  | { readonly type: 'turn'; readonly turnId: string; readonly events: readonly SeatEvent[] }
  | { readonly type: 'event'; readonly turnId: string; readonly event: SeatEvent }
  | { readonly type: 'answer'; readonly id: string; readonly isDone: boolean; readonly answer: unknown }
  | {
      readonly type: 'permission';
      readonly requestId: string;
      readonly decision: 'allow' | 'deny';
      readonly message: string | null;
      readonly input: Readonly<Record<string, unknown>> | null;
    }
  | { readonly type: 'cancel'; readonly turnId: string }
  | { readonly type: 'bye'; readonly reason: string };

/** What is wrong with a line: a code for programs, a sentence for people. */
export type FrameFault = { readonly code: 'not-json' | 'unknown-frame' | 'bad-frame' | 'wrong-version'; readonly text: string };

export const decodeSeatFrame = (line: string): Result<SeatFrame, FrameFault> => {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    return err({ code: 'not-json', text: 'A line is not valid JSON. Print one JSON object per line, and logs to standard error.' });
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    return err({ code: 'not-json', text: 'A line holds no JSON object. Print one object per line.' });
  }
  const type = (json as Readonly<Record<string, unknown>>)['type']; // an object: checked above
  if (typeof type !== 'string' || !isFrameName(type)) {
    return err({ code: 'unknown-frame', text: `There is no frame "${String(type).slice(0, 50)}"; there are ${FRAME_NAMES.join(', ')}.` });
  }
  const read = FRAMES[type].safeParse(json);
  if (!read.success) {
    const [issue] = read.error.issues;
    const field = issue?.path.join('.') ?? '';
    return err({
      code: 'bad-frame',
      text: `Frame "${type}"${field === '' ? '' : `, field "${field.slice(0, 100)}"`}: ${issue?.message ?? 'not understood'}`,
    });
  }
  if (read.data.type === 'ready' && read.data.protocol !== SEAT_PROTOCOL) {
    return err({ code: 'wrong-version', text: `The program speaks version ${read.data.protocol}; this server speaks version ${SEAT_PROTOCOL}.` });
  }
  return ok(insideOf(read.data));
};

/** One line, including its line end. */
export const encodeSeatOrder = (order: SeatOrder): string => jsonLine(outsideOf(order));

/** The inverse, for our own programs. */
export const encodeSeatFrame = (frame: SeatFrame): string => jsonLine(wireOf(frame));

const wireOf = (frame: SeatFrame): object => {
  switch (frame.type) {
    case 'ready':
      return { type: 'ready', protocol: SEAT_PROTOCOL, name: frame.name ?? undefined, version: frame.version ?? undefined };
    case 'tool-result':
      return { type: 'tool', id: frame.id, output: frame.output, is_error: frame.isError };
    case 'usage':
      return {
        type: 'usage',
        model: frame.model ?? undefined,
        input_tokens: frame.inputTokens,
        output_tokens: frame.outputTokens,
        cache_read_tokens: frame.cacheReadTokens,
        cache_write_tokens: frame.cacheWriteTokens,
        cost_usd: frame.costUsd ?? undefined,
      };
    case 'permission':
      return { type: 'permission', request_id: frame.requestId, tool: frame.tool, input: frame.input };
    case 'turn-end':
      return { type: 'turn_end', turn_id: frame.turnId, status: frame.status, text: frame.text ?? undefined, why: frame.why ?? undefined };
    case 'rest':
      return { type: 'rest', until: new Date(frame.until).toISOString(), why: frame.why };
    case 'decline':
      return { type: 'decline', reason: frame.reason, note: frame.note ?? undefined };
    case 'command':
    case 'text':
    case 'tool':
      return frame;
    default:
      return assertNever(frame);
  }
};

const id = z.string().min(1).max(200);
const prose = z.string().max(1_000_000);
const count = z.number().int().min(0).max(1e12);
const bag = z.record(z.string(), z.unknown());

const FRAMES = {
  ready: z.strictObject({
    type: z.literal('ready'),
    protocol: z.number().int(),
    name: z.string().max(200).optional(),
    version: z.string().max(200).optional(),
  }),
  command: z.strictObject({ type: z.literal('command'), id, name: z.string().min(1).max(100), input: bag.default({}) }),
  text: z.strictObject({ type: z.literal('text'), text: prose }),
  tool: z.union([
    z.strictObject({ type: z.literal('tool'), id, name: z.string().min(1).max(200), input: bag.default({}) }),
    z.strictObject({ type: z.literal('tool'), id, output: prose, is_error: z.boolean().default(false) }),
  ]),
  usage: z.strictObject({
    type: z.literal('usage'),
    model: z.string().max(200).optional(),
    input_tokens: count.default(0),
    output_tokens: count.default(0),
    cache_read_tokens: count.default(0),
    cache_write_tokens: count.default(0),
    cost_usd: z.number().min(0).max(1e6).optional(),
  }),
  permission: z.strictObject({ type: z.literal('permission'), request_id: id, tool: z.string().min(1).max(200), input: bag.default({}) }),
  turn_end: z.strictObject({
    type: z.literal('turn_end'),
    turn_id: id,
    status: z.enum(['completed', 'failed', 'cancelled']).default('completed'),
    text: prose.optional(),
    why: z.string().max(10_000).optional(),
  }),
  rest: z.strictObject({ type: z.literal('rest'), until: z.iso.datetime({ offset: true }), why: z.string().min(1).max(10_000) }),
  decline: z.strictObject({ type: z.literal('decline'), reason: z.enum(DECLINES), note: z.string().max(10_000).optional() }),
} as const;

type WireFrame = z.output<(typeof FRAMES)[keyof typeof FRAMES]>;

const FRAME_NAMES = Object.keys(FRAMES) as readonly (keyof typeof FRAMES)[]; // its own keys

const isFrameName = (name: string): name is keyof typeof FRAMES => Object.hasOwn(FRAMES, name);

const insideOf = (frame: WireFrame): SeatFrame => {
  switch (frame.type) {
    case 'ready':
      return { type: 'ready', name: frame.name ?? null, version: frame.version ?? null };
    case 'tool':
      return 'name' in frame ? frame : { type: 'tool-result', id: frame.id, output: frame.output, isError: frame.is_error };
    case 'usage':
      return {
        type: 'usage',
        model: frame.model ?? null,
        inputTokens: frame.input_tokens,
        outputTokens: frame.output_tokens,
        cacheReadTokens: frame.cache_read_tokens,
        cacheWriteTokens: frame.cache_write_tokens,
        costUsd: frame.cost_usd ?? null,
      };
    case 'permission':
      return { type: 'permission', requestId: frame.request_id, tool: frame.tool, input: frame.input };
    case 'turn_end':
      return { type: 'turn-end', turnId: frame.turn_id, status: frame.status, text: frame.text ?? null, why: frame.why ?? null };
    case 'rest':
      return { type: 'rest', until: Date.parse(frame.until), why: frame.why };
    case 'decline':
      return { type: 'decline', reason: frame.reason, note: frame.note ?? null };
    case 'command':
    case 'text':
      return frame;
    default:
      return assertNever(frame);
  }
};

const outsideOf = (order: SeatOrder): object => {
  switch (order.type) {
    case 'hello':
      return {
        type: 'hello',
        protocol: SEAT_PROTOCOL,
        agent_id: order.agentId,
        sidebar_id: order.sidebarId,
        model: order.model,
        instructions: order.instructions,
        token: order.token,
        url: order.url,
      };
    case 'turn':
      return { type: 'turn', turn_id: order.turnId, events: order.events };
    case 'event':
      return { type: 'event', turn_id: order.turnId, event: order.event };
    case 'answer':
      return order.isDone
        ? { type: 'answer', id: order.id, ok: true, answer: order.answer }
        : { type: 'answer', id: order.id, ok: false, problem: order.answer };
    case 'permission':
      return {
        type: 'permission',
        request_id: order.requestId,
        decision: order.decision,
        message: order.message,
        ...(order.input === null ? {} : { input: order.input }),
      };
    case 'cancel':
      return { type: 'cancel', turn_id: order.turnId };
    case 'brief':
    case 'bye':
      return order;
    default:
      return assertNever(order);
  }
};
