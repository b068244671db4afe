import * as z from 'zod';
import {
  assertNever,
  ENVELOPE_ROLES,
  isId,
  SENDERS,
  SERVICE_KINDS,
  TURN_STATUSES,
  type Envelope,
  type EnvelopeEvent,
  type EnvelopeRole,
  type Json,
  type Result,
  type Usage,
} from '@yarnboard/transcript';
import { complaintsOf, complaintText } from './complaints.ts';
import { usage } from './schemas.ts';

const id = z.string().refine(isId, { error: 'no id: 24 characters of a-z and 0-9, the first a letter' });
const count = z.number().int().min(0);
const source = z.string().optional().describe('MSG reference, once its record has one');
const yes = z.literal(true).optional();
/** Foreign JSON: we don't choose its keys. */
export const foreignJson = z.unknown() as z.ZodType<Json>; // whatever JSON.parse returned qualifies

const event = z.discriminatedUnion('t', [
  z.strictObject({ t: z.literal('text'), text: z.string(), thinking: yes, prompt: yes, model: z.string().optional(), source }),
  z.strictObject({
    t: z.literal('tool-call-start'),
    call: z.string(),
    name: z.string(),
    title: z.string(),
    description: z.string(),
    args: foreignJson,
    source,
  }),
  z.strictObject({ t: z.literal('tool-call-end'), call: z.string(), result: foreignJson, is_error: z.boolean(), is_interrupted: yes, source }),
  z.strictObject({ t: z.literal('turn-start') }),
  z.strictObject({ t: z.literal('turn-end'), status: z.enum(TURN_STATUSES), usage: usage.optional() }),
  z.strictObject({ t: z.literal('start'), title: z.string().optional(), agent: z.string().optional(), parent: id.optional(), is_orphan: yes }),
  z.strictObject({ t: z.literal('stop'), status: z.enum(TURN_STATUSES), usage: usage.optional() }),
  z.strictObject({ t: z.literal('service'), kind: z.enum(SERVICE_KINDS), text: z.string(), data: foreignJson.optional(), source }),
  z.strictObject({
    t: z.literal('file'),
    ref: z.string(),
    name: z.string(),
    size: count,
    mime_type: z.string(),
    call: z.string().optional(),
    source,
  }),
]);

/** WIRE-1: an envelope on the wire. */
const envelope = z
  .strictObject({ id, time: z.number().min(0), role: z.enum(ENVELOPE_ROLES), turn: id.optional(), subagent: id.optional(), ev: event })
  .refine(({ role, ev }) => maySend(role, ev.t), {
    path: ['role'],
    error: ({ input }) => {
      const { role, ev } = input as { readonly role: string; readonly ev: { readonly t: keyof typeof SENDERS } }; // refined after its parts were parsed
      return `${role} may not send ${ev.t}; ${SENDERS[ev.t].join(' or ')} may`;
    },
  });

const wrappedEnvelope = z.strictObject({ content: z.strictObject({ type: z.literal('session'), data: envelope }) });

/** An envelope in a list. */
export const envelopeItem = z.strictObject({
  seq: z.number().int().nullable().describe('position of its entry on the log; null while its session is pending'),
  ...wrappedEnvelope.shape,
});

export type WireEnvelope = z.input<typeof envelope>;
export type WrappedEnvelope = z.input<typeof wrappedEnvelope>;
type WireEvent = WireEnvelope['ev'];

/** The wrong field, and why. */
export type EnvelopeRefusal = { readonly field: string; readonly why: string };

/** WIRE-1: written by hand: a schema here would cost more than all other work on a line. */
export const encodeEnvelope = ({ id, time, role, turn, subagent, ev }: Envelope): WireEnvelope => {
  const wire: { -readonly [K in keyof WireEnvelope]: WireEnvelope[K] } = { id, time, role, ev: encodeEvent(ev) };
  if (turn !== undefined) wire.turn = turn;
  if (subagent !== undefined) wire.subagent = subagent;
  return wire;
};

export const wrapEnvelope = (envelope: Envelope): WrappedEnvelope => ({ content: { type: 'session', data: encodeEnvelope(envelope) } });

/** WIRE-2: anything but an envelope is refused, and the reason names the field. */
export const decodeEnvelope = (value: unknown): Result<Envelope, EnvelopeRefusal> => decoded(envelope.safeParse(value), (wire) => wire, '', value);

