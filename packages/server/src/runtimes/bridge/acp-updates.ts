import type { SeatFrame } from '@yarnboard/protocol';
import * as z from 'zod';

/** A tool call of an ACP agent, as far as it is known: its details may arrive bit by bit. */
export type KnownCall = {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly isTold: boolean;
  readonly isDone: boolean;
};

/** What a session has reported so far. */
export type AcpHearing = { readonly calls: ReadonlyMap<string, KnownCall>; readonly costUsd: number; readonly used: number };

export const UNHEARD: AcpHearing = { calls: new Map(), costUsd: 0, used: 0 };

export type HeardUpdate = { readonly hearing: AcpHearing; readonly frames: readonly SeatFrame[] };

/** Translates a session update into frames. Other updates (plans, thoughts, modes) only show that the agent is alive. */
export const hearUpdate = (hearing: AcpHearing, update: unknown): HeardUpdate => {
  const read = anyUpdate.safeParse(update);
  if (!read.success) return { hearing, frames: [] };
  const { sessionUpdate: kind, content, used, cost } = read.data;
  if (kind === 'agent_message_chunk') return { hearing, frames: [{ type: 'text', text: textOf(content) }] };
  if (kind === 'tool_call' || kind === 'tool_call_update') return hearCall(hearing, update);
  if (kind === 'usage_update') {
    const costUsd = cost?.currency === 'USD' ? cost.amount : hearing.costUsd;
    return { hearing: { ...hearing, used: used ?? hearing.used, costUsd }, frames: ALIVE };
  }
  return { hearing, frames: ALIVE };
};

/** A tool call that needs permission. It is reported as a use first, so that the transcript shows what was asked for. */
export const hearAsked = (hearing: AcpHearing, asked: unknown): HeardUpdate & { readonly call: KnownCall } => {
  const read = anyCall.safeParse(asked);
  const id = read.success ? read.data.toolCallId : '';
  const heard = hearCall(hearing, { ...(read.success ? read.data : {}), toolCallId: id, status: 'in_progress' });
  return { ...heard, call: heard.hearing.calls.get(id) ?? UNKNOWN };
};

const hearCall = (hearing: AcpHearing, update: unknown): HeardUpdate => {
  const read = anyCall.safeParse(update);
  if (!read.success) return { hearing, frames: ALIVE };
  const { toolCallId: id, status, rawInput, rawOutput, content } = read.data;
  const before = hearing.calls.get(id) ?? UNKNOWN;
  const name = nameOf(read.data) ?? before.name;
  const input = inputOf(rawInput) ?? (Object.keys(before.input).length > 0 ? before.input : placesOf(read.data));
  const isDone = status === 'completed' || status === 'failed';
  // Held back until its details are known: agents announce a call before they know its input.
  const isTold = before.isTold || isDone || status === 'in_progress' || inputOf(rawInput) !== null;
  const used: readonly SeatFrame[] = isTold && !before.isTold ? [{ type: 'tool', id: shortId(id), name, input }] : [];
  const output = content === undefined ? textOf(rawOutput) : content.map(textOf).join('\n');
  const result: readonly SeatFrame[] =
    isDone && !before.isDone
      ? [{ type: 'tool-result', id: shortId(id), output: output.slice(0, MOST_OUTPUT), isError: status === 'failed' }]
      : used.length === 0
        ? ALIVE
        : [];
  const calls = new Map(hearing.calls).set(id, { name, input, isTold, isDone: before.isDone || isDone });
  return { hearing: { ...hearing, calls }, frames: [...used, ...result] };
};

/** RT-53: rules apply to a tool by name. A title differs for each call, so it is used as the name only if there is nothing better. */
const nameOf = ({ name, kind, title }: z.output<typeof anyCall>): string | null =>
  [name, kind === 'other' ? undefined : kind, title, kind].find((one) => typeof one === 'string' && one !== '')?.slice(0, 200) ?? null;

const inputOf = (raw: unknown): Readonly<Record<string, unknown>> | null => {
  const read = bag.safeParse(raw);
  return read.success && Object.keys(read.data).length > 0 ? read.data : null;
};

const placesOf = ({ title, locations }: z.output<typeof anyCall>): Readonly<Record<string, unknown>> => ({
  ...(typeof title === 'string' && title !== '' ? { title } : {}),
  ...(locations === undefined || locations.length === 0 ? {} : { paths: locations.map(({ path }) => path) }),
});

/** The text of a content block, whatever shape the agent gives it. */
const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value;
  const read = block.safeParse(value);
  if (!read.success) return value === undefined || value === null ? '' : JSON.stringify(value);
  const { type, text, content, path } = read.data;
  if (typeof text === 'string') return text;
  if (content !== undefined) return textOf(content);
  return typeof path === 'string' ? `changed ${path}` : type === undefined ? JSON.stringify(value) : `[${type}]`;
};

const shortId = (id: string): string => (id === '' ? 'call' : id.slice(0, 200));

const bag = z.record(z.string(), z.unknown());
const block = z.looseObject({
  type: z.string().optional(),
  text: z.string().optional(),
  content: z.unknown().optional(),
  path: z.string().optional(),
});
const anyUpdate = z.looseObject({
  sessionUpdate: z.string(),
  content: z.unknown().optional(),
  used: z.number().optional().catch(undefined),
  cost: z
    .looseObject({ amount: z.number().min(0), currency: z.string() })
    .nullish()
    .catch(undefined),
});
const anyCall = z.looseObject({
  toolCallId: z.string(),
  name: z.string().nullish().catch(undefined),
  title: z.string().nullish().catch(undefined),
  kind: z.string().nullish().catch(undefined),
  status: z.string().nullish().catch(undefined),
  rawInput: z.unknown().optional(),
  rawOutput: z.unknown().optional(),
  content: z
    .array(z.unknown())
    .nullish()
    .catch(undefined)
    .transform((one) => one ?? undefined),
  locations: z
    .array(z.looseObject({ path: z.string() }))
    .nullish()
    .catch(undefined)
    .transform((one) => one ?? undefined),
});

const UNKNOWN: KnownCall = { name: 'tool', input: {}, isTold: false, isDone: false };
const ALIVE: readonly SeatFrame[] = [{ type: 'text', text: '' }];
const MOST_OUTPUT = 100_000;