export const unwrapEnvelope = (value: unknown): Result<Envelope, EnvelopeRefusal> =>
  decoded(wrappedEnvelope.safeParse(value), ({ content }) => content.data, 'content', value);

// Most events have the same names inside and outside, and are sent as they are.
const encodeEvent = (ev: EnvelopeEvent): WireEvent => {
  switch (ev.t) {
    case 'text':
    case 'tool-call-start':
    case 'turn-start':
    case 'service':
      return ev;
    case 'tool-call-end': {
      const wire: Extract<WireEvent, { t: 'tool-call-end' }> = { t: ev.t, call: ev.call, result: ev.result, is_error: ev.isError };
      if (ev.isInterrupted !== undefined) wire.is_interrupted = ev.isInterrupted;
      if (ev.source !== undefined) wire.source = ev.source;
      return wire;
    }
    case 'turn-end':
    case 'stop':
      return ev.usage === undefined ? { t: ev.t, status: ev.status } : { t: ev.t, status: ev.status, usage: encodeUsage(ev.usage) };
    case 'start': {
      const { isOrphan, ...rest } = ev;
      return isOrphan === undefined ? rest : { ...rest, is_orphan: isOrphan };
    }
    case 'file': {
      const { mimeType, ...rest } = ev;
      return { ...rest, mime_type: mimeType };
    }
    default:
      return assertNever(ev);
  }
};

const encodeUsage = ({ input, output, cacheWrite5m, cacheWrite1h, cacheRead }: Usage): z.output<typeof usage> => ({
  input_tokens: input,
  output_tokens: output,
  cache_write_5m_tokens: cacheWrite5m,
  cache_write_1h_tokens: cacheWrite1h,
  cache_read_tokens: cacheRead,
});

const decodeEvent = (ev: z.output<typeof event>): EnvelopeEvent => {
  switch (ev.t) {
    case 'tool-call-end': {
      const { is_error: isError, is_interrupted: isInterrupted, ...rest } = ev;
      return given({ ...rest, isError, isInterrupted });
    }
    case 'turn-end':
    case 'stop':
      return given({ ...ev, usage: ev.usage === undefined ? undefined : decodeUsage(ev.usage) });
    case 'start': {
      const { is_orphan: isOrphan, ...rest } = ev;
      return given({ ...rest, isOrphan });
    }
    case 'file': {
      const { mime_type: mimeType, ...rest } = ev;
      return given({ ...rest, mimeType });
    }
    case 'text':
    case 'tool-call-start':
    case 'turn-start':
    case 'service':
      return given(ev);
    default:
      return assertNever(ev);
  }
};

const decodeUsage = (wire: z.output<typeof usage>): Usage => ({
  input: wire.input_tokens,
  output: wire.output_tokens,
  cacheWrite5m: wire.cache_write_5m_tokens,
  cacheWrite1h: wire.cache_write_1h_tokens,
  cacheRead: wire.cache_read_tokens,
});

type Given<T> = T extends unknown ? { readonly [K in keyof T]: Exclude<T[K], undefined> } : never;

/** Removes keys whose value is undefined: inside, a missing value has no key. */
const given = <T extends object>(value: T): Given<T> =>
  Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined)) as Given<T>; // only undefined values were left out

const decoded = <T>(
  parsed: z.ZodSafeParseResult<T>,
  envelopeIn: (value: T) => z.output<typeof envelope>,
  whole: string,
  input: unknown,
): Result<Envelope, EnvelopeRefusal> => {
  if (!parsed.success) return { ok: false, error: refusalOf(parsed.error, whole, input) };
  const { ev, ...rest } = envelopeIn(parsed.data);
  return { ok: true, value: { ...given(rest), ev: decodeEvent(ev) } };
};

const refusalOf = ({ issues }: z.ZodError, whole: string, input: unknown): EnvelopeRefusal => {
  const [first] = issues;
  if (first === undefined) return { field: whole, why: 'it is not an envelope' };
  const path = first.path.join('.');
  if (first.code !== 'unrecognized_keys') {
    const [complaint] = complaintsOf([first], input);
    return { field: path === '' ? whole || 'envelope' : path, why: complaint === undefined ? first.message : complaintText(complaint, '').trim() };
  }
  const [key = ''] = first.keys;
  return { field: path === '' ? key : `${path}.${key}`, why: 'there is no such field' };
};

const maySend = (role: EnvelopeRole, event: keyof typeof SENDERS): boolean => (SENDERS[event] as readonly EnvelopeRole[]).includes(role); // the table's type is narrower than the argument's
